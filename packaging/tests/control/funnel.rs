//! A funnel with registers, by its registers and pins alone: which sources it takes, what leaves it when it is switched off,
//! and every value of every field.

use std::sync::Arc;

use rand::Rng;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::FunnelControl;
use tracewright_sim::config::{Memories, ResetStyle, TracePort};
use tracewright_sim::control::Bus;
use tracewright_sim::funnel::Config;
use tracewright_sim::funnel::frames::FrameReader;
use tracewright_sim::pins::{Pin, module, sinks};
use tracewright_testbench::bus::{Clocked, Master};
use tracewright_testbench::{BuildOptions, Library, Model, design::source};

use super::bus::Pins;
use super::faults::find_each;
use super::registers;
use crate::common::{chosen, for_each, is_long};

const CONTROL: u32 = 0;
const IMPLEMENTATION: u32 = 4;
const INPUTS: u32 = 8;

const EMPTY: u32 = 8;

/// Times that registers are written in a run.
const WRITES: usize = 400;

/// Reads after which a funnel that is off must be empty.
const PATIENCE: usize = 400;

/// Funnels that differ in what is around them.
pub fn funnels() -> Vec<(Config, TracePort, Bus)> {
    let gated = TracePort { clock_enable: true, ..TracePort::default() };
    let other = TracePort {
        reset: ResetStyle::Asynchronous,
        memories: Memories::Wrappers,
        ..TracePort::default()
    };
    let config = |sources, first_id, turn_bytes, sync_frames| Config {
        sources,
        first_id,
        turn_bytes,
        sync_frames,
    };
    vec![
        (config(3, 1, 32, 64), TracePort::default(), Bus::Apb),
        (config(3, 16, 1, 2), other.clone(), Bus::AxiLite),
        (config(2, 1, 32, 64), gated.clone(), Bus::AxiLite),
        (config(8, 104, 7, 3), TracePort { clock_enable: true, ..other }, Bus::Apb),
    ]
}

pub fn control<'a>((config, style, bus): &'a (Config, TracePort, Bus)) -> FunnelControl<'a> {
    FunnelControl { name: "trace_funnel", config, style, bus: *bus }
}

/// The funnel with its registers around it.
pub fn whole(control: &FunnelControl<'_>) -> Generated {
    let inner = tracewright_hdl::generate_funnel(control.name, control.config, control.style);
    let inner = inner.expect("a good funnel");
    let mut whole = control.around(&inner).expect("a good funnel");
    whole.files.splice(0..0, inner.files);
    whole.memory_files = inner.memory_files;
    whole
}

/// The sources that are taken.
fn taken(control: u32, disabled: u32) -> u32 {
    if control & 3 == 3 { !disabled } else { 0 }
}

struct Bench {
    pins: Pins,
    config: Config,
    is_gated: bool,
    control: u32,
    disabled: u32,
    /// The sources that may be taken, also while a register is written.
    may_take: u32,
    /// It is on, also after a register is written.
    is_on: bool,
    /// The pin.
    flush: bool,
    /// Percent of cycles in which the port is ready.
    ready: u32,
    offered: Vec<Option<u8>>,
    taken: Vec<Vec<u8>>,
    received: Vec<u8>,
    /// Bytes that were found in the frames.
    checked: usize,
}

impl Bench {
    fn new(library: &Arc<Library>, config: &Config, is_gated: bool, seed: u64) -> Bench {
        let sources = config.sources as usize;
        let mut bench = Bench {
            pins: Pins::new(library, seed),
            config: *config,
            is_gated,
            control: 0,
            disabled: 0,
            may_take: 0,
            is_on: false,
            flush: false,
            ready: 100,
            offered: vec![None; sources],
            taken: vec![Vec::new(); sources],
            received: Vec::new(),
            checked: 0,
        };
        bench.set(&module::CLOCK_ENABLE, true);
        bench
    }

    fn set(&mut self, pin: &Pin, value: bool) {
        if pin.name != module::CLOCK_ENABLE.name || self.is_gated {
            self.pins.set(pin.name, value.into());
        }
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.pins.master.random.random_range(0..100) < percent
    }

    /// Writes a register that says which sources are taken.
    fn switch(&mut self, address: u32, value: u32) -> Result<(), String> {
        let (before, all) = (taken(self.control, self.disabled), (1 << self.config.sources) - 1);
        let was_on = self.control == 3;
        match address {
            CONTROL => {
                // What is not active is in reset, also in the write that wakes it up.
                let stays_active = self.control & value & 1 == 1;
                self.control = value & if stays_active { 3 } else { 1 };
                self.disabled = if stays_active { self.disabled } else { 0 };
            }
            _ if self.control & 1 == 1 => self.disabled = value & all,
            _ => {}
        }
        let after = taken(self.control, self.disabled);
        self.may_take = before | after;
        self.is_on = was_on && self.control == 3;
        let is_error = self.write(address, value, 15)?;
        // A cycle later the reset of a page that is not active has come.
        self.cycle()?;
        self.may_take = after;
        self.is_on = self.control == 3;
        if is_error { Err(format!("{address:#x} cannot be written")) } else { Ok(()) }
    }

