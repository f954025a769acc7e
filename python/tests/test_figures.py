"""Figures of designs on traces."""

import json
import subprocess

import numpy as np
import pytest

import tracewright
from tracewright import Design, Table


@pytest.fixture(scope="module")
def traces(arm, riscv):
    beginning = tracewright.Trace.from_arrays(arm.machine, arm.events[:100_000], name="beginning")
    return [beginning, riscv]


def test_figures_are_those_of_the_command(riscv, command):
    arguments = [command, "measure", "--json", "--design", "traptor-m4,talon-s", riscv.path]
    printed = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
    measured = tracewright.measure(["traptor-m4", "talon-s"], riscv)
    assert list(measured) == list(printed[0]) and measured.height == 2
    for row, other in zip(measured.rows(), printed):
        assert row["bits"] == other["bits"] and row["fields"] == other["fields"]
        assert row["trace"] == "rv32imac-traps" and row["design"] == other["design"]


def test_rows_are_in_the_order_of_designs(traces):
    mine = Design("traptor-m4", name="mine", gshare_entries=64)
    measured = tracewright.measure([mine, "talon-s"], traces)
    assert measured["design"].tolist() == ["mine", "mine", "talon-s", "talon-s"]
    assert measured["trace"].tolist() == ["beginning", "rv32imac-traps"] * 2
    of_mine = measured.where(measured["design"] == "mine")
    assert of_mine.height == 2 and of_mine.select("bits")["bits"].sum() > 0


def test_designs_stand_beside_other_encoders(traces):
    compared = tracewright.compare("talon-s", traces[0], ["gzip", "tslz", "e-trace"])
    assert compared["name"].tolist() == ["talon-s", "gzip", "tslz", "e-trace"]
    assert compared["basis"].tolist()[:2] == ["design", "real encoder"]
    assert compared["bits"][1] > 0 and {"gzip", "e-trace"} <= set(tracewright.comparators())
    with pytest.raises(tracewright.Error, match="no encoder is called nothing"):
        tracewright.compare("talon-s", traces[0], ["nothing"])
    with pytest.raises(tracewright.DesignError, match="traces data addresses"):
        tracewright.compare("stride-32", traces[0])


ALWAYS = """
import tracewright

class Always(tracewright.Predictor):
    def predict(self, branch):
        return True, 0, 1

    def learn(self, branch, taken, target):
        pass
"""


def _class(code, name):
    names = {}
    exec(code, names)  # noqa: S102
    return names[name]


def test_a_search_finds_a_front(traces, tmp_path):
    space = {"gshare_entries": [64, 256], "pc_shift": {"from": 1, "to": 2, "step": 1}}
    search = {"preset": "traptor-s1", "space": space}
    found = tracewright.explore(search, traces, tmp_path / "results")
    assert found.table.height == 5 and 1 <= found.front.height <= 5 and "on the front" in repr(found)
    for design, row in zip(found.designs(), found.front.rows()):
        assert design.name == row["design"] and design.estimated_gates == row["gates"]
        bits = tracewright.measure(design, traces)["bits"].sum()
        instructions = sum(trace.instruction_count for trace in traces)
        assert bits / instructions == pytest.approx(row["bits_per_instruction"])
    assert (tmp_path / "results/front.csv").exists()
    file = tmp_path / "space.toml"
    file.write_text('preset = "traptor-s1"\n[space]\ngshare_entries = [64, 256]\n')
    again = tracewright.explore(file, traces[0])
    assert again.table.height == 2 and again.table["worst_trace"].tolist() == ["beginning"] * 2
    (tmp_path / "own.py").write_text(ALWAYS)
    search = {"preset": ["traptor-s1", f"{tmp_path}/own.py:Always"], "space": space}
    found = tracewright.explore(search, traces[0])
    own = found.table.where(found.table["basis"] == "model only")
    assert own["bits_per_instruction"].tolist() == [
        tracewright.measure(_class(ALWAYS, "Always"), traces[0])["bits_per_instruction"][0]
    ]
    assert len(found.designs()) == (found.front["basis"] != "model only").sum()
    with pytest.raises(tracewright.ExplorationError, match="gshare_entrys"):
        tracewright.explore({"preset": "traptor-s1", "space": {"gshare_entrys": [1, 2]}}, traces)


def test_tables_are_arrays_and_data_frames():
    table = Table.of_rows([{"name": "a", "bits": 1, "ratio": 0.5}, {"name": "b", "bits": 2, "ratio": None}])
    assert table["bits"].dtype.kind == "i" and table["name"].dtype.kind == "U"
    assert np.isnan(table["ratio"][1]) and table.height == 2
    assert repr(table) == "name  bits  ratio\na     1     0.5000\nb     2     -"
    assert "<td>0.5000</td>" in table._repr_html_()
    frame = table.to_pandas()
    assert frame.shape == (2, 3) and frame["bits"].sum() == 3
    assert Table.of_rows([]).height == 0
