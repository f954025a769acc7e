"""Designs as objects."""

import copy
import pickle

import pytest

import tracewright
from tracewright import Design, designs


def test_presets_have_parameters_with_completion():
    names = [design.name for design in designs()]
    assert len(names) > 50 and {"traptor-m4", "talon-m", "stride-32"} <= set(names)
    for design in designs():
        for name, parameter in design.parameters.items():
            assert parameter.name == name and parameter.doc and parameter.allowed
            assert getattr(design, name) == parameter.value
        assert set(design.parameters) <= set(dir(design)) and "replace" in dir(design)
        assert repr(design).startswith(f"<Design {design.name}: {design.scheme}, ")


def test_parameters_change_by_name():
    design = Design("talon-m", name="mine", gshare_entries=2048)
    assert design.name == "mine" and design.gshare_entries == 2048
    assert design.parameters["gshare_entries"].default != "2048"
    again = Design("talon-m").replace(name="mine", gshare_entries=2048)
    assert again == design and hash(again) == hash(design) and design != Design("talon-m")
    assert design.storage_bits > Design("talon-m").storage_bits == sum(Design("talon-m").storage.values())
    assert design.estimated_gates > 0 and design.cores == 1 and not design.traces_data
    packets = Design("traptor-m4", framing="packets", enable_pin=True)
    assert packets.framing == "packets" and packets.enable_pin is True
    assert Design.of_scheme("plain", "traptor", gshare_entries=64).gshare_entries == 64
    listed = [one for one in design.parameters.values() if isinstance(one.value, list)]
    for parameter in listed:
        assert design.replace(**{parameter.name: parameter.value}) == design


def test_a_design_is_a_value():
    design = Design("traptor-m4", gshare_entries=1024)
    with pytest.raises(AttributeError, match="use design.replace"):
        design.gshare_entries = 2
    assert copy.deepcopy(design) == pickle.loads(pickle.dumps(design)) == design


def test_files_are_designs(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text('preset = "traptor-m4"\ngshare_entries = 128\n')
    assert Design(file).name == "small" and Design(str(file)).gshare_entries == 128


def test_what_is_wrong_is_said():
    with pytest.raises(tracewright.DesignError, match="did you mean `talon-m`"):
        Design("talon-mm")
    with pytest.raises(tracewright.DesignError, match="the nearest is `gshare_entries`"):
        Design("traptor-m4", gshare_entrys=1)
    with pytest.raises(tracewright.DesignError, match="a whole number from 1 to 65536"):
        Design("traptor-m4", gshare_entries=0)
    with pytest.raises(tracewright.DesignError, match="cannot name a design"):
        Design("traptor-m4", name="no name")
    with pytest.raises(AttributeError, match="the nearest is 'gshare_entries'"):
        Design("traptor-m4").gshare_entrys
    assert issubclass(tracewright.DesignError, tracewright.Error)


def test_a_design_becomes_a_file(tmp_path):
    for name in "traptor-m4", "talon-m", "stride-32", "talon-g":
        design = Design(name, name="mine")
        file = tmp_path / "mine.toml"
        file.write_text(design.toml())
        assert Design(file).parameters == design.parameters
