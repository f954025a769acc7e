//! Faults in the Nexus-like module and in the stream detector.

use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::{Fault, Subject, fault};

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// Two cores with streams so short that many are cut, and some are just as long.
pub fn subject() -> Subject {
    let mut design = Design::preset("nexus-n2").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [("stream_length_bits", "5"), ("retire_count_bits", "3")] {
        design.set(name, value).unwrap();
    }
    Subject { design, programs: [events(21, 1 << 21), events(22, 0xffc0_0000)], faults: FAULTS }
}

fn events(seed: u64, code_span: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 6_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        code_base: 0x000f_0000,
        code_span,
        threads: 2,
        uneven: true,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

/// Every fault, by module.
const FAULTS: &[Fault] = &[
    fault(
        "a conditional indirect branch has no target",
        "_retire_decoder",
        "(retire_kind == INDIRECT_JUMP) | (retire_kind == INDIRECT_CONDITIONAL)",
        "(retire_kind == INDIRECT_JUMP)",
    ),
    fault(
        "an exception has no target",
        "_encoder",
        "= (stream_detector_branch_ends & retire_indirect) | stream_detector_excepts",
        "= (stream_detector_branch_ends & retire_indirect)",
    ),
    fault(
        "every branch has a target",
        "_encoder",
        "(stream_detector_branch_ends & retire_indirect)",
        "stream_detector_branch_ends",
    ),
    fault(
        "a branch at the longest length is a cut",
        "_encoder",
        "is_exact = (&stream_detector_length) & stream_detector_branch_ends",
        "is_exact = 1'b0",
    ),
    fault(
        "a flush has the code of an exception",
        "_encoder",
        "flush ? FLUSH_CODE",
        "flush ? EXCEPTION_CODE",
    ),
    fault(
        "a branch at the longest length has a length after its code",
        "_encoder",
        "ends & !is_exact",
        "ends",
    ),
    fault("a cut alone makes no record", "_encoder", "= ends | stream_detector_cut", "= ends"),
    fault("a cut is not told", "_encoder", "        stream_detector_cut,\n", "        1'b0,\n"),
    fault("a flush record is never made", "_encoder", "excepts | flush |", "excepts |"),
    fault(
        "a direct jump ends a stream",
        "_stream_detector",
        "(retire_conditional | retire_indirect)",
        "(retire_direct | retire_indirect)",
    ),
    fault(
        "a branch that is not taken ends a stream",
        "_stream_detector",
        "branch_ends = retire_valid & retire_taken",
        "branch_ends = retire_valid",
    ),
    fault(
        "what is on the pins without a block ends a stream",
        "_stream_detector",
        "branch_ends = retire_valid & retire_taken",
        "branch_ends = retire_taken",
    ),
    fault("a longer stream is not cut", "_stream_detector", "total[5] | is_longest", "is_longest"),
    fault(
        "a branch at the longest length is cut off",
        "_stream_detector",
        "is_longest = (&total[4:0]) & !branch_ends",
        "is_longest = &total[4:0]",
    ),
    fault(
        "a cut leaves an instruction out",
        "_stream_detector",
        "total[4:0] + {4'd0, cut}",
        "total[4:0]",
    ),
    fault(
        "a block counts its first instruction alone",
        "_stream_detector",
        "{1'b0, counted} + {3'd0, retire_count}",
        "{1'b0, counted} + 6'd1",
    ),
    fault(
        "a stream goes on after an exception",
        "_stream_detector",
        "branch_ends || excepts || flush",
        "branch_ends || flush",
    ),
    fault(
        "a stream goes on after a flush",
        "_stream_detector",
        "branch_ends || excepts || flush",
        "branch_ends || excepts",
    ),
    fault(
        "a target that is not sent counts",
        "_target_difference",
        "if (send) begin",
        "if (1'b1) begin",
    ),
    fault(
        "a difference down is one too small",
        "_target_difference",
        "~difference + 31'd1",
        "~difference",
    ),
    fault(
        "the sign is the next lower bit",
        "_target_difference",
        "difference[30]",
        "difference[29]",
    ),
];
