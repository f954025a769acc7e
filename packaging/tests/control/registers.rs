//! The register file does what the table says of each field, over both buses.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::Rng;
use rand::seq::IndexedRandom;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::register_file;
use tracewright_sim::control::Bus;
use tracewright_sim::control::table::{Access, Field, Hardware, Map, Register};
use tracewright_testbench::bus::{Clocked, Master};
use tracewright_testbench::{BuildOptions, Library, Model, design::source};

use super::bus::Pins;
use super::designs::{designs, every_design};
use crate::common::{for_each, is_long};

/// Accesses at random.
const ACCESSES: usize = 2_000;

/// A register file, and what its fields should be by the table.
struct Bench {
    pins: Pins,
    map: Map,
    /// The values of all fields but constants.
    values: BTreeMap<&'static str, u32>,
    /// What the hardware was told to load, and how often it was told of a read of its data.
    loads: Vec<(&'static str, u32)>,
    reads: usize,
}

impl Bench {
    fn new(library: &Arc<Library>, map: &Map, seed: u64) -> Bench {
        let initial = map.fields().filter(|(_, field)| field.access != Access::Constant);
        let values = initial.map(|(_, field)| (field.name, field.reset.unwrap_or(0))).collect();
        let pins = Pins::new(library, seed);
        let mut bench = Bench { pins, map: map.clone(), values, loads: Vec::new(), reads: 0 };
        bench.show();
        bench
    }

    fn value(&self, field: &Field) -> u32 {
        self.values.get(field.name).copied().or(field.reset).unwrap_or(0)
    }

    fn fields(&self) -> Vec<Field> {
        self.map.fields().map(|(_, field)| field.clone()).collect()
    }

    /// What a register reads as.
    fn register(&self, register: &Register) -> u32 {
        register.fields.iter().map(|field| self.value(field) << field.low).sum()
    }

    /// Shows what the hardware says.
    fn show(&mut self) {
        for field in self.fields() {
            if matches!(field.access, Access::Status | Access::Pointer { .. } | Access::Data) {
                self.pins.set(&format!("{}_value", field.name), self.value(&field).into());
            }
        }
    }

    /// Pulses of the hardware that set or clear fields.
    ///
    /// A field that is set and cleared in the same cycle is cleared.
    fn pulse(
        &mut self,
        mut happens: impl FnMut(&mut Pins, u32) -> bool,
    ) -> Vec<(&'static str, u32)> {
        const SET: (&str, u32) = ("set", 1);
        const CLEAR: (&str, u32) = ("clear", 0);
        let mut pulses = Vec::new();
        for field in self.fields() {
            let changes: &[_] = match field.access {
                Access::Sticky { .. } => &[SET],
                Access::Control { hardware: Hardware::Clears, .. } => &[CLEAR],
                Access::Control { hardware: Hardware::Switches, .. } => &[SET, CLEAR],
                _ => &[],
            };
            for (pin, value) in changes {
                let now = happens(&mut self.pins, *value);
                self.pins.set(&format!("{}_{pin}", field.name), now.into());
                pulses.extend(now.then_some((field.name, *value)));
            }
        }
        pulses
    }

    /// A cycle without an access, in which the hardware does something.
    fn hardware(&mut self) -> Result<(), String> {
        for field in self.fields() {
            let changes = self.pins.master.random.random_range(0..4) == 0;
            if matches!(field.access, Access::Status | Access::Data) && changes {
                let value = self.pins.master.random.random::<u32>() >> (32 - field.width);
                self.values.insert(field.name, value);
            }
        }
        self.show();
        let pulses = self.pulse(|pins, _| pins.master.random.random_range(0..8) == 0);
        self.cycle()?;
        self.pulse(|_, _| false);
        for (name, value) in pulses {
            self.values.insert(name, value);
        }
        self.hold_in_reset();
        self.cycle()
    }

    /// Fields of a component that is not active have their reset values.
    fn hold_in_reset(&mut self) {
        for component in &self.map.components {
            let is_active = self.values[component.active] == 1;
            let fields = component.registers.iter().flat_map(|register| &register.fields);
            for field in fields.filter(|field| field.is_stored() && !is_active) {
                self.values.insert(field.name, field.reset.unwrap_or(0));
            }
        }
    }

