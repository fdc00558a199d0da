"""Mistakes in the encodings, which our tests or the libraries must see."""

from __future__ import annotations

from planted import Mutation, Part

PART = Part(
    copied=(
        "pe_core",
        "pe_lab/encodings",
        "pe_lab/__init__.py",
        "pe_lab/candidates.py",
        "pe_lab/checks.py",
        "benchmarks/encodings.py",
        "benchmarks/requirements.txt",
        "tests/reference",
    ),
)

OURS, THEIRS = "test_encodings.py", "test_encodings_reference.py"


def mistake(name: str, file: str, old: str, new: str, tests: str) -> Mutation:
    """A text that occurs once, and what stands there instead; any test of the file may see it."""
    return Mutation(name, f"pe_lab/encodings/{file}", ((old, new),), tests, "not named")


MUTATIONS = [
    mistake(
        "RoPE turns the other way",
        "rope.py",
        "cosine * x - sine * y, sine * x + cosine * y",
        "cosine * x + sine * y, cosine * y - sine * x",
        THEIRS,
    ),
    mistake(
        "the halves are taken for pairs",
        "rope.py",
        "view(d // 2, 2)",
        "view(2, d // 2)",
        THEIRS,
    ),
    mistake(
        "YaRN does not sharpen",
        "rope.py",
        'if self.scaling == "YaRN" else 1.0',
        'if self.scaling == "yarn" else 1.0',
        THEIRS,
    ),
    mistake(
        "the base is raised by the factor alone",
        "angles.py",
        "factor ** (d / (d - 2))",
        "factor",
        THEIRS,
    ),
    mistake(
        "the ramp begins at 16 turns",
        "angles.py",
        "FAST, SLOW = 32.0, 1.0",
        "FAST, SLOW = 16.0, 1.0",
        THEIRS,
    ),
    mistake(
        "the ramp begins between two pairs",
        "angles.py",
        "math.floor(pair_with(FAST))",
        "pair_with(FAST)",
        THEIRS,
    ),
    mistake(
        "the ramp ends at the last pair",
        "angles.py",
        "pair_with(SLOW)), d - 1)",
        "pair_with(SLOW)), d // 2 - 1)",
        THEIRS,
    ),
    mistake(
        "the fast pairs are interpolated",
        "angles.py",
        "kept * omega + (1 - kept) * omega / factor",
        "(1 - kept) * omega + kept * omega / factor",
        OURS,
    ),
    mistake(
        "a pair that never goes round keeps its speed",
        "angles.py",
        "if pair_with(SLOW) < 0:",
        "if pair_with(SLOW) < -(d // 2):",
        OURS,
    ),
    mistake("an edge falls to the bucket before it", "t5.py", "+ 1e-9", "- 1e-9", THEIRS),
    mistake("before and after are exchanged", "t5.py", "offset > 0", "offset < 0", THEIRS),
    mistake("half a step becomes a whole one", "alibi.py", "(head - 0.5)", "head", THEIRS),
    mistake("what comes after costs nothing", "alibi.py", ".abs()", ".clamp(max=0).abs()", OURS),
    mistake(
        "a distance is rounded before it is multiplied",
        "alibi.py",
        "(-self.slopes[:, None] * far).to(q)",
        "-self.slopes[:, None].to(q) * far.to(q)",
        OURS,
    ),
    mistake(
        "the term is not divided by √d_head",
        "shaw.py",
        "self.keys_at.to(q).T / math.sqrt(self.d_head)",
        "self.keys_at.to(q).T",
        THEIRS,
    ),
    mistake(
        "offsets count from the key",
        "encoding.py",
        "position[None, :] - position[:, None]",
        "position[:, None] - position[None, :]",
        OURS,
    ),
    mistake("interpolation multiplies", "at_input.py", "/ self.factor", "* self.factor", OURS),
    mistake("the last rows are added", "at_input.py", "rows[:length]", "rows[-length:]", OURS),
]
