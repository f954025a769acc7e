"""What the tests share: traces of the repository's programs."""

import os
import sys
from pathlib import Path

import pytest

import tracewright

WORKLOADS = Path(os.environ["TRACEWRIGHT_WORKLOADS"])


@pytest.fixture(scope="session")
def workloads() -> Path:
    return WORKLOADS


@pytest.fixture(scope="session")
def arm(workloads: Path) -> tracewright.Trace:
    """A program of A32, whose instructions all have four bytes, without lengths of calls."""
    return tracewright.load(workloads / "arm-stringsearch.pet.zst")


@pytest.fixture(scope="session")
def riscv(workloads: Path) -> tracewright.Trace:
    """A bare-metal program of RV32 with interrupts and accesses, whose ELF file is there too."""
    return tracewright.load(workloads / "rv32imac-traps.pet.zst")


@pytest.fixture(scope="session")
def program(workloads: Path) -> tracewright.Program:
    return tracewright.Program(workloads / "rv32imac-traps.elf")


@pytest.fixture(scope="session")
def command() -> str:
    """The command that the wheel installs."""
    return str(Path(sys.executable).with_name("tracewright"))
