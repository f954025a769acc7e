//! A program is traced by triggers alone: started, stopped, started again and decoded.

use tracewright_sim::control::Bus;
use tracewright_sim::control::trigger::Triggers;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{ACTIVE, Debugger, EMPTY, TRACING};

use super::designs::switched;
use super::trace::built;
use super::traced::{Bench, Decoded, Parts, Work};
use crate::common::{chosen, for_each};

/// What the tests fire and hear.
pub const TRIGGERS: Triggers = Triggers { inputs: 3, outputs: 4 };

const ACTIONS: (u32, u32) = (0x54, 0x432);
const EVENTS: (u32, u32) = (0x58, 0x8421);

const INSTRUCTIONS: u32 = 1 << 2;
const ALLOWED: u32 = 1 << 11;

// Inputs, by their actions.
const START: u64 = 1;
const STOP: u64 = 2;
const NOTIFY: u64 = 4;

/// Cycles from a trigger to the answer of an output: two registers, the field and the output.
const LATENCY: usize = 4;

/// A trigger that is high for some cycles, during which the core runs or not.
fn fire(bench: &mut Bench, inputs: u64) -> Result<(), String> {
    bench.pins.set("trigger_in", inputs);
    (0..5).try_for_each(|_| bench.cycle())?;
    bench.pins.set("trigger_in", 0);
    (0..5).try_for_each(|_| bench.cycle())
}

/// The same while the core runs, and then some cycles.
fn fire_and_run(bench: &mut Bench, inputs: u64, cycles: usize) -> Result<(), String> {
    bench.runs = true;
    fire(bench, inputs)?;
    bench.run(cycles)
}

fn expect_tracing(bench: &mut Bench, expected: bool, after: &str) -> Result<(), String> {
    let is_tracing = bench.read(0)?.0 & INSTRUCTIONS != 0;
    if is_tracing == expected { Ok(()) } else { Err(format!("tracing is {is_tracing} {after}")) }
}

/// Triggers before they are allowed to do something; then one that is answered after the right time, and stays high.
fn one_by_one(bench: &mut Bench) -> Result<(), String> {
    bench.control(ACTIVE)?;
    for (address, value) in [ACTIONS, EVENTS] {
        bench.write(address, value, 15)?;
    }
    bench.control(TRACING)?;
    fire(bench, STOP)?;
    expect_tracing(bench, true, "after a stop that is not allowed")?;
    bench.control(TRACING & !INSTRUCTIONS)?;
    fire(bench, START)?;
    expect_tracing(bench, false, "after a start that is not allowed")?;
    bench.control(TRACING & !INSTRUCTIONS | ALLOWED)?;
    bench.pins.set("trigger_in", START);
    for cycle in 0..=LATENCY {
        bench.cycle()?;
        let fired = bench.pins.get("trigger_out") & 1 == 1;
        if fired != (cycle == LATENCY) {
            return Err(format!("trigger_out bit 0 is {fired} after {cycle} cycles"));
        }
    }
    expect_tracing(bench, true, "after a start")?;
    for inputs in [START | STOP, START] {
        bench.pins.set("trigger_in", inputs);
        (0..5).try_for_each(|_| bench.cycle())?;
        expect_tracing(bench, false, "after a stop while the start is high")?;
    }
    bench.pins.set("trigger_in", 0);
    (0..5).try_for_each(|_| bench.cycle())?;
    bench.wait(0, EMPTY, EMPTY)?;
    if bench.fired[..2] == [2, 2] {
        Ok(())
    } else {
        Err(format!("outputs fired {:?} times for two starts and stops", bench.fired))
    }
}

