"""Time the table, and how wrong it is, beside what people use today.

    python -m benchmarks.table [--rounds 9] [--threads 1 2] [--sizes 512x512] [--busy]

Every candidate makes the same table of float32 numbers in memory that it allocates; ours, which
can (``out=``), also in memory that has been touched before, because handing out fresh memory takes
longer than filling it. Each time stands beside a fill of the same kind of memory with a constant.
Candidates take turns, round after round, and each is given its fastest round, because whatever
else the machine does can only add to a time. On a machine that does much else, ``--busy`` counts
the processor time of one thread. Errors are measured against the candidate's own
definition in float64: some libraries put all sines before all cosines, and some divide by d/2 - 1
where the paper has d/2.
"""

import argparse
import importlib
import math
import os
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import count
from pathlib import Path

import torch
from torch import Tensor
from torch.utils.benchmark import Timer, timer

from pe_core import denominator, encoding, even_pe, interleave, odd_pe, sinusoidal_table, stepwise

SIZES = ("512x512", "3000x768", "5000x512", "131072x512", "32768x4096")
ROW = (1_000_000, 512)  # position and width of the decoding step
Clock = Callable[[], float]  # seconds
OURS = "pe_core.sinusoidal_table"
FIRST = "the same, first call for a width"
TOUCHED = "the same, into touched memory (out=)"
FILL = "filling fresh memory"
FILL_TOUCHED = "filling touched memory"
LIBRARIES = ("torch", "positional-encodings", "transformers", "diffusers", "x-transformers")


@dataclass(frozen=True)
class Candidate:
    """One way to make the table, and to make the single row that a decoding step adds."""

    name: str
    table: Callable[[int, int], Tensor]  # length, d_model -> (length, d_model)
    row: Callable[[int, int], Tensor] | None = None  # position, d_model -> (1, d_model)
    halves: bool = False  # all sines, then all cosines
    shifted: bool = False  # frequencies 10000^(-i / (d/2 - 1)) instead of 10000^(-i / (d/2))


