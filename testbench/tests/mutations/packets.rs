//! Faults in what makes packets: framer, checksum, synchroniser, and the clearing of tables between packets.

use tracewright_sim::event::{Event, Isa, Item, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::stimulus::Stimulus;

use super::bench::{Bench, runs};

/// Events of the programs where not more of them are needed.
pub const EVENTS: u64 = 4_000;

/// Instructions of a straight run that takes more than two intervals of synchronisation.
const STRAIGHT: u64 = 2_200;

/// Packets with all that they can have, for a core that cannot wait.
pub fn bench() -> Bench<'static> {
    let changes = [("when_full", "drop"), ("checksum_bits", "8")];
    Bench::of_design("packets", design(&changes), varied_runs(&programs(EVENTS)))
}

/// The same with registers between the steps of framer and bit packer.
pub fn bench_of_registers() -> Bench<'static> {
    let changes = [
        ("when_full", "drop"),
        ("checksum_bits", "8"),
        ("enable_pin", "true"),
        ("encoder_registers", "true"),
    ];
    Bench::of_design("packets-registers", design(&changes), varied_runs(&programs(EVENTS)))
}

/// traptor-m4 with packets, and `changes`.
pub fn design(changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [("framing", "packets"), ("sync_interval", "1024")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design
}

/// What other benches are shown, every other time with discards, pauses and what else only a trace of packets has.
pub fn varied_runs<T: Copy + Into<Item>>(programs: &[Vec<T>; 2]) -> Vec<(Stimulus, Vec<Item>)> {
    let mut runs = runs(programs);
    for (number, (stimulus, _)) in (0..).zip(&mut runs).skip(1).step_by(2) {
        *stimulus = stimulus.clone().varied(number);
    }
    runs
}

/// Two programs of so many events, with exceptions.
pub fn programs(events: u64) -> [Vec<Event>; 2] {
    [program(1, events), program(2, events)]
}

/// A program at the highest addresses, which have enough ones for a zero to be stuffed.
fn program(seed: u64, events: u64) -> Vec<Event> {
    let options = Options {
        machine: Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 },
        events,
        exceptions: true,
        code_base: 0xffff_0000,
        code_span: 0x8000,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().chain(straight_run()).collect()
}

/// A run so long that the interval between synchronisations is over twice in it, after an exception to its beginning.
fn straight_run() -> [Event; 2] {
    let start = 0xffff_c000;
    let exception = Event {
        instructions: 1,
        program_counter: 0xffff_0000,
        target: start,
        kind: Kind::Exception,
        call: false,
        is_return: false,
        taken: true,
        length: 4,
        thread: 0,
    };
    let end = start + 4 * (STRAIGHT - 1);
    let jump = Event {
        instructions: STRAIGHT,
        program_counter: end,
        target: 0xffff_0000,
        kind: Kind::DirectJump,
        ..exception
    };
    [exception, jump]
}