/// On and off by triggers, three times: every instruction is traced, or counted as lost.
pub fn all((library, design, work): Parts<'_>) -> Result<(), String> {
    const ROUNDS: u64 = 3;
    // Nothing else lets one begin.
    let packets_are_asked_for =
        design.protocol().interval() == 0 && !design.protocol().drops_blocks();
    let mut bench = Bench::new(library, design, work);
    // What the module sends after a reset leaves before anything is written.
    (0..1_000).try_for_each(|_| bench.cycle())?;
    one_by_one(&mut bench)?;
    bench.run(1_000)?;
    let mut off = bench.instructions;
    for _ in 0..ROUNDS {
        for (what, inputs, cycles) in [("a start", START, 3_000), ("a request", NOTIFY, 1_000)] {
            let before = bench.synchronised;
            fire_and_run(&mut bench, inputs, cycles)?;
            expect_tracing(&mut bench, true, &format!("after {what}"))?;
            let begun = bench.synchronised - before;
            if begun == 0 || (begun > 1 && packets_are_asked_for) {
                return Err(format!("{begun} packets begin after {what}"));
            }
        }
        fire_and_run(&mut bench, STOP, 0)?;
        bench.wait(0, EMPTY, EMPTY)?;
        let before = (bench.instructions, bench.synchronised);
        fire_and_run(&mut bench, START | STOP, 1_500)?;
        expect_tracing(&mut bench, false, "after a start and a stop in the same cycle")?;
        fire_and_run(&mut bench, NOTIFY, 500)?;
        if bench.synchronised != before.1 {
            return Err("a packet begins while tracing is off".into());
        }
        off += bench.instructions - before.0;
    }
    bench.run(500)?;
    fire_and_run(&mut bench, START, 3_000)?;
    // The core does not run any more, so nothing is left that no packet tells of.
    fire(&mut bench, STOP)?;
    bench.wait(0, EMPTY, EMPTY)?;
    check_decoded(&bench, off, design, work)?;
    let [starts, stops, packets, waits, ..] = bench.fired;
    // Two of each are those before the first round, and one is that after the last.
    if [starts, stops] != [ROUNDS + 3; 2] || packets != bench.synchronised {
        return Err(format!("outputs fired {:?}, {} packets", bench.fired, bench.synchronised));
    }
    if waits == 0 || waits > bench.begins_to_wait {
        return Err(format!("{waits} of {} times without room", bench.begins_to_wait));
    }
    Ok(())
}

/// Every instruction is decoded or counted, at least `off` of them as executed while tracing was off.
fn check_decoded(bench: &Bench, off: u64, design: &Design, work: &Work) -> Result<(), String> {
    let decoded = Decoded::new(design, &work.program, &bench.bytes());
    decoded.check_parts(work)?;
    let account = decoded.recovered.instructions + decoded.recovered.lost_instructions;
    if account != bench.instructions {
        return Err(format!("{account} of {} instructions are accounted for", bench.instructions));
    }
    let counted = decoded.off();
    if counted.iter().sum::<u64>() < off || decoded.events.len() < 400 {
        let events = decoded.events.len();
        return Err(format!("{events} events, and {counted:?} instructions of {off} while off"));
    }
    Ok(())
}

#[test]
fn triggers_alone_trace_a_program() {
    let work = Work::new(60_000);
    let drop = [
        ("when_full", "drop"),
        ("trace_port_width", "8"),
        ("record_queue_depth", "8"),
        ("background_clearing", "true"),
        ("reset", "asynchronous"),
    ];
    let cases = [
        (switched("traptor-m4", &[("trace_port_width", "8"), ("sync_interval", "0")]), Bus::Apb, 1),
        (switched("talon-s", &drop), Bus::AxiLite, 1),
        (switched("nexs", &[("trace_port_width", "8"), ("sync_interval", "0")]), Bus::Apb, 2),
    ];
    for_each(&chosen(cases, &[1, 2]), |(design, bus, lanes)| {
        let control = Control { triggers: TRIGGERS, ..Control::new(*bus) };
        let (design, library) = built(design, &work, &control, *lanes);
        all((&library, &design, &work)).map_err(|what| format!("{}: {what}", design.name))
    });
}
