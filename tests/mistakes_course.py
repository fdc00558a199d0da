"""Mistakes in the problem sets and their marking."""

from __future__ import annotations

from planted import Mutation, Part

PART = Part(
    copied=(
        *("course/__init__.py", "course/__main__.py", "course/objectives.py"),
        *("course/sets", "course/tasks", "course/settings.yml", "tests/forked.py"),
    ),
)

SETS, RELEASE = "test_course_sets.py", "test_course_release.py"
FEEDBACK, STUDENT = "test_course_feedback.py", "test_course_student.py"

DRAWS = "test_other_seeds_draw_other_numbers_and_keep_mistakes_apart"


def mistake(name: str, file: str, old: str, new: str, tests: str, test: str) -> Mutation:
    """A text that occurs once in a file, and what stands there instead."""
    return Mutation(name, f"course/{file}", ((old, new),), tests, test)


MUTATIONS = [
    mistake(
        "a number is right within a hundred tolerances",
        "sets/judging.py",
        "if abs(given - right_one) <= tolerance:",
        "if abs(given - right_one) <= 100 * tolerance:",
        SETS,
        f"{DRAWS} and set1-04-entries",
    ),
    mistake(
        "of two mistakes that fit, the one that fits less is named",
        "sets/judging.py",
        "min(near, key",
        "max(near, key",
        SETS,
        "test_weights_of_few_digits_have_the_name_of_what_was_done_or_none",
    ),
    mistake(
        "the right one in few digits has the name of a mistake that is near",
        "sets/judging.py",
        "alone = len(near) == 1 and not short",
        "alone = len(near) == 1",
        FEEDBACK,
        "test_the_right_one_in_few_digits_is_not_taken_for_a_mistake_that_is_near",
    ),
    mistake(
        "degrees are told as a multiplication",
        "tasks/set1/04-entries/marking.py",
        '"degrees": wave(math.radians(p / power)),',
        '"multiplied": wave(math.radians(p / power)),',
        SETS,
        f"{DRAWS} and set1-04-entries",
    ),
    mistake(
        "a proof is right in any order",
        "sets/judging.py",
        "    if given in rights:\n",
        "    if given:\n",
        SETS,
        f"{DRAWS} and set3-07-offset-alone",
    ),
    mistake(
        "half points are rounded away",
        "sets/marks.py",
        "round(4 * part.points * mark.share) / 4",
        "round(part.points * mark.share - 0.1)",
        SETS,
        f"{DRAWS} and set2-06-proof",
    ),
    mistake(
        "every seed draws the same numbers",
        "sets/tasks.py",
        'random.Random(f"{seed} {self.id}")',
        "random.Random(self.id)",
        SETS,
        f"{DRAWS} and set3-07-offset-alone",
    ),
    mistake(
        "what follows from an own answer has no points",
        "sets/judging.py",
        'Mark(part, 1, "follows"',
        'Mark(part, 0, "follows"',
        FEEDBACK,
        "test_what_follows_from_an_own_answer_has_its_points",
    ),
    mistake(
        "what lacks digits is asked a question about the subject",
        "sets/judging.py",
        'f"{says} {more}", form=True)',
        'f"{says} {more}")',
        FEEDBACK,
        "test_a_rounded_number_is_near_and_another_is_not",
    ),
    mistake(
        "a mistake of any name is charged once",
        "sets/judging.py",
        "paid |= {mark.name} & {*slips}",
        "paid |= {mark.name}",
        FEEDBACK,
        "test_a_slip_is_charged_in_the_first_part_that_has_it",
    ),
    mistake(
        "a student's text is HTML",
        "sets/formulas.py",
        'f"<code>{escape(code)}</code>"',
        'f"<code>{code}</code>"',
        FEEDBACK,
        "test_what_a_student_wrote_stays_text",
    ),
    mistake(
        "solutions are handed out",
        "sets/notebook.py",
        '"solution.py" if solved else "starter.py"',
        '"solution.py"',
        RELEASE,
        "test_no_answer_stands_in_what_is_handed_out and set2",
    ),
    mistake(
        "the marking stands in the notebook",
        "sets/notebook.py",
        'task.text("visible.py", given)',
        'task._text("marking.py")',
        RELEASE,
        "test_no_answer_stands_in_what_is_handed_out and set2",
    ),
    mistake(
        "what a person marks has no points",
        "sets/notebook.py",
        "        total = sum(part.points for part in task.manual)\n",
        "        total = 0\n",
        RELEASE,
        "test_notebooks_are_valid_and_the_same_each_time and set2",
    ),
    mistake(
        "a student's edit of a cell that is marked is kept",
        "sets/notebook.py",
        "if cell.metadata.nbgrader.solution and name in answers:",
        "if name in answers:",
        RELEASE,
        "test_a_damaged_notebook_is_put_together_again and edited",
    ),
    mistake(
        "a cell has the marker's environment",
        "sets/student.py",
        "for name in KEPT if name in os.environ}",
        "for name in os.environ}",
        STUDENT,
        "test_the_marker_s_environment_is_kept_from_a_cell",
    ),
    mistake(
        "a cell may change what marks",
        "sets/tasks.py",
        '            if path.suffix in (".py", ".md"):\n',
        '            if path.suffix == ".yml":\n',
        STUDENT,
        "test_what_marks_is_read_once",
    ),
    mistake(
        "the fence stands open",
        "sets/fence.py",
        "    _called(RESTRICT, ruleset, 0)\n",
        "",
        STUDENT,
        "test_a_fenced_process_reads_and_writes_in_its_own_folder_alone",
    ),
    mistake(
        "the time of a task is not told from another end",
        "sets/server.py",
        "    raise OutOfTime\n",
        "    pass\n",
        STUDENT,
        "test_a_process_without_time_left_is_told_so",
    ),
    mistake(
        "a student's cell may fork",
        "sets/processes.py",
        "[(ANY_BIT, THREAD)]",
        "[(AT_LEAST, 0)]",
        STUDENT,
        "test_a_confined_process_has_no_other",
    ),
    mistake(
        "a student's cell may end other processes by their threads",
        "sets/processes.py",
        "(calls.tgkill, 0, [(EQUAL, own)])",
        "(calls.tgkill, 0, [(AT_LEAST, 0)])",
        STUDENT,
        "test_a_confined_process_reaches_no_other_by_any_call",
    ),
]
