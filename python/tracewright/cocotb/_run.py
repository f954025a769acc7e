"""Compiles a folder of ``tracewright generate``, and runs tests of it."""

from __future__ import annotations

import json
import os
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from inspect import signature
from pathlib import Path

try:
    from cocotb_tools.runner import get_runner
except ImportError:  # cocotb before 2.0, which warns that this may change
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        from cocotb.runner import get_runner


from ._scoreboard import DESIGN

TIMESCALE = "1ns/1ps"


def run(
    folder: str | os.PathLike[str],
    tests: str | os.PathLike[str],
    *,
    simulator: str = "icarus",
    top: str | None = None,
    build: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Runs the cocotb tests of a Python file on a design, and gives their number.

    ``folder`` is what ``tracewright generate`` wrote. ``top`` is the module to test, by default the one that the
    manifest calls the top; a wrapper such as ``traptor_m4_axis`` may be named. ``simulator`` is ``icarus`` or
    ``verilator``. The simulation is compiled in ``build``, by default ``build-SIMULATOR`` in the folder. A
    :class:`Scoreboard` without an argument takes the design of the folder.

    :raises AssertionError: if a test fails, or there is none
    """
    folder, tests = Path(folder).resolve(), Path(tests).resolve()
    manifest = json.loads((folder / "manifest.json").read_text())
    top = top or manifest["top"]
    files = [folder / name for name in manifest["files"]]
    wrapper = folder / f"{top}.v"
    if wrapper.exists() and wrapper not in files:
        files.append(wrapper)
    place = Path(build).resolve() if build is not None else folder / f"build-{simulator}"
    place.mkdir(parents=True, exist_ok=True)
    # The modules have no delays and no `timescale, but the clock of a test has.
    options = place / "timescale.f"
    options.write_text(f"+timescale+{TIMESCALE}\n")
    arguments = ["--timescale", TIMESCALE]
    if simulator == "icarus":
        arguments = ["-g2001", "-f", str(options)]
    runner = get_runner(simulator)
    # Its name changed with cocotb 2.0.
    sources = "sources" if "sources" in signature(runner.build).parameters else "verilog_sources"
    runner.build(
        **{sources: files}, hdl_toplevel=top, build_dir=place, build_args=arguments, always=True
    )
    # Under pytest, cocotb 1.8 would name the results by the test at hand, and leave by SystemExit where one fails.
    of_pytest = os.environ.pop("PYTEST_CURRENT_TEST", None)
    # The simulator gets this path.
    sys.path.insert(0, str(tests.parent))
    try:
        results = runner.test(
            test_module=tests.stem,
            hdl_toplevel=top,
            build_dir=place,
            test_dir=place,
            extra_env={DESIGN: str(folder), **(environment or {})},
        )
    finally:
        sys.path.remove(str(tests.parent))
        if of_pytest is not None:
            os.environ["PYTEST_CURRENT_TEST"] = of_pytest
    cases = ElementTree.parse(results).getroot().findall(".//testcase")
    bad = [case for case in cases if any(case.find(end) is not None for end in ("failure", "error"))]
    if not cases:
        raise AssertionError(f"{top} in {simulator}: no test ran; the simulator's output says why")
    if bad:
        names = ", ".join(case.get("name", "") for case in bad)
        raise AssertionError(f"{top} in {simulator}: {names} failed")
    return len(cases)
