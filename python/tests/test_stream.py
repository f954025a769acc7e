"""Traces to bits and back."""

import subprocess

import numpy as np
import pytest

import tracewright

DESIGNS = ["traptor-m4", "talon-m", "stream-rbase-128", "ntuple-32x4", "nexs"]


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_encoded_is_decoded(design, arm):
    stream = tracewright.encode(design, arm)
    assert stream.events == len(arm) and stream.instructions == arm.instruction_count
    decoded = tracewright.decode(stream, arm)
    assert np.array_equal(decoded.events, arm.events) and decoded.machine == arm.machine
    assert sum(stream.fields.values()) == stream.bits == stream.event_bits.sum()
    ends = stream.records["first_bit"] + stream.records["bits"]
    assert (stream.records["first_bit"][1:] >= ends[:-1]).all() and ends.max() <= stream.bits + stream.padding_bits
    measured = tracewright.measure(design, arm)
    assert measured["bits"].tolist() == [stream.bits] == [len(stream)]
    assert measured["fields"][0] == stream.fields


def test_pieces_are_the_bits(arm):
    trace = tracewright.Trace.from_arrays(arm.machine, arm.events[:3000])
    stream = tracewright.encode("traptor-m4", trace, pieces=True)
    bits = np.concatenate(
        [np.array([piece["value"] >> bit & 1 for bit in range(piece["bits"])]) for piece in stream.pieces]
    )
    assert np.array_equal(stream.bit_array[: len(bits)], bits) and not stream.bit_array[len(bits) :].any()
    by_field = np.bincount(stream.pieces["field"], stream.pieces["bits"])
    assert dict(zip(stream.fields, by_field)) == stream.fields
    by_record = np.bincount(stream.pieces["record"], stream.pieces["bits"])
    assert np.array_equal(by_record, stream.records["bits"])


def test_packets_and_states_come_back(riscv):
    events = riscv.events[:20_000]
    states = {"event": [1000, 2000], "context": [5, 6], "privilege": [3, 0]}
    trace = tracewright.Trace.from_arrays(riscv.machine, events, states=states)
    design = tracewright.Design("traptor-m4", framing="packets", context_bits=4, privilege_bits=2)
    decoded = tracewright.decode(tracewright.encode(design, trace), trace)
    assert np.array_equal(decoded.events, trace.events)
    assert {5, 6} <= set(decoded.states["context"].tolist())


def test_data_addresses_come_back(riscv):
    stream = tracewright.encode("stride-128", riscv)
    decoded = tracewright.decode(stream, riscv)
    assert np.array_equal(decoded.accesses, riscv.accesses)
    with pytest.raises(tracewright.DesignError, match="accesses"):
        tracewright.encode("stride-128", tracewright.synthetic(100))


def test_files_are_those_of_the_command(arm, tmp_path, command):
    stream = tracewright.encode("talon-m", arm)
    ours, theirs = tmp_path / "ours.bits", tmp_path / "theirs.bits"
    stream.save(ours)
    subprocess.run([command, "encode", "talon-m", arm.path, "-o", theirs], check=True, capture_output=True)
    assert ours.read_bytes() == theirs.read_bytes()
    loaded = tracewright.Stream.load(theirs)
    assert loaded.design.scheme == "talon" and loaded.bits == stream.bits
    assert np.array_equal(loaded.data, stream.data)
    assert np.array_equal(tracewright.decode(loaded, arm.path).events, arm.events)
    with pytest.raises(ValueError, match="encode the trace"):
        loaded.event_bits
    damaged = bytearray(theirs.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    theirs.write_bytes(damaged)
    with pytest.raises(tracewright.DecodeError):
        tracewright.Stream.load(theirs)


def test_another_program_is_refused(arm, riscv, program):
    stream = tracewright.encode("traptor-m4", arm)
    with pytest.raises(tracewright.ProgramError, match="expected a program for arm"):
        tracewright.decode(stream, riscv)
    with pytest.raises(tracewright.ProgramError, match="expected a program for arm"):
        tracewright.decode(stream, program)
    other = tracewright.Trace.from_arrays(arm.machine, arm.events[:500])
    with pytest.raises(tracewright.DecodeError):
        tracewright.decode(stream, other)
    second = arm.events[:500].copy()
    second["thread"] = 1
    with pytest.raises(tracewright.EncodeError, match="event 0 is of thread 1"):
        tracewright.encode("traptor-m4", tracewright.Trace.from_arrays(arm.machine, second))
