"""One ES module from several: what a widget's front end is made of.

In the repository each file imports names from others, so that editors, linters and the type
checker follow them. A widget's module has no folder to import from: ``join`` puts the files one
after the other, each after those that it needs, and leaves the import lines out. Names must
therefore be unique among them, and the only form of import is ``import { a, b } from "./file.js";``
at the start of a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FROM_PYTHON = "from_python.js"  # the file that does not exist: its names are values of Python

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\./|\.\./)([^"]+)";\n', re.MULTILINE)
OTHER_IMPORT = re.compile(r"^(import\b.*|export\b.* from\b.*|.*\bimport\(.*)$", re.MULTILINE)
DECLARED = re.compile(
    r"^(export )?(?:default )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE
)
UNREADABLE = re.compile(r"^(?:export )?(?:var\b|(?:const|let) [\[{]|export \{).*$", re.MULTILINE)


@dataclass
class Joined:
    """The files met so far."""

    folder: Path
    constants: Mapping[str, object]
    texts: dict[str, str] = field(default_factory=dict)  # by name, each after those it needs
    exported: dict[str, set[str]] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)  # a name, and the file that declares it

    def declare(self, name: str, file: str) -> None:
        """Remember a name; raise ValueError where another file has declared it."""
        if name in self.declared:
            raise ValueError(f"{name} is declared in {self.declared[name]} and in {file}")
        self.declared[name] = file

    def add(self, file: str, path: tuple[str, ...]) -> None:
        """Add a file, below the folder, after the files that it imports from."""
        if file in path:
            raise ValueError(f"cyclic import: {' -> '.join([*path[path.index(file) :], file])}")
        if file in self.texts:
            return
        source = self.folder / file
        if not source.is_file():
            raise ValueError(
                f"{path[-1] if path else 'an explorer'} needs {file}, which is not there"
            )
        text = source.read_text(encoding="utf-8")
        for match in IMPORT.finditer(text):
            needed = ((source.parent / match[2] / match[3]).resolve()).relative_to(
                self.folder.resolve()
            )
            self.add(needed.as_posix(), (*path, file))
            for name in filter(None, (each.strip() for each in match[1].split(","))):
                if name not in self.exported[needed.as_posix()]:
                    raise ValueError(f"{file} imports {name}, which {needed} does not export")
        body = IMPORT.sub("", text)
        for form in (OTHER_IMPORT, UNREADABLE):
            if line := form.search(body):
                raise ValueError(f"{file} has a line that cannot be joined: {line[0].strip()}")
        self.exported[file] = set()
        for match in DECLARED.finditer(body):
            self.declare(match[2], file)
            if match[1]:
                self.exported[file].add(match[2])
        self.texts[file] = body


def join(folder: Path, entry: str, constants: Mapping[str, object]) -> str:
    """Return the file ``entry`` and all that it imports as one text, constants first."""
    joined = Joined(folder, constants)
    joined.texts[FROM_PYTHON] = "".join(
        f"const {name} = {json.dumps(value, ensure_ascii=False)};\n"
        for name, value in constants.items()
    )
    joined.exported[FROM_PYTHON] = set(constants)
    for name in constants:
        joined.declare(name, "Python")
    joined.add(entry, ())
    return "\n".join(joined.texts.values())