    /// The frames so far hold all that was taken.
    fn check_frames(&mut self) -> Result<(), String> {
        let all: usize = self.taken.iter().map(Vec::len).sum();
        if all == self.checked {
            return Ok(());
        }
        self.checked = all;
        let frames: Result<Vec<(u8, u8)>, _> = FrameReader::new(self.received.as_slice()).collect();
        let frames = frames.map_err(|error| error.to_string())?;
        for (source, taken) in self.taken.iter().enumerate() {
            let id = (self.config.first_id as usize + source) as u8;
            let of_source = frames.iter().filter(|(of, _)| *of == id).map(|(_, byte)| byte);
            if !of_source.eq(taken) {
                return Err(format!("the frames do not have the bytes of source {source}"));
            }
        }
        if frames.len() == all { Ok(()) } else { Err("a byte of nobody".into()) }
    }

    /// What software reads fits what the pins have shown.
    fn check_read(&mut self) -> Result<bool, String> {
        let (control, _) = self.read(CONTROL)?;
        let (inputs, _) = self.read(INPUTS)?;
        let (is_empty, is_on) = (control & EMPTY != 0, self.control == 3);
        if control & !EMPTY != self.control || inputs != self.disabled || is_on && is_empty {
            return Err(format!("{control:#x} and {inputs:#x} are read"));
        }
        if is_empty {
            self.check_frames()?;
        }
        Ok(is_empty)
    }

    fn wait_until_empty(&mut self) -> Result<(), String> {
        for _ in 0..PATIENCE {
            if self.check_read()? {
                return Ok(());
            }
        }
        Err("it does not become empty".into())
    }
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
        let runs = !self.is_gated || self.percent(70);
        let is_ready = self.percent(self.ready);
        for source in 0..self.offered.len() {
            if self.offered[source].is_none() && self.percent(40) {
                self.offered[source] = Some(self.pins.master.random.random());
            }
            let offered = self.offered[source];
            self.pins.set(&sinks::SOURCE_VALID.numbered(source), offered.is_some().into());
            let shown = offered.unwrap_or_else(|| self.pins.master.random.random());
            self.pins.set(&sinks::SOURCE_DATA.numbered(source), shown.into());
        }
        self.set(&module::CLOCK_ENABLE, runs);
        self.set(&module::FLUSH, self.flush);
        self.set(&module::TRACE_READY, is_ready);
        self.pins.model.cycle().map_err(|error| error.to_string())?;
        if self.pins.get(module::FLUSHED.name) == 1 {
            if !self.flush && self.is_on {
                return Err("flushed without a flush".into());
            }
            self.check_frames()?;
        }
        for source in 0..self.offered.len() {
            let is_taken = self.pins.get(&sinks::SOURCE_READY.numbered(source)) == 1;
            if is_taken && self.may_take >> source & 1 == 0 {
                return Err(format!("source {source} is taken"));
            }
            if is_taken && runs {
                self.taken[source].extend(self.offered[source].take());
            }
        }
        if self.pins.get(module::TRACE_VALID.name) == 1 && is_ready && runs {
            self.received.push(self.pins.get(module::TRACE_DATA.name) as u8);
        }
        Ok(())
    }
}

/// Sources that come and go, and a funnel that is switched off and on.
fn at_random(library: &Arc<Library>, config: &Config, is_gated: bool) -> Result<(), String> {
    let mut bench = Bench::new(library, config, is_gated, 1);
    bench.wait_until_empty()?;
    for _ in 0..WRITES {
        let random = &mut bench.pins.master.random;
        let (cycles, ready) = (random.random_range(0..60), random.random_range(0..4));
        let (is_input, any) = (random.random_range(0..2) == 0, random.random::<u32>());
        let control = [3, 3, 3, 3, 1, 1, 0, 2][random.random_range(0..8)];
        bench.ready = [5, 50, 100, 100][ready as usize];
        bench.flush = bench.percent(20);
        bench.switch(
            if is_input { INPUTS } else { CONTROL },
            if is_input { any } else { control },
        )?;
        (0..cycles).try_for_each(|_| bench.cycle())?;
        if bench.percent(30) {
            bench.check_read()?;
        }
        if bench.control != 3 && bench.percent(30) {
            bench.wait_until_empty()?;
        }
    }
    by_the_pin(&mut bench)?;
    each_alone(&mut bench)
}