    /// What a write does, by the table.
    fn apply(&mut self, address: u32, data: u32, strobes: u32) -> Result<(), String> {
        let bytes = (0..4).filter(|byte| strobes >> byte & 1 == 1);
        let mask = bytes.map(|byte| 0xff << (8 * byte)).sum();
        let loads = std::mem::take(&mut self.loads);
        let mut expected = Vec::new();
        let map = self.map.clone();
        if let Some((_, component, register)) = map.registers().find(|(at, ..)| *at == address & !3)
        {
            let before = self.values.clone();
            let is_active = before[component.active] == 1;
            for field in register.fields.iter().filter(|field| field.is_written()) {
                let mut written = field.written(before[field.name], data, mask);
                if let Access::Sticky { cleared_with } = field.access
                    && before[cleared_with] == 0
                    && self.values[cleared_with] == 1
                {
                    written = 0;
                }
                let is_pointer = matches!(field.access, Access::Pointer { .. });
                expected.extend(is_pointer.then_some((field.name, written)));
                if is_active || field.name == component.active || is_pointer {
                    self.values.insert(field.name, written);
                }
            }
        }
        self.hold_in_reset();
        self.show();
        check(address, loads == expected, &format!("loads {loads:x?} and not {expected:x?}"))
    }

    /// The outputs to the hardware are what the fields are.
    fn check_outputs(&self) -> Result<(), String> {
        for (_, field) in self.map.fields() {
            let is_shown = matches!(field.access, Access::Control { .. });
            if is_shown && self.pins.get(field.name) != u64::from(self.value(field)) {
                let (found, value) = (self.pins.get(field.name), self.value(field));
                return Err(format!("{} is {found:#x} and not {value:#x}", field.name));
            }
        }
        Ok(())
    }

    /// Reads a register and compares it with the table.
    fn check_read(&mut self, address: u32) -> Result<(), String> {
        self.reads = 0;
        let (found, error) = self.read(address)?;
        let map = self.map.clone();
        let register = map.registers().find(|(at, ..)| *at == address & !3);
        let register = register.map(|(_, _, register)| register);
        let expected = register.map_or(0, |register| self.register(register));
        check(address, found == expected, &format!("reads as {found:#x} and not {expected:#x}"))?;
        check(address, error == (address >= map.end()), "another answer")?;
        let has_data = register.is_some_and(|register| register.fields[0].access == Access::Data);
        check(address, has_data || self.pins.master.waited == 0, "a register waits")?;
        check(address, self.reads == usize::from(has_data), &format!("{} reads", self.reads))
    }

    fn check_write(&mut self, address: u32, data: u32, strobes: u32) -> Result<(), String> {
        self.reads = 0;
        let error = self.write(address, data, strobes)?;
        check(address, error == (address >= self.map.end()), "another answer")?;
        check(address, self.reads == 0 && self.pins.master.waited == 0, "a write reads or waits")?;
        self.apply(address, data, strobes)?;
        // Fields of a component that is not active any more are reset a cycle later.
        self.cycle()?;
        self.cycle()?;
        self.check_outputs()
    }

    /// Any access, to registers most of the time.
    fn any_access(&mut self) -> Result<(), String> {
        let registers: Vec<u32> = self.map.registers().map(|(address, ..)| address).collect();
        let (end, random) = (self.map.end(), &mut self.pins.master.random);
        let known = registers.choose(random).copied().unwrap_or(0);
        let address = match random.random_range(0..10) {
            0 => random.random_range(0..end),
            1 => random.random_range(end..0x1_0000),
            2 => known | random.random_range(0..4),
            _ => known,
        };
        let data = [
            0,
            u32::MAX,
            random.random(),
            1 << random.random_range(0..32),
            0x1111_1111 * random.random_range(0..16),
        ];
        let data =
            data.choose(random).copied().unwrap_or(0) | u32::from(random.random_range(0..4) > 0);
        let strobes = if random.random() { 15 } else { random.random_range(0..16) };
        if random.random() {
            self.check_write(address, data, strobes)?;
        }
        self.check_read(address)
    }

