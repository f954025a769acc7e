//! What finds faults in stream cache and N-tuple.

use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use crate::straight_runs;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// rBASE with streams so short that many are cut, and runs whose size reaches both bounds.
pub fn stream_cache() -> Subject {
    let design = design(
        "stream-rbase-32",
        &[
            ("stream_length_bits", "5"),
            ("one_length_start_bits", "2"),
            ("one_length_most_bits", "5"),
            ("upper_address_bits", "14"),
        ],
    );
    let mut programs = [events(31, 95), events(32, 60)];
    programs[0].extend(straight_runs::straight_runs(LONGEST_RUN));
    programs[1].extend([looped(); 500]);
    programs[0].splice(0..0, both_ends());
    Subject { design, programs }
}

/// N-tuple with few short tuples.
pub fn ntuple() -> Subject {
    let design = design(
        "ntuple-32x4",
        &[
            ("stream_cache_entries", "16"),
            ("stream_length_bits", "5"),
            ("tuple_length", "3"),
            ("tuple_history_entries", "7"),
        ],
    );
    let mut programs = [events(35, 95), events(36, 80)];
    programs[0].extend(straight_runs::straight_runs(LONGEST_RUN));
    programs[0].splice(0..0, both_ends());
    Subject { design, programs }
}

/// More than twice the longest stream of the designs here, so that runs end right at it and around it.
const LONGEST_RUN: u64 = 70;

/// Once around a loop of three instructions, which is predicted for ever.
fn looped() -> Event {
    Event {
        instructions: 3,
        program_counter: 0x000f_0004,
        target: 0x000f_0000,
        kind: Kind::DirectConditional,
        call: false,
        is_return: false,
        taken: true,
        length: 2,
        thread: 0,
    }
}

/// Streams at both ends of the address space and in its middle, the first of them right after reset, when the predictor of upper address bits
/// has zeros; those of 40 instructions are cut. The one that is cut at the low end has the descriptor of a cleared way.
pub(super) fn both_ends() -> Vec<Event> {
    let jump = |instructions, program_counter, target| Event {
        instructions,
        program_counter,
        target,
        kind: Kind::IndirectJump,
        call: false,
        is_return: false,
        taken: true,
        length: 2,
        thread: 0,
    };
    let (low, middle, high) = (0x70, 0x7fff_ff00, 0xffff_ff00);
    let once = [
        jump(1, 0x10, 0x20),
        jump(3, 0x24, low),
        jump(40, low + 78, high),
        jump(40, high + 78, middle),
        jump(2, middle + 2, high + 0x40),
        jump(3, high + 0x44, 0x10),
    ];
    once.repeat(3)
}

pub(super) fn design(preset: &str, parameters: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in parameters {
        design.set(name, value).unwrap();
    }
    design
}

pub(super) fn events(seed: u64, predictability: u8) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}
