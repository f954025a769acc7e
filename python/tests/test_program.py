"""Programs, and what they did."""

import subprocess

import numpy as np
import pytest

import tracewright


def test_a_program_says_what_ran(riscv, program, command):
    assert program.machine.isa == "riscv" and program.files[0].name == "rv32imac-traps.elf"
    functions = program.functions
    assert functions.height > 5 and "main" in functions["function"].tolist()
    seen = tracewright.view(riscv, program)
    assert seen.instructions == riscv.instruction_count
    assert seen.functions["instructions"].sum() == seen.stacks["instructions"].sum() == seen.instructions
    assert seen.loops.height > 0 and seen.branches["instructions"] == seen.instructions
    assert seen.flame_graph.startswith("<?xml") and seen._repr_svg_() == seen.flame_graph
    arguments = [command, "view", "--json", riscv.path, "--program", program.files[0]]
    printed = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    assert f'"function": "{seen.functions["function"][0]}"' in printed


def test_instructions_are_followed(riscv, program):
    found = riscv.instructions(program)
    assert len(found) == riscv.instruction_count
    retired = riscv.events["instructions"] > 0
    ends = np.cumsum(riscv.events["instructions"])[retired] - 1
    assert np.array_equal(found["program_counter"][ends], riscv.events["program_counter"][retired])
    with pytest.raises(ValueError, match="expected a program"):
        riscv.instructions()


def test_a_stream_decodes_against_the_files(riscv, program):
    stream = tracewright.encode("talon-m", riscv)
    decoded = tracewright.decode(stream, program)
    assert np.array_equal(decoded.events, riscv.events)


def test_what_does_not_belong_together_is_refused(arm, riscv, program, workloads, tmp_path):
    for call in tracewright.view, tracewright.Trace.instructions:
        with pytest.raises(tracewright.ProgramError, match="expected a program for arm"):
            call(arm, program)
        with pytest.raises(tracewright.ProgramError):
            call(riscv, tracewright.Program(workloads / "rv32imac-crc.elf"))
    with pytest.raises(tracewright.ProgramError, match="nothing.elf"):
        tracewright.Program(tmp_path / "nothing.elf")
