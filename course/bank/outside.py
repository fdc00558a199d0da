"""The files of the bank before programs of others: ``python -m course.bank.outside [SCHEMAS]``.

The tests read all files back. Here an environment is made, from the package registry, for programs
that are not needed otherwise: one that reads QTI 2.1 into Moodle, one that turns it into QTI 3, one
that reads Moodle's choices. A player of QTI 3 in Chromium is then given every right answer, every
foreseen one and some others, and must say the points and the sentence.

No registry has the schemas of QTI. Who has them in a folder (imsqti_v2p1.xsd, imscp_v1p1.xsd, and
those that they name) gives it, and each item and the manifest are validated.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course.bank import build
from course.bank.items import ANY, Answer, Item, bank
from web.chromium import chromium

PROGRAMS = (
    "lxml==6.1.3",
    "onyx2moodle==0.1.0",
    "citolab-qti-convert==0.2.0",
    "moodle-xml-parser==0.3.1",
)
PLAYER = "@citolab/qti-components@7.27.4"
READ = '''
import json
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
kinds, upgraded = {}, {}
for path in items:
    item = parse_item(path)
    (declared,) = item.response_decls.values()
    assert declared.correct_values and item.feedback, path.name
    kind = declared.cardinality, declared.base_type
    kinds[kind] = kinds.get(kind, 0) + 1
    texts = {choice.identifier for each in item.interactions for choice in each.choices}
    assert not texts or {*declared.correct_values} <= texts, path.name
    upgraded[path.stem] = upgrade_item(path.read_text(encoding="utf-8"))
    tree = etree.fromstring(upgraded[path.stem].encode())
    assert etree.QName(tree).localname == "qti-assessment-item", path.name
print(f"onyx2moodle: {len(items)} items with right answers and sentences: {kinds}")
print(f"citolab-qti-convert: {len(items)} items as QTI 3")
(folder / "qti3.json").write_text(json.dumps(upgraded), encoding="utf-8")


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


# Loads an item and hands in one answer after another: what the player says to each.
PLAY = """async ([xml, answers]) => {
  document.body.innerHTML = "<qti-item><item-container></item-container></qti-item>";
  const container = document.querySelector("item-container");
  await customElements.whenDefined("item-container");
  container.itemXML = xml;
  let item;
  while (!item?.variables?.length) {
    await new Promise(requestAnimationFrame);
    item = container.shadowRoot?.querySelector("qti-assessment-item");
  }
  return answers.map((answer) => {
    item.updateResponseVariable("RESPONSE", answer);
    item.processResponse();
    const found = (name) => item.variables.find(({ identifier }) => identifier === name).value;
    return [Number(found("SCORE")), found("FEEDBACK")];
  });
}"""


def handed_in(item: Item) -> Iterator[tuple[Any, list[Any]]]:
    """Answers to an item, and the points and the name of the sentence that each must get."""
    if item.kind == "order":
        lines = [f"line-{number}" for number in range(1, len(item.answers) + 1)]
        yield lines, [1, "right"]
        for number, (order, _) in enumerate(item.wrong_orders, 1):
            yield [lines[line] for line in order], [0, f"wrong-{number}"]
        return
    right = next(answer for answer in item.answers if answer.right)
    for number, answer in enumerate(item.answers, 1):
        points = int(answer.right)
        if item.kind == "choice":
            yield f"choice-{number}", [points, f"choice-{number}"]
            continue
        given = "1234567.25" if answer.text == ANY else answer.text
        if answer.text == right.text and not answer.right:
            given = repr(near(item, right, answer))
        yield given, [points, f"answer-{number}"]


def near(item: Item, right: Answer, almost: Answer) -> float:
    """A number between two tolerances of the right answer, and within none of another answer."""
    away = (float(right.tolerance) + float(almost.tolerance)) / 2
    others = [each for each in item.answers if each.text not in (right.text, ANY)]
    for number in (float(right.text) + away, float(right.text) - away):
        if all(abs(number - float(each.text)) > float(each.tolerance) for each in others):
            return number
    raise AssertionError(f"{item.id}: whatever is near is another answer, too")


def play(folder: Path) -> None:
    """Give a player of QTI the answers to all items."""
    node = [sys.executable, "-m", "web.node", "install", "--silent", "--no-save"]
    subprocess.run([*node, "--prefix", str(folder), PLAYER], check=True)
    script = folder / "node_modules" / "@citolab" / "qti-components" / "cdn" / "index.global.js"
    upgraded = json.loads((folder / "qti3.json").read_text(encoding="utf-8"))
    count = 0
    with chromium() as browser:
        page = browser.new_page()
        page.set_content("<!doctype html><body></body>")
        page.add_script_tag(path=script)
        for item in bank():
            answers, expected = zip(*handed_in(item), strict=True)
            said = page.evaluate(PLAY, [upgraded[item.id], answers])
            assert said == list(expected), (item.id, answers, said, expected)
            count += len(answers)
    print(f"{PLAYER}: {count} answers, each with its points and its sentence")


def main(schemas: list[str]) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "bank")
        build(folder)
        given = [str(Path(each).resolve()) for each in schemas]
        needed = [word for program in PROGRAMS for word in ("--with", program)]
        command = [sys.executable, "-m", "uv", "run", "--quiet", "--no-project", "--isolated"]
        read = ["python", "-c", READ, str(folder), *given]
        subprocess.run([*command, *needed, *read], check=True)
        play(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
