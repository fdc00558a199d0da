"""pe_core needs torch and the standard library, and nothing else."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In a process of its own: whatever is neither Python's nor torch's, nor required by torch, is not
# there to import. numpy is refused by name, for torch looks for it though it does not ask for it.
ALONE = """
import importlib.metadata as metadata
import re
import sys
from importlib.abc import MetaPathFinder


def required(name, found):
    if name not in found:
        found.add(name)
        try:
            lines = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            return found  # for another system, or another Python
        for line in lines:
            if "extra ==" not in line:
                required(re.match(r"[\\w.-]+", line)[0].lower().replace("_", "-"), found)
    return found


allowed = required("torch", set())
assert "numpy" not in allowed and len(allowed) > 3, allowed
modules = {"pe_core", *sys.stdlib_module_names}
for module, owners in metadata.packages_distributions().items():
    if {owner.lower().replace("_", "-") for owner in owners} & allowed:
        modules.add(module)


class Refuse(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in modules:
            raise ModuleNotFoundError(f"{name} is not there", name=name)


for name in list(sys.modules):
    if name.partition(".")[0] not in modules | {"__main__"}:
        del sys.modules[name]  # what an installation loads at its start
sys.meta_path.insert(0, Refuse())

import pe_core
import torch

table = pe_core.sinusoidal_table(10, 6)
assert torch.allclose(table, pe_core.stepwise(10, 6), atol=1e-6)
assert torch.allclose(pe_core.offset_matrix(3, 6).float() @ table[2], table[5], atol=1e-6)
assert torch.equal(pe_core.PositionalEncoding(6, 10)(torch.zeros(1, 10, 6))[0], table)
assert "numpy" not in sys.modules and "pe_lab" not in sys.modules
print("made alone")
"""


def test_pe_core_works_where_only_torch_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ALONE],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.stdout == "made alone\n", done.stderr


def test_the_package_asks_for_torch_alone_and_the_lab_for_what_it_draws_and_trains_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [each.partition(">")[0] for each in project["dependencies"]] == ["torch"]
    lab = [each.partition(">")[0] for each in project["optional-dependencies"]["lab"]]
    drawing = ["matplotlib", "anywidget", "numpy", "pillow"]
    assert lab == [*drawing, "pyyaml", "safetensors", "tqdm", "traitlets"]
