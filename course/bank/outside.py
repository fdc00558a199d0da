"""The files of the bank before programs of others: ``python -m course.bank.outside [SCHEMAS]``.

The tests read all files back. Here an environment is made, from the package registry, for programs
that are not needed otherwise: one that reads QTI 2.1 into Moodle, one that turns it into QTI 3, one
that reads Moodle's choices. No registry has the schemas of QTI; who has them in a folder (the file
imsqti_v2p1.xsd, imscp_v1p1.xsd, and those that they name) gives it, and each item and the manifest
are validated.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from course.bank import build

PROGRAMS = (
    "lxml==6.1.3",
    "onyx2moodle==0.1.0",
    "citolab-qti-convert==0.2.0",
    "moodle-xml-parser==0.3.1",
)
READ = '''
import sys
import zipfile
from pathlib import Path

from lxml import etree
from moodle_xml_parser.parser import parse_file
from onyx2moodle.parser import parse_item
from qti_convert import upgrade_item

folder, schemas = Path(sys.argv[1]), sys.argv[2:]
choices = {each.name: each for each in parse_file(str(folder / "moodle.xml"))["multichoice"]}
right = {
    name: {option.answer for option in each.options if option.score_fraction == 100}
    for name, each in choices.items()
}
assert all(len(each) == 1 for each in right.values())
print(f"moodle-xml-parser: {len(choices)} choices, one right answer each")

with zipfile.ZipFile(folder / "qti.zip") as file:
    file.extractall(folder / "qti")
items = sorted((folder / "qti" / "items").glob("*.xml"))
kinds = {}
for path in items:
    item = parse_item(path)
    (declared,) = item.response_decls.values()
    assert declared.correct_values and item.feedback, path.name
    kind = declared.cardinality, declared.base_type
    kinds[kind] = kinds.get(kind, 0) + 1
    texts = {choice.identifier for each in item.interactions for choice in each.choices}
    assert not texts or {*declared.correct_values} <= texts, path.name
    tree = etree.fromstring(upgrade_item(path.read_text(encoding="utf-8")).encode())
    assert etree.QName(tree).localname == "qti-assessment-item", path.name
print(f"onyx2moodle: {len(items)} items with right answers and sentences: {kinds}")
print(f"citolab-qti-convert: {len(items)} items as QTI 3")


def schema(name):
    """A schema of the folder, and those that it names by an address, wherever they are in it."""

    class Resolver(etree.Resolver):
        def resolve(self, url, public, context):
            if not url.startswith("http"):
                return None
            found = sorted(Path(schemas[0]).rglob(url.rsplit("/", 1)[-1]))
            return self.resolve_filename(str(found[0]), context) if found else None

    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(Resolver())
    path = sorted(Path(schemas[0]).rglob(name))[0]
    return etree.XMLSchema(etree.parse(str(path), parser))


if schemas:
    item, manifest = schema("imsqti_v2p1.xsd"), schema("imscp_v1p1.xsd")
    for path in items:
        item.assertValid(etree.parse(str(path)))
    broken = etree.parse(str(items[0]))
    broken.getroot().remove(broken.getroot()[0])
    broken.getroot().set("adaptive", "perhaps")
    assert not item.validate(broken), "a schema that accepts anything says nothing"
    manifest.assertValid(etree.parse(str(folder / "qti" / "imsmanifest.xml")))
    print(f"schemas of QTI 2.1: {len(items)} items and the manifest are valid")
'''


def main(schemas: list[str]) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "bank")
        build(folder)
        given = [str(Path(each).resolve()) for each in schemas]
        needed = [word for program in PROGRAMS for word in ("--with", program)]
        command = [sys.executable, "-m", "uv", "run", "--quiet", "--no-project", "--isolated"]
        read = ["python", "-c", READ, str(folder), *given]
        return subprocess.run([*command, *needed, *read], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