    /// Where the hardware and a write disagree in the same cycle, the hardware prevails.
    fn hardware_prevails(&mut self) -> Result<(), String> {
        let (ones, active) = (u32::MAX, 1);
        let pages = (0..self.map.end()).step_by(0x1000);
        // What is written, and the values that the hardware gives fields.
        let cases = [(ones, [0, 1].as_slice()), (ones, &[0]), (active, &[1])];
        // Over again, because pauses after an access hide what happens in its cycle.
        let cases = cases.repeat(8);
        for (page, (data, values)) in
            pages.flat_map(|page| cases.iter().map(move |case| (page, *case)))
        {
            self.check_write(page, data, 15)?;
            let pulses = self.pulse(|_, value| values.contains(&value));
            self.write(page, data, 15)?;
            self.pulse(|_, _| false);
            self.apply(page, data, 15)?;
            for (name, value) in pulses {
                if self
                    .map
                    .fields()
                    .any(|(register, field)| field.name == name && register.offset == 0)
                {
                    self.values.insert(name, value);
                }
            }
            self.hold_in_reset();
            self.cycle()?;
            (0..self.map.end()).step_by(0x1000).try_for_each(|page| self.check_read(page))?;
        }
        Ok(())
    }
}

fn check(address: u32, holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{address:#x}: {what}")) }
}

impl Clocked for Bench {
    type Error = String;

    fn model(&mut self) -> &mut Model {
        &mut self.pins.model
    }

    fn master(&mut self) -> &mut Master {
        &mut self.pins.master
    }

    fn cycle(&mut self) -> Result<(), String> {
        for field in self.fields().iter().filter(|field| field.access == Access::Data) {
            let ready = self.pins.master.random.random_range(0..3) == 0;
            self.pins.set(&format!("{}_ready", field.name), ready.into());
            // What is not there yet reads as anything.
            let value = if ready { self.value(field) } else { self.pins.master.random.random() };
            self.pins.set(&format!("{}_value", field.name), value.into());
        }
        self.pins.model.cycle().map_err(|error| error.to_string())?;
        for field in self.fields() {
            match field.access {
                Access::Data => {
                    self.reads += self.pins.get(&format!("{}_read", field.name)) as usize
                }
                Access::Pointer { .. } if self.pins.get(&format!("{}_load", field.name)) == 1 => {
                    let loaded = self.pins.get(&format!("{}_loaded", field.name));
                    self.loads.push((field.name, loaded as u32));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Builds the register file and does everything to it.
pub fn run(generated: &Generated, map: &Map, options: &BuildOptions) -> Result<(), String> {
    let library = source(generated).build(options).map_err(|error| error.to_string())?;
    drive(&library, map)
}

/// The same of a model that is built.
pub fn drive(library: &Arc<Library>, map: &Map) -> Result<(), String> {
    for seed in [1, 2] {
        let mut bench = Bench::new(library, map, seed);
        let addresses: Vec<u32> = map.registers().map(|(address, ..)| address).collect();
        addresses.iter().try_for_each(|address| bench.check_read(*address))?;
        bench.hardware_prevails()?;
        for _ in 0..ACCESSES {
            bench.any_access()?;
            if bench.pins.master.random.random() {
                bench.hardware()?;
            }
        }
        both_at_once(&mut bench)?;
    }
    Ok(())
}

/// A read and a write at the same time, where the bus can do so, do what each does alone.
fn both_at_once(bench: &mut Bench) -> Result<(), String> {
    bench.check_write(0, 1, 15)?;
    let map = bench.map.clone();
    let (_, _, register) = map.registers().nth(1).expect("it says what the component is");
    let constant = bench.register(register);
    for count in 0..200 {
        let data = 1 | (count & 15) << 20;
        let ((found, error), failed) = bench.read_and_write(4, (0, data, 15))?;
        check(4, found == constant && !error && !failed, "a read beside a write")?;
        bench.apply(0, data, 15)?;
        bench.check_read(0)?;
    }
    Ok(())
}

#[test]
fn every_field_does_what_the_table_says() {
    // Without LONG_TESTS each has the bus that is its own.
    let all: Vec<_> = designs()
        .into_iter()
        .flat_map(|(design, control)| {
            [Bus::Apb, Bus::AxiLite].map(|bus| (design.clone(), control, bus))
        })
        .filter(|(_, control, bus)| is_long() || control.bus == *bus)
        .collect();
    for_each(&all, |(design, control, bus)| {
        let mut control = *control;
        control.bus = *bus;
        let map = control.map(design).expect("a good design");
        let generated = register_file(&control, design).expect("a good design");
        run(&generated, &map, &BuildOptions::default())
            .map_err(|what| format!("{}, {bus:?}: {what}", design.name))
    });
}

/// Registers are at whole words, fields in their order, and names different; what is reset fits.
#[test]
fn maps_are_well_formed() {
    for (design, control) in every_design() {
        let map = control.map(&design).expect("a good design");
        let mut names: Vec<_> = map.fields().map(|(_, field)| field.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", design.name);
        let addresses: Vec<u32> = map.registers().map(|(address, ..)| address).collect();
        assert!(addresses.windows(2).all(|pair| pair[0] < pair[1]), "{addresses:x?}");
        for (address, component, register) in map.registers() {
            assert_eq!(address % 4, 0);
            assert_eq!(register.fields[0].name == component.active, register.offset == 0);
            let mut next = 0;
            for field in &register.fields {
                assert!(field.low >= next && field.low + field.width <= 32, "{}", field.name);
                assert!(field.reset.is_none_or(|reset| reset <= field.mask() >> field.low));
                next = field.low + field.width;
            }
        }
    }
}
