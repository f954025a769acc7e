"""The package for cocotb: the examples of docs/cocotb.md, and every driver and sink in both simulators."""

import os
import re
import runpy
import subprocess
from pathlib import Path

import pytest

from tracewright.cocotb import run

PAGE = (Path(os.environ["TRACEWRIGHT_PAGES"]) / "cocotb.md").read_text()
BENCH = Path(__file__).with_name("cocotb_bench.py")


@pytest.fixture
def generate(command, tmp_path):
    """Writes a design with the command, and gives its folder."""

    def generated(*arguments):
        subprocess.run([command, "generate", *arguments, "-o", tmp_path / "out"], check=True)
        (folder,) = (tmp_path / "out").iterdir()
        return folder

    return generated


def test_the_page(tmp_path, monkeypatch, command, capfd):
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"```python (\S+)\n(.*?)```", PAGE, re.S):
        (tmp_path / name).write_text(text)
    for line in re.findall(r"^tracewright (generate .*)$", PAGE, re.M):
        subprocess.run([command, *line.split()], check=True)
    runpy.run_path("run.py")
    assert "1 test passed in verilator" in capfd.readouterr().out
    assert run("ring/traptor-m4", "test_ring.py") == 1


@pytest.mark.parametrize(
    ("arguments", "simulator", "top"),
    [
        ("traptor-m4 --set trace_port_width=4", "icarus", "traptor_m4_axis"),
        ("traptor-m4 --set trace_port_width=8 --ingress rvfi --nret 2 --sink atb", "icarus", None),
        ("talon-m --ingress tip", "icarus", None),
        ("talon-s --ingress tip --retirement block --sink pins", "icarus", None),
        ("traptor-m4 --set trace_port_width=8 --control axi-lite --ram-sink 4096", "icarus", None),
        ("talon-d --set trace_port_width=8", "icarus", None),
        ("mctraptor-small-n4", "icarus", None),
        ("traptor-s1 --set framing=packets --set context_bits=4 --set cause_bits=6", "icarus", None),
    ],
)
def test_ports(generate, arguments, simulator, top):
    folder = generate(*arguments.split())
    environment = {"RING": "1"} if "--ram-sink" in arguments else {}
    assert run(folder, BENCH, simulator=simulator, top=top, environment=environment) == 1


def test_a_wrong_bit_is_found(generate):
    folder = generate("traptor-m4")
    with pytest.raises(AssertionError, match="whole_trace failed"):
        run(folder, BENCH, environment={"WRONG": "1"})


def test_what_cannot_be_shown_is_said(generate):
    folder = generate("talon-m", "--ingress", "tip")
    with pytest.raises(AssertionError, match="whole_trace failed"):
        run(folder, BENCH, environment={"ALIGNMENT": "1"})
