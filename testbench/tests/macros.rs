//! Memory macros with a clocked read in the place of the modules that hold the cells of tables.
//!
//! A macro does not define what it reads where it writes in the same cycle. So what such a module reads then is replaced
//! by something that is not there, and the trace has to stay as it is.

use std::convert::Infallible;

use crate::common::sample;
use tracewright_hdl::Generated;
use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::BuildOptions;
use tracewright_testbench::cosim::{self, Failure};
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Ready, Stimulus};

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// The address of the write is that of the read, whether it writes or not.
const SAME_ADDRESS: &str = "write_address == read_address";
/// The entry that is read is written in the same cycle.
const COLLISION: &str = "write_enable && write_address == read_address";

/// A design of one kind of table, the number of its memories that are read at the clock edge, and their kinds.
struct Subject {
    preset: &'static str,
    changes: &'static [(&'static str, &'static str)],
    kinds: usize,
}

/// Tables are small, so that what is read is often what is written.
const SUBJECTS: &[Subject] = &[
    Subject {
        preset: "traptor-m4",
        changes: &[
            ("gshare_entries", "8"),
            ("indirect_branch_target_buffer_entries", "8"),
            ("framing", "packets"),
            ("sync_interval", "1024"),
        ],
        kinds: 3,
    },
    Subject {
        preset: "talon-m-fpga",
        changes: &[("bimodal_entries", "16"), ("gshare_entries", "16"), ("clock_enable", "true")],
        kinds: 4,
    },
    Subject { preset: "stream-rbase-32", changes: &[("stream_cache_entries", "8")], kinds: 3 },
    Subject {
        preset: "ntuple-32x4-memory",
        changes: &[("stream_cache_entries", "8"), ("tuple_history_entries", "6")],
        kinds: 3,
    },
    Subject { preset: "stride-256x4", changes: &[("stride_cache_entries", "16")], kinds: 2 },
    Subject {
        preset: "mctraptor-medium-n2-timed",
        changes: &[("gshare_entries", "8"), ("indirect_branch_target_buffer_entries", "8")],
        kinds: 3,
    },
];

/// The design with modules for macros, each of which reads `wrong` in the cycles of `condition`.
fn with_macros(subject: &Subject, condition: &str, wrong: &str) -> (Design, Generated) {
    let mut design = Design::preset(subject.preset).unwrap().for_machine(MACHINE).unwrap();
    let styles = [("memory_style", "synchronous"), ("memories", "wrappers")];
    for (name, value) in styles.iter().chain(subject.changes) {
        design.set(name, value).unwrap();
    }
    let mut generated = tracewright_hdl::generate(&design).unwrap();
    let right = "read_data <= cells[read_address];";
    let read = format!("read_data <= ({condition}) ? {wrong} : cells[read_address];");
    let clocked = generated.files.iter_mut().filter(|(name, _)| name.ends_with("_synchronous.v"));
    let mut kinds = 0;
    for (name, text) in clocked {
        assert_eq!(text.matches(right).count(), 1, "{name}");
        *text = text.replace(right, &read);
        kinds += 1;
    }
    assert_eq!(kinds, subject.kinds, "{}", subject.preset);
    (design, generated)
}

/// Shows a design a program, with stalls at random.
fn simulate(design: &Design, generated: &Generated) -> Option<Failure> {
    let library = source(generated).build(&BuildOptions::default()).unwrap();
    let program = Options {
        machine: MACHINE,
        events: 8_000,
        threads: design.cores() as u8,
        data_accesses: if design.traces_data() { 30 } else { 0 },
        ..Options::from_seed(61)
    };
    let stimulus = Stimulus {
        seed: 3,
        ready: Ready::Random,
        bubble_percent: 20,
        flush_interval: Some(1000),
        sync_requests: true,
        ..Stimulus::default()
    };
    let options = cosim::Options { stimulus, watchdog_cycles: 20_000, ..cosim::Options::default() };
    let items = Synthetic::new(program).unwrap().items().map(Ok::<_, Infallible>);
    let encoder = Encoder::new(design).unwrap();
    cosim::run(&library, encoder, items, &options).unwrap().failure
}

/// Neither the old entry nor the new one: of an entry of one bit each is wrong in one of two runs, which both are in
/// `make long-tests`.
#[test]
fn what_is_read_where_it_is_written_is_not_used() {
    for (number, subject) in SUBJECTS.iter().enumerate() {
        let mut wrong = ["~write_data", "~cells[read_address]"];
        wrong.rotate_left(number % 2);
        for wrong in sample(2, wrong) {
            let (design, generated) = with_macros(subject, COLLISION, wrong);
            assert_eq!(simulate(&design, &generated), None, "{}, {wrong}", subject.preset);
        }
    }
}

/// The same where nothing is written: so what a table reads matters in these runs.
#[test]
fn what_is_read_elsewhere_is_used() {
    for subject in sample(2, SUBJECTS) {
        let (design, generated) = with_macros(subject, SAME_ADDRESS, "~cells[read_address]");
        assert!(simulate(&design, &generated).is_some(), "{}", subject.preset);
    }
}
