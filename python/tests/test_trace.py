"""Traces into arrays and back."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tracewright
from tracewright import EVENT, Kind, Machine

HEADER = "machine riscv alignment=1 address_bits=32 lengths data states\n"
TEXT = (
    HEADER
    + """\
0 exception 0x0 taken 0x1000
2 load 0x1002 0x80000001
3 direct-jump 0x1008 call length=4 taken 0x2000
2 indirect-jump 0x2004 return taken 0x100c
state context=0x7 privilege=1
1 store 0x100c 0x80000010
2 exception 0x1010 taken 0x3000
state context=0x7 privilege=3 cause=0x5
"""
)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.txt"
    path.write_text(TEXT)
    return tracewright.load(path)


def test_fields_are_those_of_the_text(small):
    assert small.name == "small" and small.machine == Machine("riscv", 1, 32)
    assert small.extensions == (True, True, False, True)
    events = small.events
    assert events["program_counter"].tolist() == [0, 0x1008, 0x2004, 0x1010]
    assert events["target"].tolist() == [0x1000, 0x2000, 0x100C, 0x3000]
    assert events["instructions"].tolist() == [0, 3, 2, 2] and small.instruction_count == 7
    kinds = [Kind.EXCEPTION, Kind.DIRECT_JUMP, Kind.INDIRECT_JUMP, Kind.EXCEPTION]
    assert events["kind"].tolist() == kinds
    assert events["call"].tolist() == [False, True, False, False]
    assert events["is_return"].tolist() == [False, False, True, False]
    assert events["length"].tolist() == [0, 4, 0, 0] and events["taken"].all()
    accesses = small.accesses
    assert accesses["address"].tolist() == [0x80000001, 0x80000010]
    assert accesses["event"].tolist() == [1, 3] and accesses["store"].tolist() == [False, True]
    states = small.states
    assert states["event"].tolist() == [3, 4] and states["privilege"].tolist() == [1, 3]
    assert states["has_cause"].tolist() == [False, True] and states["cause"][1] == 5
    assert states["context"].tolist() == [7, 7]


@pytest.mark.parametrize("ending", [".txt", ".pet", ".pet.zst"])
def test_what_is_saved_is_loaded(small, tmp_path, ending):
    path = tmp_path / ("again" + ending)
    small.save(path)
    again = tracewright.load(path)
    assert again.machine == small.machine and again.extensions == small.extensions
    for one, other in zip(again._whole(), small._whole()):
        assert np.array_equal(one, other)
    if ending == ".txt":
        assert path.read_text() == TEXT
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []


def test_blocks_are_the_whole(arm, riscv):
    for trace in arm, riscv:
        for records in 0, -1:
            with pytest.raises(ValueError, match="at least 1 record"):
                next(trace.blocks(records))
        blocks = list(trace.blocks(50_000))
        assert all(sum(map(len, block)) == 50_000 for block in blocks[:-1])
        for kind, whole in enumerate(trace._whole()):
            assert np.array_equal(np.concatenate([block[kind] for block in blocks]), whole)


def test_arrays_of_columns_are_a_trace(arm):
    events = arm.events[:1000].copy()
    assert not arm.events.flags.writeable
    trace = tracewright.Trace.from_arrays(arm.machine, events, name="beginning")
    columns = {name: events[name] for name in EVENT.names}
    of_columns = tracewright.Trace.from_arrays(tuple(arm.machine), columns)
    assert np.array_equal(trace.events, of_columns.events) and len(trace) == 1000
    stream = tracewright.encode("traptor-m4", trace)
    assert stream.events == 1000 and stream.instructions == trace.instruction_count
    path = trace.path
    assert path.exists() and "beginning" in repr(trace)
    del trace, stream
    assert not path.exists()


def test_instructions_of_four_bytes_need_no_program(arm):
    found = arm.instructions()
    assert len(found) == arm.instruction_count
    ends = np.cumsum(arm.events["instructions"]) - 1
    retired = arm.events["instructions"] > 0
    assert np.array_equal(found["program_counter"][ends[retired]], arm.events["program_counter"][retired])
    # Within a run the next instruction is four bytes on; between runs it is the target or four bytes on.
    steps = np.diff(found["program_counter"].astype(np.int64))
    assert (steps[found["event"][1:] == found["event"][:-1]] == 4).all()
    last = arm.events[found["event"][:-1]]
    between = found["event"][1:] != found["event"][:-1]
    jumps = between & last["taken"]
    assert np.array_equal(found["program_counter"][1:][jumps], last["target"][jumps])


def test_synthetic_traces_are_the_same_everywhere():
    one, other = tracewright.synthetic(2000, seed=3), tracewright.synthetic(2000, seed=3)
    assert np.array_equal(one.events, other.events) and len(one) == 2000
    with_data = tracewright.synthetic(2000, seed=3, data_accesses=30)
    assert len(with_data.accesses) > 1000 and np.array_equal(one.events, with_data.events)


def test_logs_become_traces(tmp_path, riscv, program, command):
    table = tmp_path / "table.csv"
    subprocess.run([command, "trace", "convert", riscv.path, "-o", table], check=True, capture_output=True)
    imported = tracewright.import_log(table)
    assert imported.name == "table" and np.array_equal(imported.events, riscv.events)
    # The program counters alone, up to the first interrupt: what instructions do says the program.
    ends = np.flatnonzero(riscv.events["kind"] == Kind.EXCEPTION)
    found = riscv.instructions(program)
    found = found[found["event"] < ends[1]]["program_counter"]
    log = tmp_path / "run.csv"
    log.write_text("pc\n" + "".join(f"{address:#x}\n" for address in found))
    imported = tracewright.import_log(log, program=program)
    # Where the last instruction led to, the log does not say.
    known = ends[1] - 1
    assert np.array_equal(imported.events["target"][:known], riscv.events["target"][:known])
    with pytest.raises(tracewright.TraceError, match="run.csv"):
        tracewright.import_log(log)
    empty = tmp_path / "empty.log"
    empty.write_text("")
    with pytest.raises(tracewright.TraceError, match="empty.log"):
        tracewright.import_log(empty)


WAVEFORM = """\
$timescale 1ns $end
$scope module core $end
$var wire 1 ! clock $end
$var wire 1 " valid $end
$var wire 32 # pc [31:0] $end
$var wire 32 $ insn [31:0] $end
$upscope $end
$enddefinitions $end
#0 0! 1" b1000 # b10011 $
#5 1!
#10 0! b1100 # b1101111 $
#15 1!
#20 0!
#25 1!
"""

SIGNALS = """\
scope = "core"
clock = "clock"
isa = "rv32"

