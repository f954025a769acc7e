"""What a module gets of a trace that is shown to its adapter."""

from __future__ import annotations

import numpy as np

import tracewright


def from_reset(trace: tracewright.Trace) -> tracewright.Trace:
    """A trace with the exception that leads a core to its first instruction after reset.

    One that begins with an exception is given back as it is.

    :raises ValueError: for a processor whose instructions differ in length, as its first address is not known
    """
    if trace.machine.alignment != 2:
        raise ValueError(f"expected instructions of four bytes, found {trace.machine}")
    events = trace.events
    if not len(events) or int(events[0]["kind"]) == tracewright.Kind.EXCEPTION:
        return trace
    first = np.zeros(1, tracewright.EVENT)
    first["kind"], first["taken"] = tracewright.Kind.EXCEPTION, True
    first["target"] = int(events[0]["program_counter"]) - 4 * (int(events[0]["instructions"]) - 1)
    return _with_events(trace, np.concatenate([first, events]))


def without_last_jump(trace: tracewright.Trace) -> tracewright.Trace:
    """A trace without its last event, if the flow changes there."""
    events = trace.events
    return _with_events(trace, events[:-1]) if len(events) and events[-1]["taken"] else trace


def _with_events(trace: tracewright.Trace, events: np.ndarray) -> tracewright.Trace:
    return tracewright.Trace.from_arrays(trace.machine, events, name=trace.name)