/// A funnel that is on is flushed by its pin, as one without registers.
fn by_the_pin(bench: &mut Bench) -> Result<(), String> {
    (bench.flush, bench.ready) = (false, 100);
    bench.switch(CONTROL, 1)?;
    bench.switch(CONTROL, 3)?;
    bench.switch(INPUTS, 0)?;
    (0..100).try_for_each(|_| bench.cycle())?;
    bench.switch(INPUTS, u32::MAX)?;
    (0..50).try_for_each(|_| bench.cycle())?;
    bench.flush = true;
    for _ in 0..PATIENCE {
        bench.cycle()?;
        if bench.pins.get(module::FLUSHED.name) == 1 {
            return Ok(());
        }
    }
    Err("the pin does not flush".into())
}

/// Each source is taken alone, so that a bit is that of its own source.
fn each_alone(bench: &mut Bench) -> Result<(), String> {
    (bench.flush, bench.ready) = (false, 100);
    let sources = bench.config.sources;
    bench.switch(CONTROL, 1)?;
    for source in 0..sources {
        bench.switch(INPUTS, !(1 << source))?;
        bench.switch(CONTROL, 3)?;
        let before: Vec<usize> = bench.taken.iter().map(Vec::len).collect();
        (0..200).try_for_each(|_| bench.cycle())?;
        let grew = bench.taken.iter().zip(before).map(|(now, before)| now.len() > before);
        let expected = (0..sources).map(|other| other == source);
        if !grew.eq(expected) {
            return Err(format!("source {source} is not taken alone"));
        }
        bench.switch(CONTROL, 1)?;
        bench.wait_until_empty()?;
    }
    let few = bench.taken.iter().find(|taken| taken.len() < 50);
    few.map_or(Ok(()), |few| Err(format!("only {} bytes of a source are taken", few.len())))
}

/// Every value of every field, on the live bus.
fn every_value(library: &Arc<Library>, config: &Config, is_gated: bool) -> Result<(), String> {
    let mut bench = Bench::new(library, config, is_gated, 2);
    let mask = (1 << config.sources) - 1;
    for value in 0..if is_long() { 1 << 12 } else { 1 << 8 } {
        bench.write(IMPLEMENTATION, value, 15)?;
        let (found, _) = bench.read(IMPLEMENTATION)?;
        if found != 0x801 {
            return Err(format!("{value:#x} changes the implementation to {found:#x}"));
        }
    }
    // Without trFunnelActive nothing is kept.
    bench.switch(INPUTS, mask)?;
    bench.check_read()?;
    bench.switch(CONTROL, 1)?;
    let most = if is_long() { 1 << 16 } else { 1 << 10 };
    for value in (0..most).chain((10..32).map(|bit| 1 << bit)).chain([0xffff_0000, u32::MAX]) {
        bench.switch(INPUTS, value)?;
        let (found, _) = bench.read(INPUTS)?;
        if found != value & mask {
            return Err(format!("{value:#x} becomes {found:#x}"));
        }
    }
    for value in (0..16).chain([u32::MAX, 0xffff_fff1, 0xffff_fff0]) {
        bench.switch(CONTROL, value)?;
        bench.check_read()?;
        bench.switch(CONTROL, 1)?;
    }
    bench.switch(CONTROL, 0)?;
    bench.wait_until_empty()
}

fn library(generated: &Generated, options: &BuildOptions) -> Result<Arc<Library>, String> {
    source(generated).build(options).map_err(|error| error.to_string())
}

#[test]
fn every_field_does_what_the_table_says() {
    let buses = [Bus::Apb, Bus::AxiLite];
    let all = funnels()
        .into_iter()
        .flat_map(|(config, style, _)| buses.map(|bus| (config, style.clone(), bus)));
    // Two sources with a clock enable, and eight with an asynchronous reset and wrappers of memories.
    let all = chosen(all, &[5, 6]);
    for_each(&all, |funnel| {
        let control = control(funnel);
        let (file, map) = (control.register_file(), control.map());
        let (file, map) = (file.expect("a good funnel"), map.expect("a good funnel"));
        registers::run(&file, &map, &BuildOptions::default())
            .map_err(|what| format!("{funnel:?}: {what}"))?;
        let library = library(&whole(&control), &BuildOptions::default())?;
        every_value(&library, control.config, control.style.clock_enable)
            .map_err(|what| format!("{funnel:?}: {what}"))
    });
}

#[test]
fn what_is_taken_comes_out_and_what_is_disabled_waits() {
    for_each(&chosen(funnels(), &[0, 2, 3]), |funnel| {
        let control = control(funnel);
        let library = library(&whole(&control), &BuildOptions::default())?;
        at_random(&library, control.config, control.style.clock_enable)
            .map_err(|what| format!("{funnel:?}: {what}"))
    });
}

#[test]
fn every_fault_around_a_funnel_is_found() {
    let funnel = funnels().swap_remove(0);
    let control = control(&funnel);
    let inner = tracewright_hdl::generate_funnel(control.name, control.config, control.style);
    let inner = inner.expect("a good funnel");
    let mut whole = control.around_with_faults(&inner).expect("a good funnel");
    whole.files.splice(0..0, inner.files);
    find_each("funnel-control", &whole, |library| at_random(library, control.config, false));
}
