//! The timestamp unit by its registers: every value of every field, and what the counter does.

use tracewright_sim::control::Bus;
use tracewright_sim::unit::Control;
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{ACTIVE, Debugger};

use super::designs::{standard, switched};
use super::trace::built;
use super::traced::{Bench, Parts, Work};
use crate::common::for_each;

const CONTROL: u32 = 0x40;
const LOW: u32 = 0x48;
const HIGH: u32 = 0x4c;

const COUNT: u32 = 1 << 1;
const RESET: u32 = 1 << 2;

/// Lowest bit and width of each field, those that are reserved too.
const FIELDS: [(u32, u32); 10] =
    [(0, 1), (1, 1), (2, 1), (3, 1), (4, 3), (7, 1), (8, 2), (10, 5), (15, 1), (16, 14)];

/// Cycles over which the counter is watched.
const CYCLES: usize = 1024;

fn expect(what: &str, found: u32, expected: u32) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:#x}, not {expected:#x}")) }
}

/// What `trTsControl` reads as after it was written: only the counter's switch and the prescaler keep what is written.
fn legal(written: u32, bits: u32) -> u32 {
    let kept = COUNT | 3 << 8;
    1 | written & kept | 3 << 4 | 1 << 15 | bits << 24
}

/// How far the counter goes while some cycles pass.
fn advance(bench: &mut Bench) -> Result<u32, String> {
    let before = bench.read(LOW)?.0;
    (0..CYCLES).try_for_each(|_| bench.cycle())?;
    Ok(bench.read(LOW)?.0.wrapping_sub(before))
}

fn all((library, design, work): Parts<'_>) -> Result<(), String> {
    let bits = design.protocol().time_bits;
    let mut bench = Bench::new(library, design, work);
    (0..1_000).try_for_each(|_| bench.cycle())?;
    let held = bench.read(CONTROL)?.0;
    expect("held in reset", held, legal(COUNT, bits) & !1)?;
    expect("the time in reset", bench.read(LOW)?.0, 0)?;
    bench.control(ACTIVE)?;
    for (low, width) in FIELDS {
        for value in 0..1 << width {
            bench.write(CONTROL, value << low, 15)?;
            let found = bench.read(CONTROL)?.0;
            expect(&format!("{value} from bit {low} on"), found, legal(value << low, bits))?;
        }
    }
    bench.write(CONTROL, COUNT, 15)?;
    let cycles = advance(&mut bench)?;
    if !(CYCLES as u32..CYCLES as u32 + 20).contains(&cycles) {
        return Err(format!("{cycles} counts in {CYCLES} cycles"));
    }
    for prescale in 1..4 {
        bench.write(CONTROL, COUNT | prescale << 8, 15)?;
        let (found, expected) = (advance(&mut bench)?, cycles >> (2 * prescale));
        if found.abs_diff(expected) > 1 {
            return Err(format!("prescaled by {prescale}: {found} counts, not {expected}"));
        }
    }
    bench.write(CONTROL, 0, 15)?;
    expect("stopped", advance(&mut bench)?, 0)?;
    if bench.read(LOW)?.0 == 0 {
        return Err("the counter has lost its time".into());
    }
    bench.write(CONTROL, RESET, 15)?;
    expect("set to 0", bench.read(LOW)?.0, 0)?;
    expect("the bits above", bench.read(HIGH)?.0, 0)?;
    bench.write(CONTROL, COUNT, 15)?;
    advance(&mut bench)?;
    bench.control(0)?;
    expect("not active", bench.read(LOW)?.0, 0)
}

#[test]
fn software_controls_the_time() {
    let work = Work::new(1_000);
    let time = [("time_bits", "40"), ("time_source", "unit"), ("trace_port_width", "8")];
    let cases =
        [(standard("ntrace-htm", &time), Bus::Apb), (switched("nexs", &time), Bus::AxiLite)];
    for_each(&cases, |(design, bus)| {
        let (design, library) = built(design, &work, &Control::new(*bus), 1);
        all((&library, &design, &work)).map_err(|what| format!("{}: {what}", design.name))
    });
}
