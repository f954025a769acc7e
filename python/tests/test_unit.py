"""Units: the same file, folder and figures as those of the command."""

import json
import pickle
import shutil
import subprocess

import pytest

from tracewright import Design, Error, Unit, decode

SECTIONS = {"ingress": {"port": "rvfi"}, "control": {"bus": "apb"}, "ram_sink": {"bytes": 4096}}


@pytest.fixture
def unit():
    return Unit("traptor-m4", name="unit", gshare_entries=1024, **SECTIONS)


def test_a_unit_is_generated_as_by_the_command(unit, command, tmp_path):
    (tmp_path / "unit.toml").write_text(unit.toml())
    run = [command, "generate", "unit.toml", "-o", "by_command"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    folder = unit.generate(tmp_path / "by_python")
    written = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    other = tmp_path / "by_command" / "unit"
    assert written == {path.relative_to(other): path.read_bytes() for path in other.rglob("*") if path.is_file()}
    assert len(written) > 20
    split = unit.generate(tmp_path / "split", split=True)
    assert len(list(split.glob("*.v"))) > len(list(folder.glob("*.v")))


def test_sections_set_what_they_need(unit, riscv, program):
    design = unit.design
    assert (design.name, design.gshare_entries) == ("unit", 1024)
    assert (design.framing, design.enable_pin) == ("packets", True)
    assert 0 < design.sync_bytes < 4096
    stream = unit.model(riscv)
    assert len(decode(stream, program).events) == len(riscv.events)


def test_a_unit_is_a_value(unit):
    assert pickle.loads(pickle.dumps(unit)) == unit == Unit(Design("traptor-m4", name="unit", gshare_entries=1024), **SECTIONS)
    assert unit != Unit("traptor-m4", name="unit", gshare_entries=1024)
    assert hash(unit) == hash(pickle.loads(pickle.dumps(unit)))
    with pytest.raises(AttributeError, match="a unit does not change"):
        unit.name = "other"


@pytest.mark.parametrize(
    "sections, said",
    [({"control": {"bus": "wishbone"}}, "wishbone"), ({"ingress": {"prot": "rvfi"}}, "prot"), ({"ram_sink": {"bytes": 4096}}, "control")],
)
def test_what_is_refused_says_what_was_expected(sections, said, tmp_path):
    with pytest.raises(Error, match=said):
        Unit("traptor-m4", **sections).generate(tmp_path)


@pytest.mark.skipif(shutil.which("verilator") is None, reason="without Verilator nothing is simulated")
def test_the_whole_of_it_is_simulated(unit, workloads, riscv, command, tmp_path):
    program = workloads / "rv32imac-traps.elf"
    [row] = unit.cosim(riscv, program=program, seed=2).rows()
    assert row["failure"] is None
    (tmp_path / "unit.toml").write_text(unit.toml())
    words = [command, "cosim", tmp_path / "unit.toml", riscv.path, "--program", program, "--seed", "2", "--json"]
    [of_command] = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    assert row["bits"] == of_command["bits"] > 0
