order = "..."
