"""The course around the book: objectives, problem sets, slides, a question bank, a guide."""
