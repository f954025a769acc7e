"""The examples of docs/python.md and of the package's own documentation."""

import doctest
import importlib
import os
import pkgutil
import shutil
from pathlib import Path

import pytest

import tracewright

PAGES = Path(os.environ["TRACEWRIGHT_PAGES"])
OPTIONS = doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def folder(tmp_path, monkeypatch, workloads):
    """A folder with the files of the examples."""
    for ending in "pet.zst", "elf":
        shutil.copy(workloads / f"rv32imac-traps.{ending}", tmp_path)
    monkeypatch.chdir(tmp_path)


def test_the_page_prints_what_it_says(folder):
    page = (PAGES / "python.md").read_text().replace("```", "")
    test = doctest.DocTestParser().get_doctest(page, {}, "python.md", "python.md", 0)
    said = []
    results = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
    assert results.failed == 0, "".join(said)
    assert results.attempted > 30


def test_the_documentation_of_the_package_is_true():
    attempted = 0
    for module in pkgutil.iter_modules(tracewright.__path__, "tracewright."):
        if not module.name.endswith("_native"):
            results = doctest.testmod(importlib.import_module(module.name), extraglobs=vars(tracewright))
            assert results.failed == 0, module.name
            attempted += results.attempted
    assert attempted > 3


def test_everything_public_is_documented():
    for name in tracewright.__all__:
        value = getattr(tracewright, name)
        if callable(value):
            assert value.__doc__, name
        if isinstance(value, type):
            for member, part in vars(value).items():
                if callable(part) and not member.startswith("_"):
                    assert part.__doc__, f"{name}.{member}"