[[lane]]
valid = "valid"
program_counter = "pc"
instruction = "insn"
"""


def test_waveforms_become_traces(tmp_path):
    waves, core = tmp_path / "waves of a core.vcd", tmp_path / "core.toml"
    waves.write_text(WAVEFORM)
    core.write_text(SIGNALS)
    imported = tracewright.import_log(waves, core=core)
    assert imported.events["program_counter"].tolist() == [0, 0xC, 0xC]
    assert imported.events["instructions"].tolist() == [0, 2, 1]
    with pytest.raises(tracewright.TraceError, match="waves of a core.vcd"):
        tracewright.import_log(waves)
    core.write_text(SIGNALS + "valdi = 1\n")
    with pytest.raises(tracewright.TraceError, match="core.toml, line 9"):
        tracewright.import_log(waves, core=core)
    with pytest.raises(tracewright.TraceError, match="none.toml"):
        tracewright.import_log(waves, core=tmp_path / "none.toml")


def test_bad_files_are_errors(tmp_path, arm):
    with pytest.raises(tracewright.TraceError, match="nothing.pet: cannot open"):
        tracewright.load(tmp_path / "nothing.pet")
    short = tmp_path / "short.pet.zst"
    short.write_bytes(arm.path.read_bytes()[:5000])
    with pytest.raises(tracewright.TraceError, match="short.pet.zst"):
        tracewright.load(short).events
    events = np.zeros(1, EVENT)
    events["kind"] = 9
    bad = tracewright.Trace.from_arrays(arm.machine, events)
    with pytest.raises(tracewright.TraceError, match="kind from 0 to 4"):
        bad.save(tmp_path / "bad.pet")
    assert not (tmp_path / "bad.pet").exists() and not (tmp_path / "bad.pet.partial").exists()
    with pytest.raises(tracewright.TraceError):
        tracewright.measure("traptor-m4", tracewright.Trace.from_arrays(arm.machine, {"target": [1]}))
    with pytest.raises(ValueError, match="no field is called address"):
        tracewright.Trace.from_arrays(arm.machine, {"address": [1]})
    for wrong, what in [
        ({"instructions": [3, -5]}, "instructions: expected numbers from 0 to 4294967295, found -5"),
        ({"kind": [300]}, "kind: expected numbers from 0 to 255, found 300"),
        (events.reshape(1, -1), "an array of one dimension, found one of 2"),
        (np.zeros(5), "an array with fields, found one of float64"),
    ]:
        with pytest.raises(ValueError, match=what):
            tracewright.Trace.from_arrays(arm.machine, wrong)
    with pytest.raises(ValueError, match="expected isa"):
        tracewright.synthetic(10, machine=("mips", 2, 32))


def test_other_threads_run_meanwhile(arm):
    calls = [
        lambda: tracewright.measure(["talon-g", "talon-xl"], arm),
        lambda: tracewright.encode("talon-g", arm),
        lambda: tracewright.load(arm.path).events,
    ]
    for call in calls:
        thread, turns = threading.Thread(target=call), 0
        thread.start()
        while thread.is_alive():
            turns += 1
            time.sleep(0.0005)
        assert turns > 3


INTERRUPTED = """
import signal, threading, os, sys, tracewright
trace = tracewright.synthetic(3_000_000)
trace.path
def interrupt():
    import time
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
for wait in (lambda: tracewright.measure(["talon-g"] * 40, trace), lambda: tracewright.encode("talon-g", trace)):
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        wait()
        # Encoding may be done before: the signal comes while the thread is awaited then.
        thread.join()
    except KeyboardInterrupt:
        print("interrupted")
    thread.join()
"""


def test_control_c_ends_a_long_call():
    run = subprocess.run([sys.executable, "-I", "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
    assert run.stdout.split() == ["interrupted"] * 2, run.stderr
    assert "panic" not in run.stderr
