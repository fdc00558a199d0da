"""Mistakes that are easy to make, each planted in a copy of pe_core: a test must see it.

A mutation replaces a piece of text that occurs exactly once. The test that holds the mistake then
runs on the copy, in another process, and must fail with a failed assertion: an import that breaks
or a shape that does not fit would say nothing about the numbers. It passes on an unchanged copy.
"""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Stands beside each copy. Its tests must import that copy, and stop at their first counter-
# example, because several would be reported as a group of exceptions.
CONFTEST = """\
from pathlib import Path

import pe_core
from hypothesis import Phase, settings

assert Path(pe_core.__file__).is_relative_to(Path(__file__).parent)
settings.register_profile(
    "copy",
    derandomize=True,
    report_multiple_bugs=False,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("copy")
"""

# Runs the tests of one folder after another, those that its pytest.ini names. To import torch, or
# Sphinx, takes longer than to run them, so a process keeps what it has imported and forgets only
# what belongs to a folder.
RUNNER = """\
import os
import sys

import pytest

# The second collects garbage five times at the end, which takes longer than most tests.
WITHOUT = ("-p", "no:cacheprovider", "-p", "no:unraisableexception")

path = sys.path[1:]
copies = tuple(folder + os.sep for folder in sys.argv[1:])
for folder in sys.argv[1:]:
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(copies):
            del sys.modules[name]
    os.chdir(folder)
    sys.path[:] = [folder, *path]
    code = pytest.main(["-x", "-q", "--junitxml=report.xml", *WITHOUT])
    with open("exit_code", "w", encoding="utf-8") as file:
        file.write(str(int(code)))
"""


@dataclass(frozen=True)
class Mutation:
    """A mistake: replacements of text in one file of pe_core, and who must see it.

    ``test`` is an expression for pytest's ``-k``: a name, or a name and one of its parameters.
    """

    name: str
    file: str
    replacements: tuple[tuple[str, str], ...]
    tests: str
    test: str


