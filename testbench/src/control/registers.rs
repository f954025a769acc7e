//! The registers of a table, with accesses and hardware at random.

use rand::Rng;
use tracewright_sim::control::access::{Access, WORD_ADDRESS_BITS};
use tracewright_sim::control::register_file::{Input, Output, RegisterFile};
use tracewright_sim::control::table::{Access as Kind, Field, Hardware, Map};

use super::Bench;
use crate::model::Model;
use crate::sinks::Failure;

/// Accesses of each register in a run, and cycles in which everything happens as often.
const ACCESSES: usize = 600;
const PACE_CYCLES: usize = 500;

/// How often things happen: one in so many cycles.
struct Pace {
    idle: u32,
    reads: u32,
    /// A component is switched off, which holds its fields in reset.
    off: u32,
    changes: u32,
    waits: u32,
}

/// The names of the ports of a field.
struct Names {
    own: String,
    value: String,
    set: String,
    clear: String,
    ready: String,
    load: String,
    loaded: String,
    read: String,
}

impl Names {
    fn of(field: &Field) -> Names {
        let with = |suffix: &str| format!("{}{suffix}", field.name);
        Names {
            own: with(""),
            value: with("_value"),
            set: with("_set"),
            clear: with("_clear"),
            ready: with("_ready"),
            load: with("_load"),
            loaded: with("_loaded"),
            read: with("_read"),
        }
    }

    /// What the hardware is told of the field.
    fn expected(&self, field: &Field, output: &Output) -> Vec<(&str, u64)> {
        match field.access {
            Kind::Control { .. } => vec![(&self.own, output.value.into())],
            Kind::Pointer { .. } => {
                vec![(&self.load, output.is_loaded.into()), (&self.loaded, output.loaded.into())]
            }
            Kind::Data => vec![(&self.read, output.is_read.into())],
            Kind::Constant | Kind::Status | Kind::Sticky { .. } => Vec::new(),
        }
    }
}

impl Bench {
    fn pace(&mut self) -> Pace {
        Pace {
            idle: self.one_of(&[2, 8, 1_000]),
            reads: self.one_of(&[2, 2, 6]),
            off: self.one_of(&[2, 40, 40, 1_000]),
            changes: self.one_of(&[2, 8, 200]),
            waits: self.one_of(&[1, 2, 10]),
        }
    }

    fn access(&mut self, addresses: &[u32], pace: &Pace) -> Access {
        let address = match self.one_of(&[0, 0, 0, 0, 0, 1, 2]) {
            0 => self.one_of(addresses),
            1 => self.one_of(addresses) ^ 1 << self.random.random_range(0..WORD_ADDRESS_BITS),
            _ => self.random.random_range(0..1 << WORD_ADDRESS_BITS),
        };
        let is_off = self.is_time(pace.off);
        Access {
            is_valid: !self.is_time(pace.idle),
            is_write: !self.is_time(pace.reads),
            address,
            data: self.data() & !1 | u32::from(!is_off),
            strobes: if self.is_time(3) { self.random.random_range(0..16) } else { 15 },
        }
    }

    fn input(&mut self, field: &Field, pace: &Pace) -> Input {
        let value = self.data() & (u32::MAX >> (32 - field.kept_bits()));
        Input {
            value,
            sets: self.is_time(pace.changes),
            clears: self.is_time(pace.changes),
            is_ready: self.is_time(pace.waits),
        }
    }
}

/// Registers of which every one is accessed, and whose hardware does everything.
pub fn run(mut bench: Bench, map: &Map) -> Result<Model, Failure> {
    let mut twin = RegisterFile::new(map);
    let fields: Vec<(&Field, Names)> =
        map.fields().map(|(_, field)| (field, Names::of(field))).collect();
    let addresses: Vec<u32> = map.registers().map(|(address, _, _)| address / 4).collect();
    let mut pace = bench.pace();
    for cycle in 0..ACCESSES * addresses.len() {
        if cycle % PACE_CYCLES == 0 {
            pace = bench.pace();
        }
        let access = bench.access(&addresses, &pace);
        bench.set_access(&access);
        let inputs: Vec<Input> =
            fields.iter().map(|(field, _)| bench.input(field, &pace)).collect();
        for ((field, names), input) in fields.iter().zip(&inputs) {
            match field.access {
                Kind::Constant | Kind::Control { hardware: Hardware::Reads, .. } => {}
                Kind::Control { .. } | Kind::Sticky { .. } => {
                    bench.set(&names.set, input.sets);
                    bench.set(&names.clear, input.clears);
                }
                Kind::Status | Kind::Pointer { .. } | Kind::Data => {
                    bench.set(&names.value, input.value);
                    bench.set(&names.ready, input.is_ready);
                }
            }
        }
        let outputs = twin.outputs(&access, &inputs);
        let mut expected = Bench::expected_answer(&twin.answer(&access, &inputs)).to_vec();
        for ((field, names), output) in fields.iter().zip(&outputs) {
            expected.extend(names.expected(field, output));
        }
        bench.expect(&expected)?;
        twin.clock(&access, &inputs);
    }
    Ok(bench.model)
}
