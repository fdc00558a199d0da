"""The one thing that pyproject.toml cannot say: the book's questions go along with pe_lab."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

QUESTIONS = Path(__file__).parent / "book" / "questions"


class WithQuestions(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:
            folder = Path(self.build_lib, "pe_lab", "questions")
            shutil.copytree(QUESTIONS, folder, dirs_exist_ok=True)


setup(cmdclass={"build_py": WithQuestions})
