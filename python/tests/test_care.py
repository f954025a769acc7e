"""The package is as careful as the command: outputs, forks, memory, numbers."""

import os
import stat
import subprocess
import sys

import numpy as np
import pytest

import tracewright
from tracewright import Predictor


@pytest.fixture(scope="module")
def small():
    return tracewright.synthetic(events=2000)


def test_a_link_stays_and_its_file_is_replaced(small, tmp_path):
    target, link = tmp_path / "target.pet", tmp_path / "link.pet"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    small.save(link)
    assert link.is_symlink() and stat.S_IMODE(target.stat().st_mode) == 0o640
    assert np.array_equal(tracewright.load(target).events, small.events)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link.pet", "target.pet"]


def test_a_stream_keeps_a_link_too(small, tmp_path):
    target, link = tmp_path / "target.bits", tmp_path / "link.bits"
    target.write_bytes(b"old")
    link.symlink_to(target)
    stream = tracewright.encode("traptor-m4", small)
    stream.save(link)
    assert link.is_symlink() and target.read_bytes() == bytes(memoryview(stream._native.file()))
    with pytest.raises(tracewright.Error, match="cannot write .*it is a folder"):
        stream.save(tmp_path)


def test_devices_and_pipes_are_written_and_stay(small, tmp_path):
    with pytest.raises(tracewright.TraceError, match="cannot write /dev/full: .*No space left"):
        small.save("/dev/full", format="pet")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    link = tmp_path / "null.pet"
    link.symlink_to("/dev/null")
    small.save(link)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode) and link.is_symlink()
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        small.save(pipe)
        assert reader.stdout.read().startswith(b"machine riscv")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(tracewright.TraceError, match="it is a folder"):
        (tmp_path / "folder.pet").mkdir()
        small.save(tmp_path / "folder.pet")


@pytest.mark.parametrize("ending", ["pet.zst", "pet", "txt", "csv", "jsonl"])
def test_endings_are_those_of_the_command(small, tmp_path, ending, command):
    trace, ours, theirs = (tmp_path / name for name in ("trace.pet", f"ours.{ending}", f"theirs.{ending}"))
    small.save(trace)
    small.save(ours)
    subprocess.run([command, "trace", "convert", trace, "-o", theirs], check=True)
    assert ours.read_bytes() == theirs.read_bytes()
    small.save(tmp_path / "any.name", format=ending)
    assert (tmp_path / "any.name").read_bytes() == ours.read_bytes()


def test_an_unknown_ending_is_refused(small, tmp_path):
    with pytest.raises(ValueError, match="expected a name that ends with .*found .*trace.bin"):
        small.save(tmp_path / "trace.bin")
    with pytest.raises(ValueError, match="expected format to be .*found zip"):
        small.save(tmp_path / "trace.pet", format="zip")
    assert list(tmp_path.iterdir()) == []


FORKED = """
import multiprocessing, sys, tracewright
traces = [tracewright.load(path) for path in sys.argv[1:]]

def figures(_):
    return repr(tracewright.measure(["traptor-m4", "nexs"], traces))

if __name__ == "__main__":
    before = figures(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(all(one == before for one in pool.map(figures, range(4))))
    print(figures(0) == before)
"""


def test_a_fork_measures_too(workloads):
    trace = str(workloads / "rv32imac-traps.pet.zst")
    run = subprocess.run([sys.executable, "-I", "-c", FORKED, trace, trace], capture_output=True, text=True, timeout=120)
    assert run.stdout.split() == ["True", "True"], run.stderr


LIMITED = """
import resource, sys, tracewright
what, path = sys.argv[1:]
calls = {"synthetic": lambda: tracewright.synthetic(events=int(2e8)),
         "load": lambda: tracewright.load(path).events}
if what == "system":
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    what = "synthetic"
else:
    tracewright.limit_memory(tracewright.used_memory() + (16 << 20))
try:
    calls[what]()
except MemoryError as error:
    print(error)
tracewright.limit_memory(None)
print(len(tracewright.synthetic(events=1000)))
"""


@pytest.mark.parametrize(
    "what, sentence",
    [("synthetic", "that limit_memory allows"), ("load", "that limit_memory allows"), ("system", "than the system gives")],
)
def test_too_much_memory_is_an_exception(what, sentence, tmp_path):
    path = tmp_path / "large.pet.zst"
    if what == "load":
        tracewright.synthetic(events=2_000_000).save(path, level=1)
    run = subprocess.run(
        [sys.executable, "-I", "-c", LIMITED, what, path], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0 and sentence in run.stdout, run.stderr + run.stdout
    assert run.stdout.splitlines()[-1] == "1000"


@pytest.mark.parametrize(
    "column, sentence",
    [
        ([1.5], "instructions: expected whole numbers, found 1.5"),
        ([float("nan")], "instructions: expected whole numbers, found nan"),
        ([float("inf")], "instructions: expected whole numbers, found inf"),
        ([-1.0], "instructions: expected numbers from 0 to"),
        (np.array([1.5], object), "instructions: expected whole numbers, found 1.5"),
        (["1"], "instructions: expected whole numbers, found a column of"),
        ([1j], "instructions: expected whole numbers, found a column of"),
    ],
)
def test_arrays_take_whole_numbers(column, sentence):
    with pytest.raises(ValueError, match=sentence):
        tracewright.Trace.from_arrays(("riscv", 1, 32), {"instructions": column})


def test_arrays_take_numbers_that_are_whole():
    columns = {"instructions": [2.0], "taken": [1], "program_counter": np.array([2**63 + 2], object)}
    events = tracewright.Trace.from_arrays(("riscv", 1, 64), columns).events
    assert events["instructions"][0] == 2 and events["taken"][0] and events["program_counter"][0] == 2**63 + 2
    with pytest.raises(ValueError, match="taken: expected numbers from 0 to 1, found 2"):
        tracewright.Trace.from_arrays(("riscv", 1, 64), {"taken": [2]})


class Empty(Predictor):
    def predict(self, branch):
        return True, 0, 1

    def learn(self, branch, taken, target):
        pass


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ((1.5, 2), "entries: expected a whole number, found 1.5"),
        ((-1, 2), "entries: expected at least 0, found -1"),
        ((4, 1.5), "bits: expected a whole number, found 1.5"),
        ((4, -2), "bits: expected a number from 1 to 64, found -2"),
        ((4, 2, 4), "initial: expected a number from 0 to 3, found 4"),
        ((4, 2, 0.5), "initial: expected a whole number, found 0.5"),
    ],
)
def test_tables_take_whole_numbers(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        Empty().table("table", *arguments)


def test_an_entry_is_a_whole_number():
    predictor = Empty()
    predictor.table("table", 4, 2)[1] = 1.5
    with pytest.raises(ValueError, match=r"table\[1\]: expected a whole number, found 1.5"):
        predictor.check()
