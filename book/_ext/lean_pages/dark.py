"""The dark form of a still figure: a dark ground, light ink, and the colours of its tables.

A table's cells keep their colours and the numbers printed in them, because the text names those
colours and the live figures keep them too. All around them changes lightness but not hue: the
white ground turns into the page's, ink into light ink, a blue curve stays blue.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

GROUND = 0x12  # each channel of the dark page's background; tests/test_lean_pages.py compares
LIGHTEST = 1.05  # of black; the book's ink, a dark grey, is then as light as the page's text

Array = NDArray[Any]

# Björn Ottosson's OKLab: linear light to cones, and the cones' cube roots to lightness and hue.
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def write_dark_form(source: Path, target: Path) -> None:
    with Image.open(source) as image:
        dark = dark_form(image)
    target.parent.mkdir(parents=True, exist_ok=True)
    dark.quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)


def dark_form(image: Image.Image) -> Image.Image:
    """The image with all but its tables in the other lightness, as RGB."""
    if image.mode != "P":
        image = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    index = np.asarray(image)  # (height, width)
    colours = np.array(image.getpalette("RGB"), dtype=np.uint8).reshape(-1, 3)
    ground, ink = colours.min(axis=1) > 251, colours.max(axis=1) < 60
    kept = tables(~(ground | ink)[index], ground[index])
    recoloured = np.where(kept[..., None], colours[index], other_lightness(colours)[index])
    return Image.fromarray(recoloured)


def tables(cells: Array, ground: Array) -> Array:
    """Where tables are: from the pixels (height, width) that can be of a cell, and the white ones.

    Away with what is smaller than a cell: curves, their dots, the edges of letters. Then over the
    lines between cells and what is printed there, but not over the ground between two tables.
    """
    covered = opened(cells, 4)
    for axis, radius in ((1, 3), (0, 8)):
        covered = ~grown(~grown(covered, radius, axis), radius, axis)
    return covered & ~opened(ground, 2)


def opened(mask: Array, radius: int) -> Array:
    """The mask without what is narrower than 2 radius + 1 pixels."""
    for axis in (0, 1):
        mask = ~grown(~mask, radius, axis)
    for axis in (0, 1):
        mask = grown(mask, radius, axis)
    return mask


def grown(mask: Array, radius: int, axis: int) -> Array:
    """The mask, spread so many pixels to both sides."""
    padding = [(radius + 1, radius) if each == axis else (0, 0) for each in (0, 1)]
    counts = np.pad(mask, padding).cumsum(axis, dtype=np.int32)
    here = np.arange(mask.shape[axis])
    spread: Array = counts.take(here + 2 * radius + 1, axis) > counts.take(here, axis)
    return spread


def other_lightness(colours: Array) -> Array:
    """The colours (n, 3), 0 to 255, with white as dark as the page, black light, hues as before."""
    value = colours / 255
    light = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    lab = np.cbrt(light @ TO_CONES.T) @ TO_LAB.T
    darkest = np.cbrt((GROUND / 255 + 0.055) ** 2.4 / 1.055**2.4)
    lab[:, 0] = darkest + (LIGHTEST - darkest) * (1 - lab[:, 0]).clip(0) ** 0.7
    light = (lab @ np.linalg.inv(TO_LAB).T) ** 3 @ np.linalg.inv(TO_CONES).T
    light = light.clip(0, 1)
    value = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    shown: Array = np.round(255 * value).astype(np.uint8)
    return shown