def candidates() -> list[Candidate]:
    """Return ours, the two ways of the tutorials, and the libraries."""
    pegasus = importlib.import_module("transformers.models.pegasus_x.modeling_pegasus_x")
    m2m = importlib.import_module("transformers.models.m2m_100.modeling_m2m_100")
    diffusers = importlib.import_module("diffusers.models.embeddings")
    summer = importlib.import_module("positional_encodings.torch_encodings")
    x_transformers = importlib.import_module("x_transformers.x_transformers")

    def exp_log(position: Tensor, d_model: int) -> Tensor:
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(len(position), d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        return pe

    def pegasus_x(length: int, d_model: int, start: int = 0) -> Tensor:
        module = pegasus.PegasusXSinusoidalPositionalEmbedding(d_model)
        table: Tensor = module(torch.empty(1, length, d_model), start)[0]
        return table

    def positional_encodings(length: int, d_model: int) -> Tensor:
        module = summer.PositionalEncoding1D(d_model)
        table: Tensor = module(torch.empty(1, length, d_model))[0]
        return table

    def scaled_sinusoidal(length: int, d_model: int, start: int = 0) -> Tensor:
        module = x_transformers.ScaledSinusoidalEmbedding(d_model)
        with torch.no_grad():
            module.scale.fill_(1.0)
            table: Tensor = module(torch.empty(1, length, d_model), offset=start)
        return table

    def timesteps(position: Tensor, d_model: int) -> Tensor:
        table: Tensor = diffusers.get_timestep_embedding(position, d_model, downscale_freq_shift=0)
        return table

    def sincos(position: Tensor, d_model: int) -> Tensor:
        table: Tensor = diffusers.get_1d_sincos_pos_embed_from_grid(d_model, position)
        return table.float()

    def one_step(p: int, d_model: int) -> Tensor:
        position, divisor = torch.tensor([[float(p)]]), denominator(d_model)
        return interleave(even_pe(position, divisor), odd_pe(position, divisor))

    def first_call(make: Callable[[], Tensor]) -> Tensor:
        encoding._ticks_per_digit.cache_clear()
        for kept in (
            encoding._turns,
            encoding._kept_starts,
            encoding._kept_start,
            encoding._kept_begin,
        ):
            kept.cache_clear()
        return make()

    return [
        Candidate(
            OURS,
            sinusoidal_table,
            lambda p, d: sinusoidal_table(1, d, start=p),
        ),
        Candidate(
            FIRST,
            lambda n, d: first_call(lambda: sinusoidal_table(n, d)),
            lambda p, d: first_call(lambda: sinusoidal_table(1, d, start=p)),
        ),
        Candidate(TOUCHED, lambda n, d: sinusoidal_table(n, d, out=touched(n, d))),
        Candidate("stepwise", stepwise, one_step),
        Candidate(
            "exp-log, slices",
            lambda n, d: exp_log(torch.arange(n)[:, None], d),
            lambda p, d: exp_log(torch.tensor([[p]]), d),
        ),
        Candidate("positional-encodings, 1D", positional_encodings),
        Candidate(
            "transformers, Pegasus-X",
            pegasus_x,
            lambda p, d: pegasus_x(1, d, p),
            halves=True,
            shifted=True,
        ),
        Candidate(
            "transformers, M2M-100",
            m2m.M2M100SinusoidalPositionalEmbedding.get_embedding,
            halves=True,
            shifted=True,
        ),
        Candidate(
            "diffusers, timesteps",
            lambda n, d: timesteps(torch.arange(n), d),
            lambda p, d: timesteps(torch.tensor([p]), d),
            halves=True,
        ),
        Candidate(
            "diffusers, 1D grid in float64",
            lambda n, d: sincos(torch.arange(n), d),
            lambda p, d: sincos(torch.tensor([p]), d),
            halves=True,
        ),
        Candidate(
            "x-transformers",
            scaled_sinusoidal,
            lambda p, d: scaled_sinusoidal(1, d, p),
            halves=True,
        ),
    ]


def largest_error(table: Tensor, candidate: Candidate, start: int = 0) -> float:
    """Return the largest error of a table against its own definition, evaluated in float64."""
    length, d_model = table.shape
    pairs = d_model // 2
    exponent = torch.arange(pairs, dtype=torch.float64) / (pairs - candidate.shifted)  # (d/2,)
    worst = 0.0
    for first in range(0, length, 2048):
        rows = table[first : first + 2048].cpu().double()  # (n, d)
        if candidate.halves:
            rows = torch.stack([rows[:, :pairs], rows[:, pairs:]], dim=-1).flatten(1)
        position = start + first + torch.arange(len(rows), dtype=torch.float64)  # (n,)
        angle = position[:, None] / 10000.0**exponent  # (n, d/2)
        true = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (n, d)
        worst = max(worst, (rows - true).abs().max().item())
    return worst


def fastest_in_turns(
    makers: Mapping[str, Callable[[], Tensor]], rounds: int, threads: int, clock: Clock
) -> dict[str, float]:
    """Return the seconds that each takes in its fastest round; all are measured in each round."""
    timers = {
        name: Timer("make()", timer=clock, globals={"make": make}, num_threads=threads)
        for name, make in makers.items()
    }
    # A measurement lasts 10 ms at the least; the first calls, with all that they load, are lost.
    calls = {
        name: max(1, round(0.01 / min(each.timeit(1).mean for _ in range(3))))
        for name, each in timers.items()
    }
    seconds = dict.fromkeys(makers, math.inf)
    for _ in range(rounds):
        for name, each in timers.items():
            seconds[name] = min(seconds[name], each.timeit(calls[name]).mean)
    return seconds


@lru_cache(maxsize=1)
def touched(length: int, d_model: int) -> Tensor:
    """Return memory that has been written to before, the same at each call."""
    return torch.zeros(length, d_model)


def report(title: str, seconds: dict[str, float], errors: dict[str, float], yardstick: str) -> None:
    """Print one size as a Markdown table, and the names of those who are faster than ours."""
    scale, unit = (1e3, "ms") if seconds[OURS] > 2e-3 else (1e6, "µs")
    print(f"\n{title}\n\n| how | {unit} | ratio | largest error |\n|---|--:|--:|--:|")
    for name, took in seconds.items():
        error = f"{errors[name]:.1e}" if name in errors else "–"
        against = seconds[FILL_TOUCHED if name in (TOUCHED, FILL_TOUCHED) else yardstick]
        print(f"| {name} | {took * scale:.3g} | {took / against:.2f} | {error} |")
    others = [name for name in errors if name not in (FIRST, TOUCHED)]
    faster = [name for name in others if seconds[name] < seconds[OURS]]
    print(f"\nFaster than ours here: {', '.join(faster) or 'none'}.", flush=True)


def compare_tables(
    length: int, d_model: int, device: str, rounds: int, threads: int, clock: Clock
) -> None:
    """Time and check every way to make a whole table."""
    ways = candidates()
    on = torch.device(device)

    def placed(candidate: Candidate) -> Tensor:
        if device == "cpu":
            return candidate.table(length, d_model)
        with on:  # the libraries have no argument for it
            return candidate.table(length, d_model)

    errors = {each.name: largest_error(placed(each), each) for each in ways}
    with on:
        touched.cache_clear()  # of another size, or on another device
        placed_memory = touched(length, d_model)
    makers: dict[str, Callable[[], Tensor]] = {
        FILL: partial(torch.full, (length, d_model), 0.5, device=on)
    }
    makers[FILL_TOUCHED] = lambda: placed_memory.fill_(0.5)
    makers |= {each.name: partial(placed, each) for each in ways}
    title = f"{length:,} x {d_model:,}, float32, {device}, threads: {threads}"
    report(title, fastest_in_turns(makers, rounds, threads, clock), errors, FILL)


def compare_rows(rounds: int, threads: int, clock: Clock) -> None:
    """Time and check the one new row of a decoding step, where a way has one."""
    position, d_model = ROW
    ways = {each.name: (each, each.row) for each in candidates() if each.row}

    def next_row(row: Callable[[int, int], Tensor]) -> Callable[[], Tensor]:
        positions = count(position)  # ours keeps something for rows that are near
        return lambda: row(next(positions), d_model)

    makers = {name: next_row(row) for name, (_, row) in ways.items()}
    errors = {
        name: largest_error(row(position, d_model), each, position)
        for name, (each, row) in ways.items()
    }
    title = f"the next row, from position {position:,} on, d_model = {d_model}, threads: {threads}"
    report(title, fastest_in_turns(makers, rounds, threads, clock), errors, OURS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, nargs="+", default=sorted({1, cores or 1}))
    parser.add_argument("--sizes", nargs="+", default=SIZES, help="such as 512x512")
    parser.add_argument("--busy", action="store_true", help="processor time, one thread, no GPU")
    arguments = parser.parse_args()
    clock = time.thread_time if arguments.busy else timer  # torch's waits for the GPU
    sizes = [tuple(map(int, size.split("x"))) for size in arguments.sizes]
    print(f"{processor()}, {cores} cores; Python {platform.python_version()}; ", end="")
    print(", ".join(f"{name} {version(name)}" for name in LIBRARIES))
    print("\nTimes are those of the fastest round. The ratio of a table is to filling memory of")
    print("the same kind, that of a row to ours. Errors are against the library's own definition.")
    for threads in [1] if arguments.busy else arguments.threads:
        for length, d_model in sizes:
            compare_tables(length, d_model, "cpu", arguments.rounds, threads, clock)
        compare_rows(arguments.rounds, threads, clock)
    if torch.cuda.is_available() and not arguments.busy:
        print(f"\n{torch.cuda.get_device_name()}")
        for length, d_model in sizes:
            threads = max(arguments.threads)
            compare_tables(length, d_model, "cuda", arguments.rounds, threads, clock)


def processor() -> str:
    """Return the processor's name, as the system gives it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
