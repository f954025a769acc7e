"""The command inside the wheel."""

import json
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


BIMODAL = '''
import tracewright


class Bimodal(tracewright.Predictor):
    def __init__(self, entries=256):
        self.counters = self.table("counters", entries, bits=2, initial=1)

    def predict(self, branch):
        counter = self.counters[branch.program_counter // 2 % len(self.counters)]
        return counter >= 2, 0, (3, 1, 1, 3)[counter]

    def learn(self, branch, taken, target):
        if branch.kind == tracewright.Kind.DIRECT_CONDITIONAL:
            entry = branch.program_counter // 2 % len(self.counters)
            self.counters[entry] = min(3, self.counters[entry] + 1) if taken else max(0, self.counters[entry] - 1)


class Careless(Bimodal):
    def learn(self, branch, taken, target):
        self.counters["no number"] = 1
'''


def test_a_predictor_in_a_file_stands_beside_designs(command, arm, tmp_path):
    file = tmp_path / "bimodal.py"
    file.write_text(BIMODAL)
    beginning = tracewright.Trace.from_arrays(arm.machine, arm.events[:20_000], name="beginning")
    beginning.save(tmp_path / "run.pet.zst")

    def run(*arguments):
        return subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True, text=True)

    measured = run("measure", "--json", "--design", "traptor-m4,bimodal.py:Bimodal", "run.pet.zst")
    rows = json.loads(measured.stdout)
    space = {}
    exec(BIMODAL, space)  # noqa: S102
    own = tracewright.encode(space["Bimodal"], beginning)
    assert [row["design"] for row in rows] == ["traptor-m4", "Bimodal"]
    assert (rows[1]["bits"], rows[1]["papers_bits"]) == (own.bits, 512 + 64)
    smaller = run("compare", "--json", "--design", "bimodal.py:Bimodal", "--only", "Bimodal", "run.pet.zst")
    assert json.loads(smaller.stdout)[0]["basis"] == "model only"
    less = run("measure", "--json", "--design", "bimodal.py:Bimodal", "--set", "entries=16", "run.pet.zst")
    assert json.loads(less.stdout)[0]["papers_bits"] == 32 + 64
    (tmp_path / "searches").mkdir()
    search = 'preset = ["traptor-s1", "../bimodal.py:Bimodal"]\n[space]\nentries = [16, 64]\ngshare_entries = [64]\n'
    (tmp_path / "searches/space.toml").write_text(search)
    found = run("explore", "--json", "searches/space.toml", "run.pet.zst", "-o", "found")
    rows = {row["gates"]: row for row in json.loads(found.stdout)["configurations"] if row.get("basis") == "model only"}
    assert sorted(rows) == [427 + 3 * (2 * entries + 64) // 2 for entries in (16, 64, 256)]
    assert rows[427 + 3 * (512 + 64) // 2]["by_trace"][0]["bits"] == own.bits
    for name, expected in [
        ("bimodal.py:Careless", "TypeError: list indices must be integers or slices, not str (bimodal.py, line 21)"),
        ("bimodal.py:Nothing", "bimodal.py has no class Nothing"),
        ("none.py:Nothing", "there is no file none.py"),
    ]:
        failed = run("measure", "--design", name, "run.pet.zst")
        assert failed.returncode in (1, 2) and expected in " ".join(failed.stderr.split()), failed.stderr


def test_verilog_comes_out(command, tmp_path):
    subprocess.run([command, "generate", "traptor-s1", "-o", tmp_path], check=True, capture_output=True)
    assert "module traptor_s1" in (tmp_path / "traptor-s1/traptor_s1.v").read_text()