MUTATIONS = [
    Mutation(
        "the exponent counts twice",
        "steps.py",
        (
            (
                "even_indices(d_model, dtype=dtype) / d_model",
                "2 * even_indices(d_model, dtype=dtype) / d_model",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "the exponent runs to 1, as in code that divides by d/2 - 1",
        "steps.py",
        (
            (
                "even_indices(d_model, dtype=dtype) / d_model",
                "even_indices(d_model, dtype=dtype) / max(d_model - 2, 1)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "sine and cosine are swapped",
        "steps.py",
        (
            (
                "return torch.sin(positions / denominator)",
                "return torch.cos(positions / denominator)",
            ),
            (
                "return torch.cos(positions / denominator)",
                "return torch.sin(positions / denominator)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "the position is multiplied where it should be divided",
        "steps.py",
        (
            (
                "return torch.sin(positions / denominator)",
                "return torch.sin(positions * denominator)",
            ),
            (
                "return torch.cos(positions / denominator)",
                "return torch.cos(positions * denominator)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "the pairing is dropped: every column has a frequency of its own",
        "steps.py",
        (
            (
                "odd = odd_pe(position, divisor)  # (L, d/2)\n    return interleave(",
                "columns = odd_indices(d_model, dtype=wide)\n"
                "    odd = odd_pe(position, torch.pow(base, columns / d_model))\n"
                "    return interleave(",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "halves are concatenated, not interleaved",
        "steps.py",
        (
            (
                "stacked = torch.stack([even, odd], dim=-1)  # (L, d/2, 2)\n"
                "    return stacked.flatten(start_dim=-2)",
                "return torch.cat([even, odd], dim=-1)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "positions start at 1",
        "steps.py",
        (
            (
                "torch.arange(max_sequence_length, dtype=dtype)",
                "torch.arange(1, max_sequence_length + 1, dtype=dtype)",
            ),
        ),
        "test_steps.py",
        "test_small_example_prints_as_the_texts_print_it",
    ),
    Mutation(
        "16-bit tables are built from 16-bit positions",
        "steps.py",
        (
            (
                "position = positions(max_sequence_length, dtype=wide)",
                "position = positions(max_sequence_length, dtype=wide).to(dtype).to(wide)",
            ),
        ),
        "test_steps.py",
        "test_16_bits_are_computed_wide_and_rounded_once",
    ),
    Mutation(
        "a float64 table is a float32 table made longer",
        "steps.py",
        (
            (
                "wide = torch.promote_types(check_dtype(dtype), torch.float32)",
                "wide = torch.float32",
            ),
        ),
        "test_steps.py",
        "test_stepwise",
    ),
    Mutation(
        "the trace shows the sines twice",
        "steps.py",
        (
            (
                r'Step("odd PE", rf"\cos\left(\frac{{p}}{{{power}}}\right)", odd)',
                r'Step("odd PE", rf"\cos\left(\frac{{p}}{{{power}}}\right)", even)',
            ),
        ),
        "test_steps.py",
        "test_trace_holds_what_the_steps_make",
    ),
    Mutation(
        "the exponent of the frequencies counts twice",
        "offset.py",
        (("exponent = -even_indices(", "exponent = -2 * even_indices("),),
        "test_offset.py",
        "test_frequencies_and_wavelengths",
    ),
    Mutation(
        "M_k is transposed",
        "offset.py",
        (
            (
                "upper = torch.stack([cosine, sine], dim=-1)",
                "upper = torch.stack([cosine, 0.0 - sine], dim=-1)",
            ),
            (
                "lower = torch.stack([0.0 - sine, cosine], dim=-1)",
                "lower = torch.stack([sine, cosine], dim=-1)",
            ),
        ),
        "test_offset.py",
        "test_matrix_moves_every_position",
    ),
    Mutation(
        "M_k turns sine and cosine of a pair by different angles",
        "offset.py",
        (
            (
                "sine, cosine = torch.sin(angle), torch.cos(angle)",
                "sine, cosine = torch.sin(angle), torch.cos(angle.roll(1))",
            ),
        ),
        "test_offset.py",
        "test_matrix_moves_every_position",
    ),
    Mutation(
        "M_k moves by one position too many",
        "offset.py",
        (
            (
                "angle = check_offset(k) * frequencies(d_model, base=base)  # (d/2,)\n"
                "    sine, cosine =",
                "angle = (check_offset(k) + 1) * frequencies(d_model, base=base)\n"
                "    sine, cosine =",
            ),
        ),
        "test_offset.py",
        "test_matrix_moves_every_position",
    ),
    Mutation(
        "shift turns the wrong way",
        "offset.py",
        (
            ("cosine_k * sine + sine_k * cosine", "cosine_k * sine - sine_k * cosine"),
            ("cosine_k * cosine - sine_k * sine", "cosine_k * cosine + sine_k * sine"),
        ),
        "test_offset.py",
        "test_shift_equals_the_matrix_product",
    ),
    Mutation(
        "shift concatenates the halves",
        "offset.py",
        (
            (
                "torch.stack([moved_sine, moved_cosine], dim=-1).flatten(start_dim=-2)",
                "torch.cat([moved_sine, moved_cosine], dim=-1)",
            ),
        ),
        "test_offset.py",
        "test_shift_equals_the_matrix_product",
    ),
    Mutation(
        "the frequencies of the exact table fall twice as fast",
        "encoding.py",
        (("* -2 / d_model", "* -4 / d_model"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the exact table starts at 0 whatever the start",
        "encoding.py",
        (("_write(out, start, base)", "_write(out, 0, base)"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the blocks of the exact table are one position too far apart",
        "encoding.py",
        (("_integers(blocks) * block", "_integers(blocks) * (block + 1)"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the blocks of the exact table turn the wrong way",
        "encoding.py",
        (("flatten(0, 1)[:block]", "flatten(0, 1)[:block].conj().resolve_conj()"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the exact table swaps sine and cosine",
        "encoding.py",
        (
            (
                "rows.copy_(wide if",
                "rows.copy_(wide.view(len(wide), -1, 2).flip(-1).flatten(1) if",
            ),
        ),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "the angles of the exact table are rounded to float32",
        "encoding.py",
        (("ticks.to(device, torch.float64)", "ticks.to(device, torch.float32).double()"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "blocks begin where the window begins",
        "encoding.py",
        (("skip = start % block", "skip = 0"),),
        "test_table.py",
        "test_a_few_rows_have_the_bits_that_they_have_among_others",
    ),
    Mutation(
        "threads share a multiplication, and round the ends of their shares in another way",
        "encoding.py",
        (('"cpu": 2**15', '"cpu": 100_003'),),
        "test_table.py",
        "test_a_table_has_the_same_bits_on_any_number_of_threads and 512",
    ),
    Mutation(
        "a narrow row alone is turned in another way than among others",
        "encoding.py",
        (("if d_model == 2 else", "if d_model == 0 else"),),
        "test_table.py",
        "test_a_few_rows_have_the_bits_that_they_have_among_others",
    ),
    Mutation(
        "what FakeTensorMode makes is kept",
        "encoding.py",
        (("out.new_empty(0).untyped_storage()", "out.untyped_storage()"),),
        "test_table.py",
        "test_what_is_kept_serves_whatever_mode_it_was_made_in",
    ),
    Mutation(
        "the only block of a window is always the first one",
        "encoding.py",
        (("_integers(1) + position, d_model", "_integers(1) + position % 64, d_model"),),
        "test_table.py",
        "test_every_value_is_the_true_one_rounded_once",
    ),
    Mutation(
        "16-bit entries are rounded twice",
        "encoding.py",
        (("wide if rows.dtype.itemsize > 2 else _round_to_odd(wide)", "wide"),),
        "test_table.py",
        "test_16_bits_are_the_nearest_ones_to_the_wide_value",
    ),
    Mutation(
        "what is cut off leaves no trace",
        "encoding.py",
        (("(bits | (bits & cut) + cut) & ~cut", "bits & ~cut"),),
        "test_table.py",
        "test_16_bits_are_the_nearest_ones_to_the_wide_value",
    ),
    Mutation(
        "other devices compute in float64 themselves, as if they had it",
        "encoding.py",
        (
            (
                'work = out.device if out.device.type in PAIRS_AT_A_TIME else torch.device("cpu")',
                'work = out.device if out.device.type != "mps" else torch.device("cpu")',
            ),
            ("PAIRS_AT_A_TIME[work.type]", "PAIRS_AT_A_TIME.get(work.type, 2**15)"),
        ),
        "test_table.py",
        "test_a_device_that_may_lack_float64_is_sent_rows_made_on_the_cpu",
    ),
    Mutation(
        "the rows of a decoding step are the first ones",
        "encoding.py",
        (("self.pe[start : start + length]", "self.pe[:length]"),),
        "test_encoding.py",
        "test_decoding_with_a_cache_adds_what_the_whole_sequence_gets",
    ),
    Mutation(
        "reset_parameters forgets the base",
        "encoding.py",
        (
            (
                "*self.pe.shape, base=self.base, dtype=self.pe.dtype",
                "*self.pe.shape, dtype=self.pe.dtype",
            ),
        ),
        "test_encoding.py",
        "test_skip_init_gives_the_whole_table",
    ),
    Mutation(
        "dtype is not passed on",
        "encoding.py",
        (("torch.get_default_dtype() if dtype is None else dtype", "torch.get_default_dtype()"),),
        "test_encoding.py",
        "test_device_and_dtype_are_those_asked_for",
    ),
    Mutation(
        "the module adds the row of the position before",
        "encoding.py",
        (
            (
                "rows = self.pe[start : start + length]",
                "rows = self.pe.roll(1, 0)[start : start + length]",
            ),
        ),
        "test_encoding.py",
        "test_it_adds_the_first_rows_to_every_sequence_of_the_batch",
    ),
    Mutation(
        "a module that is moved converts its table",
        "encoding.py",
        (("if self.pe is not before and", "if before is None and"),),
        "test_encoding.py",
        "test_the_table_is_exact_in_whatever_dtype_the_module_is_moved_to",
    ),
    Mutation(
        "the table is part of a checkpoint",
        "encoding.py",
        (("persistent=False", "persistent=True"),),
        "test_encoding.py",
        "test_the_table_is_no_part_of_a_checkpoint",
    ),
]


def unchanged(tests: str) -> Mutation:
    """No mistake, and every test that must see one."""
    return Mutation("", "", (), tests, seeing(MUTATIONS, tests))


def seeing(mutations: Iterable[Any], tests: str) -> str:
    """The tests of one file that must see a mistake, as an expression for ``-k``."""
    return " or ".join(dict.fromkeys(f"({m.test})" for m in mutations if m.tests == tests))


TESTS = dict.fromkeys(mutation.tests for mutation in MUTATIONS)
UNCHANGED = [unchanged(tests) for tests in TESTS]


def mutate(text: str, replacements: tuple[tuple[str, str], ...]) -> str:
    """Return ``text`` with all replacements made at once, so that two can swap."""
    for old, _ in replacements:
        assert text.count(old) == 1, f"occurs {text.count(old)} times, must occur once: {old!r}"
    for number, (old, _) in enumerate(replacements):
        text = text.replace(old, f"<{number}>")
    for number, (_, new) in enumerate(replacements):
        text = text.replace(f"<{number}>", new)
    return text


def make_copy(mutation: Mutation, folder: Path) -> None:
    """Make a mutated copy of pe_core in ``folder``, with the tests that must see it."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "pe_core", folder / "pe_core", ignore=skip)
    shutil.copy(ROOT / "tests" / mutation.tests, folder)
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    options = f"[pytest]\naddopts = -k '{mutation.test}'\n"
    (folder / "pytest.ini").write_text(options, encoding="utf-8")
    if mutation.file:
        target = folder / "pe_core" / mutation.file
        text = target.read_text(encoding="utf-8")
        target.write_text(mutate(text, mutation.replacements), encoding="utf-8")


def run_tests(folders: list[Path]) -> str:
    """Run the tests of all ``folders`` in one process; return what it printed."""
    run = subprocess.run(
        [sys.executable, "-c", RUNNER, *map(str, folders)],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return run.stdout


@dataclass(frozen=True)
class Outcome:
    """How the tests of one copy ended: pytest's exit code, and what each failure says."""

    code: int
    failures: list[str]
    output: str


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[Mutation, Outcome]:
    folders = {each: tmp_path_factory.mktemp("copy") for each in [*UNCHANGED, *MUTATIONS]}
    for mutation, folder in folders.items():
        make_copy(mutation, folder)
    return dict(zip(folders, run_all(list(folders.values())), strict=True))


def run_all(folders: list[Path]) -> list[Outcome]:
    """Run the tests of all ``folders``, in a process for each core."""
    processes = os.cpu_count() or 1
    shares = [share for first in range(processes) if (share := folders[first::processes])]
    with ThreadPoolExecutor(processes) as pool:
        output = "\n".join(pool.map(run_tests, shares))
    return [read_outcome(folder, output) for folder in folders]


def read_outcome(folder: Path, output: str) -> Outcome:
    code = folder / "exit_code"
    assert code.exists(), output
    report = folder / "report.xml"  # pytest writes none if the copy cannot be imported
    failures = ET.parse(report).iter("failure") if report.exists() else ()
    messages = [failure.get("message", "") for failure in failures]
    return Outcome(int(code.read_text(encoding="utf-8")), messages, output)


def check_passed(outcome: Outcome) -> None:
    assert outcome.code == pytest.ExitCode.OK, outcome.output
    assert outcome.failures == []


def check_seen(outcome: Outcome) -> None:
    """The tests failed, and by what they assert."""
    assert outcome.code == pytest.ExitCode.TESTS_FAILED, outcome.output
    assert len(outcome.failures) == 1, outcome.output  # the first one, and then it stops
    assert outcome.failures[0].startswith(("assert ", "AssertionError")), outcome.output


@pytest.mark.parametrize("mutation", UNCHANGED, ids=lambda each: each.tests)
def test_an_unchanged_copy_passes(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_passed(outcomes[mutation])


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: f"{each.file}: {each.name}")
def test_every_mistake_is_seen(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_seen(outcomes[mutation])


def test_a_mutation_that_no_longer_matches_is_an_error() -> None:
    with pytest.raises(AssertionError, match="occurs 0 times"):
        mutate("sin(x)", (("cos", "sin"),))
    with pytest.raises(AssertionError, match="occurs 2 times"):
        mutate("sin(x) sin(y)", (("sin", "cos"),))
    assert mutate("sin(x) cos(y)", (("sin", "cos"), ("cos", "sin"))) == "cos(x) sin(y)"
