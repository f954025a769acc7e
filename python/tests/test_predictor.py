"""Predictors without hardware."""

import numpy as np
import pytest

import tracewright
from tracewright import Kind, Predictor, Trace


class LocalHistory(Predictor):
    """Outcomes by what each branch did recently, targets by where it went last."""

    def __init__(self, branches=256, outcomes=8):
        self.mask, self.newest = branches - 1, 1 << (outcomes - 1)
        self.histories = self.table("histories", branches, outcomes)
        self.counters = self.table("counters", 1 << outcomes, 3, initial=4)
        self.targets = self.table("targets", branches, 64)

    def entry(self, branch):
        return branch.program_counter >> 1 & self.mask

    def predict(self, branch):
        entry = self.entry(branch)
        counter = self.counters[self.histories[entry]]
        strength = counter - 4 if counter >= 4 else 3 - counter
        return counter >= 4, self.targets[entry], (1, 2, 4, 7)[strength]

    def learn(self, branch, taken, target):
        entry = self.entry(branch)
        if branch.kind == Kind.DIRECT_CONDITIONAL:
            history = self.histories[entry]
            counter = self.counters[history]
            self.counters[history] = min(7, counter + 1) if taken else max(0, counter - 1)
            self.histories[entry] = history >> 1 | (self.newest if taken else 0)
        elif taken and branch.kind >= Kind.INDIRECT_JUMP:
            self.targets[entry] = target


class Nothing(Predictor):
    """Predicts that nothing is taken, and is sure of it."""

    def predict(self, branch):
        return False, 0, 14

    def learn(self, branch, taken, target):
        pass


@pytest.fixture(scope="module")
def traces(arm, riscv):
    beginning = Trace.from_arrays(arm.machine, arm.events[:30_000], name="beginning")
    x86 = tracewright.synthetic(20_000, machine=("x86", 0, 64))
    with_interrupts = Trace.from_arrays(riscv.machine, riscv.events[:40_000], name="interrupts")
    return [beginning, with_interrupts, x86]


@pytest.mark.parametrize("predictor", [LocalHistory, Nothing])
def test_what_is_encoded_is_decoded(predictor, traces):
    for trace in traces:
        stream = tracewright.encode(predictor, trace)
        decoded = tracewright.decode(stream, trace)
        assert np.array_equal(decoded.events, trace.events)
        # The code is as long as the probabilities say.
        said = stream.event_bits.sum()
        assert said == pytest.approx(stream.bits, rel=1e-3, abs=32)
        # The end is no event's.
        assert sum(stream.fields.values()) == pytest.approx(said, abs=17)
        assert len(stream.event_bits) == len(trace)


def test_predictors_stand_beside_designs(traces):
    compared = tracewright.compare(["traptor-m4", LocalHistory, "talon-s"], traces[:2], ["gzip"])
    assert compared["name"].tolist() == sum(
        ([name] * 2 for name in ("traptor-m4", "LocalHistory", "talon-s", "gzip")), []
    )
    ours = compared.where(compared["name"] == "LocalHistory")
    assert ours["basis"].tolist() == ["model only"] * 2
    assert ours["papers_bits"].tolist() == [256 * 8 + 256 * 3 + 256 * 64 + 64] * 2
    measured = tracewright.measure([LocalHistory], traces[:2])
    assert measured["bits"].tolist() == ours["bits"].tolist()
    # It predicts something, but the targets of returns in one table are no match for a stack.
    nothing = tracewright.measure(Nothing, traces[:2])
    assert (measured["bits"] < nothing["bits"] / 2).all()


def test_larger_tables_are_counted(traces):
    def small():
        return LocalHistory(16, 4)

    model = tracewright.Model(small)
    assert model.storage == {"histories": 64, "counters": 48, "targets": 1024, "exception_target": 64}
    assert model.storage_bits == 1200 and model.name == "LocalHistory"
    assert tracewright.encode(small, traces[0]).bits > tracewright.encode(LocalHistory, traces[0]).bits


def test_what_a_predictor_does_wrong_is_said(traces):
    class TooMuch(Nothing):
        def __init__(self):
            self.count = self.table("count", 1, 4)

        def learn(self, branch, taken, target):
            self.count[0] += 1

    with pytest.raises(ValueError, match=r"count\[0\] = \d+ does not fit the 4 bits"):
        tracewright.encode(TooMuch, traces[0])

    class TooSure(Nothing):
        def predict(self, branch):
            return True, 0, 15

    with pytest.raises(ValueError, match="a confidence from 1 to 14, found 15"):
        tracewright.encode(TooSure, traces[0])
    stream = tracewright.encode(LocalHistory, traces[0])
    with pytest.raises(tracewright.DecodeError):
        tracewright.decode(stream, Trace.from_arrays(traces[0].machine, traces[0].events[:500]))
    with pytest.raises(TypeError, match="expected a class of predictors"):
        tracewright.encode(dict, traces[0])
    threads = traces[0].events.copy()
    threads["thread"][100:] = 1
    with pytest.raises(tracewright.EncodeError, match="several threads"):
        tracewright.encode(LocalHistory, Trace.from_arrays(traces[0].machine, threads))


def test_the_program_may_be_its_files(riscv, program):
    stream = tracewright.encode(LocalHistory, riscv)
    decoded = tracewright.decode(stream, program)
    for name in "program_counter", "target", "instructions", "kind", "taken":
        assert np.array_equal(decoded.events[name], riscv.events[name])
    with pytest.raises(tracewright.ProgramError, match="expected a program for arm"):
        arm = Trace.from_arrays(("arm", 2, 32), riscv.events[:0])
        tracewright.decode(tracewright.encode(Nothing, arm), program)


def test_a_program_that_changes_cannot_be_learned(traces):
    events = traces[0].events.copy()
    taken = np.flatnonzero((events["kind"] == Kind.DIRECT_CONDITIONAL) & events["taken"])
    again = taken[events["program_counter"][taken] == events["program_counter"][taken[-1]]]
    assert len(again) > 1
    events["target"][again[-1]] += 64
    changed = Trace.from_arrays(traces[0].machine, events)
    stream = tracewright.encode(LocalHistory, changed)
    with pytest.raises(tracewright.ProgramError):
        tracewright.decode(stream, changed)
