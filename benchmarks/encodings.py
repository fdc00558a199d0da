"""Ask the libraries that people use for what their encodings compute, and keep their answers.

    python -m benchmarks.encodings

The answers go to ``tests/reference/encodings.json``, with the versions that gave them, and
``tests/test_encodings_reference.py`` holds ours against them. All are computed in float32 by the
libraries' own classes and functions, on inputs that anyone can make again (``example``).
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

FILE = Path(__file__).resolve().parent.parent / "tests" / "reference" / "encodings.json"
LIBRARIES = ("torch", "transformers", "x-transformers")

Case = dict[str, Any]

LENGTH = 24  # of the texts
STEP = 11  # between the positions whose turned queries are kept
FARTHEST = 1000  # offset whose bucket is asked for

# The settings as transformers has them: d_head, base, trained length, how much longer.
ROTARY: tuple[Case, ...] = (
    {"d": 8, "base": 10000.0, "max_length": 32, "factor": 2.0},
    {"d": 8, "base": 10.0, "max_length": 512, "factor": 4.0},  # every pair has gone round
    {"d": 16, "base": 10000.0, "max_length": 512, "factor": 4.0},
    {"d": 64, "base": 500000.0, "max_length": 8192, "factor": 8.0},
    {"d": 128, "base": 10000.0, "max_length": 4096, "factor": 16.0},
)
SCALINGS = {"default": None, "linear": "interpolation", "dynamic": "NTK-aware", "yarn": "YaRN"}
BUCKETS: tuple[Case, ...] = (
    {"buckets": 32, "max_distance": 128},  # T5's own
    {"buckets": 16, "max_distance": 64},
    {"buckets": 64, "max_distance": 256},
    {"buckets": 10, "max_distance": 100},
)
HEADS = (1, 2, 3, 6, 8, 12, 16, 20, 25, 40)
CLIPS = (1, 3, 16)


def example(*shape: int) -> Tensor:
    """Return numbers between -1 and 1 that look irregular, and are the same everywhere."""
    count = torch.arange(torch.Size(shape).numel())
    return ((count * count % 101 + 7 * count % 13).float() / 56 - 1).view(shape)


def runs(values: Tensor) -> list[tuple[int, int]]:
    """Return each value that differs from the one before it, with the place where it begins."""
    values = values.flatten()
    begins = [0, *(values.diff().nonzero().flatten() + 1).tolist()]
    return [(begin, int(values[begin])) for begin in begins]


def rotary_of_transformers() -> Iterator[Case]:
    """Frequencies, factor and turned queries of Llama. A pair is column i with column i + d/2."""
    llama = importlib.import_module("transformers.models.llama.modeling_llama")
    for settings in ROTARY:
        d, length, factor = settings["d"], settings["max_length"], settings["factor"]
        for kind, scaling in SCALINGS.items():
            parameters: dict[str, Any] = {"rope_type": kind, "rope_theta": settings["base"]}
            if kind != "default":
                parameters["factor"] = 1.0 if kind == "dynamic" else factor
            if kind == "yarn":
                parameters["original_max_position_embeddings"] = length
            config = llama.LlamaConfig(
                hidden_size=d,
                num_attention_heads=1,
                head_dim=d,
                max_position_embeddings=length,
                rope_parameters=parameters,
            )
            rotary = llama.LlamaRotaryEmbedding(config)
            if kind == "dynamic":  # with factor 1 the base follows from the length of the text
                init = llama.ROPE_INIT_FUNCTIONS["dynamic"]
                rotary.inv_freq.copy_(init(config, seq_len=int(factor * length))[0])
            q = example(1, 1, LENGTH, d)
            cosine, sine = rotary(q, torch.arange(LENGTH)[None])
            turned, _ = llama.apply_rotary_pos_emb(q, q, cosine, sine)
            yield {
                "encoding": "RoPE",
                "library": "transformers",
                "halves": True,
                "settings": {**settings, "scaling": scaling},
                "frequencies": rotary.inv_freq.tolist(),
                "sharpening": rotary.attention_scaling,
                "turned": turned[0, 0, ::STEP].tolist(),
            }


def rotary_of_x_transformers() -> Iterator[Case]:
    """Turned queries. A pair is column 2i with column 2i + 1."""
    library = importlib.import_module("x_transformers.x_transformers")
    for settings in ROTARY[:2]:
        for scaling, name in (
            (None, None),
            ("interpolation", "interpolation_factor"),
            ("NTK-aware", "base_rescale_factor"),
        ):
            more = {} if name is None else {name: settings["factor"]}
            rotary = library.RotaryEmbedding(settings["d"], base=settings["base"], **more)
            angles, scale = rotary.forward_from_seq_len(LENGTH)
            turned = library.apply_rotary_pos_emb(
                example(1, 1, LENGTH, settings["d"]), angles, scale
            )
            yield {
                "encoding": "RoPE",
                "library": "x-transformers",
                "halves": False,
                "settings": {**settings, "scaling": scaling},
                "frequencies": (angles[0, 1, ::2]).tolist(),  # the angles of position 1
                "sharpening": 1.0,
                "turned": turned[0, 0, ::STEP].tolist(),
            }


def buckets() -> Iterator[Case]:
    """T5's buckets of all offsets up to FARTHEST, and the bias of a small table."""
    t5 = importlib.import_module("transformers.models.t5.modeling_t5")
    library = importlib.import_module("x_transformers.x_transformers")
    offset = torch.arange(-FARTHEST, FARTHEST + 1)
    for settings in BUCKETS:
        number, distance = settings["buckets"], settings["max_distance"]
        for causal in (False, True):
            table = example(number, 3)
            config = t5.T5Config(
                d_model=6,
                d_kv=2,
                num_heads=3,
                is_decoder=causal,
                relative_attention_num_buckets=number,
                relative_attention_max_distance=distance,
            )
            of_t5 = t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
            of_x = library.RelativePositionBias(1.0, causal, number, distance, heads=3)
            with torch.no_grad():
                of_t5.relative_attention_bias.weight.copy_(table)
                of_x.relative_attention_bias.weight.copy_(table)
            found = {
                "transformers": (
                    t5.T5Attention._relative_position_bucket(offset, not causal, number, distance),
                    of_t5.compute_bias(LENGTH, LENGTH)[0],
                ),
                "x-transformers": (
                    of_x._relative_position_bucket(offset, causal, number, distance),
                    of_x(LENGTH, LENGTH),
                ),
            }
            for name, (bucket, bias) in found.items():
                yield {
                    "encoding": "T5 bias",
                    "library": name,
                    "settings": {**settings, "causal": causal},
                    "buckets": runs(bucket),
                    "first row": bias[:, 0].tolist(),  # (3, LENGTH): what comes after
                    "last row": bias[:, -1].tolist(),  # and before
                }


