"""Speeds of the package: events per second from a file into an array, and into the bits of designs and predictors.

Each figure is the best of several runs. What is asked of reading is 100 million events per second.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tracewright

# Python leaves the folder of a script out where it is isolated.
sys.path.append(str(Path(__file__).parent))
from test_predictor import LocalHistory  # noqa: E402

RUNS = 5
COPIES = 8


def best(function, runs=RUNS):
    """The least time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    workloads = Path(os.environ["TRACEWRIGHT_WORKLOADS"])
    trace = tracewright.load(workloads / "arm-tiff2bw.pet.zst")
    events = np.tile(trace.events, COPIES)
    large = tracewright.Trace.from_arrays(trace.machine, events, name="large")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for ending in "pet", "pet.zst":
            path = Path(folder) / f"large.{ending}"
            large.save(path, level=3)
            seconds = best(lambda: tracewright.load(path).events)
            rows.append((f"{ending} into an array", len(events) / seconds / 1e6, ">= 100"))
            seconds = best(lambda: sum(len(block.events) for block in tracewright.load(path).blocks(1 << 16)))
            rows.append((f"{ending} in blocks", len(events) / seconds / 1e6, ""))
        seconds = best(lambda: large.save(Path(folder) / "again.pet"))
        rows.append(("an array into pet", len(events) / seconds / 1e6, ""))
    for design in "traptor-m4", "talon-m":
        seconds = best(lambda: tracewright.encode(design, trace), 3)
        rows.append((f"encode, {design}", len(trace) / seconds / 1e6, ""))
    beginning = tracewright.Trace.from_arrays(trace.machine, trace.events[:200_000])
    seconds = best(lambda: tracewright.encode(LocalHistory, beginning), 3)
    rows.append(("encode, a predictor in Python", len(beginning) / seconds / 1e6, ""))
    print(f"{'Python':32} {'M events/s':>10} {'asked':>7}")
    for what, figure, asked in rows:
        print(f"{what:32} {figure:10.2f} {asked:>7}")


main()
