"""The command inside the wheel."""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import tracewright


def test_the_environment_is_empty():
    assert shutil.which("cargo") is None and shutil.which("rustc") is None
    assert Path(tracewright.__file__).is_relative_to(sys.prefix)
    assert (Path(tracewright.__file__).parent / "py.typed").exists()


def test_the_command_runs(command, arm, tmp_path):
    def run(*arguments):
        return subprocess.run([command, *arguments], capture_output=True, text=True)

    shown = run("--version")
    assert (shown.returncode, shown.stdout) == (0, f"tracewright {version('tracewright')}\n")
    assert "Usage: tracewright encode" in run("encode", "--help").stdout
    encoded = run("encode", "traptor-m4", arm.path, "-o", tmp_path / "run.bits")
    assert encoded.returncode == 0 and "343,293 bits" in encoded.stdout
    failed = run("encode", "traptor-m5", arm.path, "-o", tmp_path / "run.bits")
    assert failed.returncode == 2 and "error: no design is called `traptor-m5`" in failed.stderr
    assert run("nonsense").returncode == 2
    limited = run("--memory", "1MB", "measure", "--design", "talon-g", arm.path)
    assert limited.returncode == 1 and "--memory" in limited.stderr


def test_verilog_comes_out(command, tmp_path):
    subprocess.run([command, "generate", "traptor-s1", "-o", tmp_path], check=True, capture_output=True)
    assert "module traptor_s1" in (tmp_path / "traptor-s1/traptor_s1.v").read_text()
