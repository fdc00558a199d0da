"""A small Transformer: the encoder of "Attention Is All You Need", read from top to bottom.

It differs from the paper in three points, all usual today. The norm stands before each part and
not after it, and once more before the answer. The embeddings begin with entries of size 1, which
the paper reaches by a factor √d_model. And the position enters wherever the encoding says: at the
input, at queries and keys, at the scores or at the values (`pe_lab.encodings.Encoding`).

Vectors are rows here, as in every batch of torch. A head's matrices W_Q and W_K are
(d_head, d_model) as in the chapters, where vectors are columns: query = W_Q x.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from pe_core.checks import check_tensor, describe
from pe_lab.attention import causal_mask, merge_heads, scores, split_heads
from pe_lab.checks import check_bool, check_count, check_seed
from pe_lab.encodings import Encoding


class Attention(nn.Module):
    """Attention with several heads, without biases (section 3.2 of the paper)."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        d_head = d_model // n_heads
        self.W_Q = nn.Parameter(torch.randn(n_heads, d_head, d_model) / math.sqrt(d_model))
        self.W_K = nn.Parameter(torch.randn(n_heads, d_head, d_model) / math.sqrt(d_model))
        self.W_V = nn.Parameter(torch.randn(n_heads, d_head, d_model) / math.sqrt(d_model))
        self.W_O = nn.Parameter(torch.randn(d_model, d_model) / math.sqrt(d_model))

    def weights(self, x: Tensor, encoding: Encoding, mask: Tensor | None) -> Tensor:
        """How much each row looks at each: (batch, length, d_model) -> (batch, heads, L, L)."""
        queries = encoding.turn(heads(x, self.W_Q))  # (batch, heads, length, d_head)
        keys = encoding.turn(heads(x, self.W_K))
        s = scores(queries, keys)  # (batch, heads, length, length)
        bias = encoding.scores(queries)
        if bias is not None:
            s = s + bias
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        return s.softmax(dim=-1)

    def forward(
        self, x: Tensor, encoding: Encoding, mask: Tensor | None, keep: list[Tensor] | None
    ) -> Tensor:
        weights = self.weights(x, encoding, mask)  # (batch, heads, length, length)
        if keep is not None:
            keep.append(weights)
        y = weights @ heads(x, self.W_V)  # (batch, heads, length, d_head)
        more = encoding.values(weights)
        if more is not None:
            y = y + more
        return merge_heads(y) @ self.W_O.T  # (batch, length, d_model)


class Layer(nn.Module):
    """Attention, then two linear maps with a ReLU between them, each added to what came in."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = Attention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )

    def forward(
        self, x: Tensor, encoding: Encoding, mask: Tensor | None, keep: list[Tensor] | None
    ) -> Tensor:
        x = x + self.attention(self.norm_1(x), encoding, mask, keep)
        y: Tensor = x + self.feed_forward(self.norm_2(x))
        return y  # (batch, length, d_model)


class Transformer(nn.Module):
    """Words in, at each position a score for every word out.

    Args:
        vocabulary: number of words V.
        encoding: says how the position enters; all layers share it.
        d_model: width of the rows; a multiple of ``n_heads``.
        n_heads: number of heads in each layer.
        n_layers: number of layers.
        d_ff: width between the two linear maps; 4 d_model, if not said.
        causal: whether a position sees only itself and what came before.
        seed: of the weights at the start. They do not depend on the encoding.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a size is not positive, or ``n_heads`` does not divide ``d_model``.
    """

    def __init__(
        self,
        vocabulary: int,
        *,
        encoding: Encoding,
        d_model: int = 64,
        n_heads: int = 4,
        n_layers: int = 1,
        d_ff: int | None = None,
        causal: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__()
        vocabulary = check_count(vocabulary, "vocabulary")
        d_model = check_count(d_model, "d_model")
        n_heads, n_layers = check_count(n_heads, "n_heads"), check_count(n_layers, "n_layers")
        d_ff = 4 * d_model if d_ff is None else check_count(d_ff, "d_ff")
        if d_model % n_heads:
            raise ValueError(f"n_heads must divide d_model, {d_model}; got {n_heads}")
        if not isinstance(encoding, Encoding):
            raise TypeError(
                f"encoding must be a pe_lab.encodings.Encoding, got {describe(encoding)}"
            )
        self.vocabulary, self.causal = vocabulary, check_bool(causal, "causal")
        self.encoding = encoding
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(check_seed(seed))
            self.embedding = nn.Embedding(vocabulary, d_model)
            self.layers = nn.ModuleList(Layer(d_model, n_heads, d_ff) for _ in range(n_layers))
            self.norm = nn.LayerNorm(d_model)
            self.answer = nn.Linear(d_model, vocabulary, bias=False)

    def forward(self, tokens: Tensor, *, keep: list[Tensor] | None = None) -> Tensor:
        """Return the scores of all words at each position.

        Args:
            tokens: words, integers from 0 to V - 1, shape (batch, length).
            keep: a list that receives each layer's attention weights, (batch, heads, L, L).

        Returns:
            Shape (batch, length, V).
        """
        check_tensor(tokens, "tokens", "batch", "length")
        if tokens.dtype != torch.int64:
            raise TypeError(f"tokens must hold torch.int64, got {tokens.dtype}")
        if tokens.numel() and not 0 <= tokens.min() <= tokens.max() < self.vocabulary:
            allowed, got = f"0 and {self.vocabulary - 1}", f"{tokens.min()} to {tokens.max()}"
            raise ValueError(f"tokens must lie between {allowed}, got {got}")
        x = self.encoding.add(self.embedding(tokens))  # (batch, length, d_model)
        mask = causal_mask(tokens.shape[1]).to(tokens.device) if self.causal else None
        for layer in self.layers:
            x = layer(x, self.encoding, mask, keep)
        logits: Tensor = self.answer(self.norm(x))  # (batch, length, V)
        return logits

    @torch.no_grad()
    def attention(self, tokens: Tensor) -> Tensor:
        """Return the attention weights of all layers: (layers, batch, heads, length, length)."""
        keep: list[Tensor] = []
        self(tokens, keep=keep)
        return torch.stack(keep)


def heads(x: Tensor, matrices: Tensor) -> Tensor:
    """Map every row by the matrix of each head.

    Args:
        x: shape (batch, length, d_model).
        matrices: shape (heads, d_head, d_model).

    Returns:
        Shape (batch, heads, length, d_head).
    """
    # The matrices one above the other are one matrix: a single product is faster than one a head.
    return split_heads(x @ matrices.flatten(0, 1).T, len(matrices))