def linear_biases() -> Iterator[Case]:
    """ALiBi's slopes, and the bias of the last of LENGTH positions."""
    bloom = importlib.import_module("transformers.models.bloom.modeling_bloom")
    mpt = importlib.import_module("transformers.models.mpt.modeling_mpt")
    library = importlib.import_module("x_transformers.x_transformers")
    for heads in HEADS:
        # Bloom adds slope * key position; the softmax does not see the difference.
        keys = bloom.build_alibi_tensor(torch.ones(1, LENGTH), heads, torch.float32)[:, 0]
        of_mpt = mpt.build_mpt_alibi_tensor(heads, LENGTH)[:, 0]
        of_x = library.AlibiPositionalBias(heads)(LENGTH, LENGTH)[:, -1]
        found = {
            "transformers, Bloom": (keys[:, 1], keys - keys[:, -1:]),
            "transformers, MPT": (-of_mpt[:, -2], of_mpt),  # the bias of the neighbour
            "x-transformers": (-of_x[:, -2], of_x),
        }
        for name, (slopes, last) in found.items():
            yield {
                "encoding": "ALiBi",
                "library": name,
                "settings": {"n_heads": heads},
                "slopes": slopes.tolist(),
                "last row": last[:: max(1, heads - 1)].tolist(),  # of the first and the last head
            }
    both = library.AlibiPositionalBias(8)(LENGTH, LENGTH)
    yield {
        "encoding": "ALiBi",
        "library": "x-transformers, both sides",
        "settings": {"n_heads": 8},
        "slopes": (-both[:, 0, 1]).tolist(),
        "last row": both[[0, 7], -1].tolist(),
        "first row": both[[0, 7], 0].tolist(),
    }


def relative_keys() -> Iterator[Case]:
    """Shaw's term of the scores, as Wav2Vec2-BERT has it. It has none for the values."""
    bert = importlib.import_module("transformers.models.wav2vec2_bert.modeling_wav2vec2_bert")
    d = 8
    for clip in CLIPS:
        module = SimpleNamespace(
            left_max_position_embeddings=clip,
            right_max_position_embeddings=clip,
            distance_embedding=torch.nn.Embedding(
                2 * clip + 1, d, _weight=example(2 * clip + 1, d)
            ),
            scaling=d**-0.5,
        )
        q = example(1, 1, LENGTH, d)
        _, scores = bert._apply_relative_key_position_encoding(module, q, q)
        yield {
            "encoding": "Shaw",
            "library": "transformers",
            "settings": {"clip": clip, "d": d},
            "scores": scores[0, 0].tolist(),
        }


def short(value: object) -> object:
    """Return the value with floats as short as float32 can be written without loss."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [short(each) for each in value]
    return value


def main() -> None:
    """Ask all libraries and write what they say."""
    torch.set_num_threads(1)
    with torch.no_grad():
        cases = [
            {name: short(value) for name, value in case.items()}
            for ask in (
                rotary_of_transformers,
                rotary_of_x_transformers,
                buckets,
                linear_biases,
                relative_keys,
            )
            for case in ask()
        ]
    versions = {name: version(name).partition("+")[0] for name in LIBRARIES}
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = f'{{"versions": {json.dumps(versions)},\n"cases": [\n{lines}\n]}}\n'
    FILE.write_text(text, encoding="utf-8")
    print(f"{len(cases)} cases in {FILE.name}, {len(text) / 1000:.0f} kB, from {versions}")


if __name__ == "__main__":
    main()
