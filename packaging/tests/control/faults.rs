//! Do the tests notice? One fault at a time is put into the register file or around the trace module, and each has to be
//! found. `make mutations` tries all; without `ALL_FAULTS` in the environment every 32nd one is tried.

use tempfile::TempDir;
use tracewright_hdl::Generated;
use tracewright_packaging::Sink;
use tracewright_packaging::control::{Bus, Control};
use tracewright_testbench::{BuildOptions, Cache, design::source};

use super::designs::{switched, whole, with_sink};
use super::fault_lists::{AROUND, AXI, Fault, RAM, REGISTERS, SINK, TRIGGERS};
use super::traced::{Parts, Work};
use super::{ram, registers, sinks, trace, triggers};
use crate::common::{for_each, is_long};

/// The Verilog with the fault; none if the text that it changes is not there.
fn broken(generated: &Generated, (_, from, to): Fault) -> Option<Generated> {
    let mut broken = generated.clone();
    let (_, text) = broken.files.iter_mut().rev().find(|(_, text)| text.contains(from))?;
    *text = text.replacen(from, to, 1);
    Some(broken)
}

/// Where broken models go: a few to all others, with which they share the compiled header, and all faults there are to a folder.
fn cache(folder: &TempDir) -> Option<Cache> {
    std::env::var_os("ALL_FAULTS").is_some().then(|| Cache::at(folder.path()))
}

/// Puts the faults in one at a time; `check`, which finds nothing without them, has to find each.
pub fn find_each(
    generated: &Generated,
    faults: &[Fault],
    check: impl Fn(&Generated, &BuildOptions) -> Result<(), String> + Sync,
) {
    let missing: Vec<_> =
        faults.iter().filter(|fault| broken(generated, **fault).is_none()).collect();
    assert!(missing.is_empty(), "change these faults with the hardware: {missing:?}");
    let folder = TempDir::new().expect("a directory");
    let options = BuildOptions { cache: cache(&folder), ..BuildOptions::default() };
    assert_eq!(check(generated, &options), Ok(()), "without a fault");
    let step = if std::env::var_os("ALL_FAULTS").is_some() { 1 } else { 32 };
    let tried: Vec<Fault> = faults.iter().copied().step_by(step).collect();
    for_each(&tried, |fault| {
        let broken = broken(generated, *fault).expect("it was there");
        let found = check(&broken, &options);
        println!("{:60} {}", fault.0, found.as_ref().err().map_or("SURVIVED", String::as_str));
        if found.is_err() { Ok(()) } else { Err(format!("not found: {}", fault.0)) }
    });
}

#[test]
fn every_fault_of_the_registers_is_found() {
    let design = switched("nexs", &[("time_bits", "8")]);
    let with_sink = |bus| Control { ram_sink: Some(256), ..Control::new(bus) };
    for (bus, faults) in [(Bus::Apb, REGISTERS), (Bus::AxiLite, AXI)] {
        let control = with_sink(bus);
        let generated = control.register_file(&design).expect("a good design");
        let map = control.map(&design).expect("a good design");
        find_each(&generated, faults, |generated, options| {
            registers::run(generated, &map, options)
        });
    }
}

#[test]
fn every_fault_around_the_trace_module_is_found() {
    let work = Work::new(if is_long() { 120_000 } else { 60_000 });
    let of_port = [("trace_port_width", "8"), ("sync_interval", "0")];
    let of_ram = [("trace_port_width", "8"), ("sync_interval", "1024")];
    let apb = Control::new(Bus::Apb);
    let with_ram = Control { ram_sink: Some(1 << 16), ..apb };
    let with_triggers = Control { triggers: triggers::TRIGGERS, ..apb };
    let lists: [(_, _, _, fn(Parts<'_>) -> _); 3] = [
        (&of_port, apb, AROUND, trace::all),
        (&of_ram, with_ram, RAM, ram::all),
        (&of_port, with_triggers, TRIGGERS, triggers::all),
    ];
    for (changes, control, faults, check) in lists {
        let design = work.design(&switched("nexs", changes));
        find_each(&whole(&design, &control), faults, |generated, options| {
            let library = source(generated).build(options).map_err(|error| error.to_string())?;
            check((&library, &design, &work))
        });
    }
    let design = work.design(&switched("nexs", &[("trace_port_width", "2"), of_port[1]]));
    let control = sinks::around(Bus::Apb, Sink::Atb);
    find_each(&with_sink(&design, &control, None, Sink::Atb), SINK, |generated, options| {
        let library = source(generated).build(options).map_err(|error| error.to_string())?;
        sinks::all((&library, &design, &work))
    });
}
