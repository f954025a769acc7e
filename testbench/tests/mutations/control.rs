//! Faults in the hardware of control registers.

use tracewright_hdl::Part;
use tracewright_hdl::control::ControlPart;
use tracewright_sim::control::Bus;
use tracewright_testbench::control::run_at_random;

use super::bench::Bench;
use crate::control::{FULL, Ring, map};
use crate::sinks::design;

/// Every fault of a part of the registers of a design with these changes.
fn bench<'a>(
    name: &'static str,
    changes: &[(&str, &str)],
    part: impl Fn() -> ControlPart<'a> + Sync + 'a,
) -> Bench<'a> {
    let design = design(8, true, changes);
    let made = part();
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            run_at_random(library, part(), seed).err().map(|failure| failure.to_string())
        })
    };
    Bench::new(name, Part::Control((&design).into(), made), Box::new(check))
}

/// The front end of a bus.
pub fn front_end(name: &'static str, bus: Bus) -> Bench<'static> {
    bench(name, &[], move || ControlPart::FrontEnd(bus))
}

/// What switches a trace module with everything around it.
pub fn switch() -> Bench<'static> {
    bench("trace-switch", &[("clock_enable", "true")], || ControlPart::Switch(&FULL))
}

/// What keeps a trace from a trace bus.
pub fn bridge_gate() -> Bench<'static> {
    bench("bridge-gate", &[("clock_enable", "true")], || ControlPart::BridgeGate)
}

/// The counter of a time of five bits.
pub fn timestamp_unit() -> Bench<'static> {
    bench("timestamp-unit", &[], || ControlPart::TimestampUnit(5))
}

/// Two triggers from outside, of a module that can stand still.
pub fn trigger_inputs() -> Bench<'static> {
    bench("trigger-inputs", &[], || ControlPart::TriggerInputs(2, true))
}

/// Two triggers to outside, of a module that can stand still.
pub fn trigger_outputs() -> Bench<'static> {
    bench("trigger-outputs", &[], || ControlPart::TriggerOutputs(2, true))
}

/// What gives transfers on an APB to three units.
pub fn apb_split() -> Bench<'static> {
    bench("apb-split", &[], || ControlPart::ApbSplit(3))
}

/// What makes transfers on an APB of those on an AXI4-Lite.
pub fn axi_lite_to_apb() -> Bench<'static> {
    bench("axi-lite-to-apb", &[], || ControlPart::AxiLiteToApb(18))
}

/// What switches a funnel of three sources that can stand still.
pub fn funnel_switch() -> Bench<'static> {
    bench("funnel-switch", &[("clock_enable", "true")], || ControlPart::FunnelSwitch(3))
}

/// The registers of a table with two triggers of each kind, and a ring.
pub fn find_in_registers(name: &'static str, ring: Ring, at_least: usize) {
    let map = map(&design(8, true, &[]), (2, 2), ring);
    bench(name, &[], || ControlPart::Registers(&map)).find_every_fault(at_least);
}
