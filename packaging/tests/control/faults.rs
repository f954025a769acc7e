//! Do the tests notice? One fault at a time is put into what joins a trace module to its registers, and each has to be found.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tracewright_hdl::unit::{assemble_with_faults, register_file_with_faults};
use tracewright_hdl::{Fault, Generated};
use tracewright_sim::control::Bus;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::{Control, Ingress, Unit};
use tracewright_testbench::{BuildOptions, Library, design::source};

use super::designs::switched;
use super::traced::{Parts, Work};
use super::{ram, registers, sinks, trace, triggers};
use crate::common::{for_each, is_long};

/// What no run finds: benches, module, signals, kind and ordinal of faults in a line, below a reason. Words are lists with commas; a
/// module that is `-` is the outermost.
const SURVIVORS: &str = include_str!("survivors.txt");

/// Without `ALL_FAULTS` in the environment one fault in so many is tried.
const STEP: usize = 32;

/// A unit with every fault of what is around its trace module.
pub fn with_faults(
    design: &Design,
    control: Option<Control>,
    ingress: Option<Ingress>,
    sink: Option<Sink>,
) -> Generated {
    let sinks = sink.into_iter().collect();
    let unit = Unit { ingress, sinks, control, ..Unit::bare(design.clone()) };
    assemble_with_faults(&unit).expect("a good unit").into_whole()
}

/// Switches those of the faults on, one after the other, that are of a bench; `check`, which finds nothing without them, has to find
/// each that is not listed.
pub fn find_those(
    bench: &str,
    generated: &Generated,
    is_tried: impl Fn(&Fault) -> bool,
    check: impl Fn(&Arc<Library>) -> Result<(), String> + Sync,
) {
    let library = source(generated).build(&BuildOptions::default()).expect("it compiles");
    assert_eq!(check(&library), Ok(()), "{bench} without a fault");
    let named = |fault: &Fault| {
        let module = fault.module.split_once('_').map_or("", |(_, module)| module);
        format!("{bench} {module} {} {} {}", fault.signal, fault.kind, fault.ordinal)
    };
    let names: Vec<(u64, String)> = (1..)
        .zip(&generated.faults)
        .filter(|(_, fault)| is_tried(fault))
        .map(|(number, fault)| (number, named(fault)))
        .collect();
    let is_listed = |name: &str| SURVIVORS.lines().any(|line| means(line, name));
    let all = std::env::var_os("ALL_FAULTS").is_some();
    let tried = names.iter().filter(|(_, name)| all || !is_listed(name));
    let tried: Vec<_> = tried.step_by(if all { 1 } else { STEP }).collect();
    let survivors = Mutex::new(BTreeSet::new());
    for_each(&tried, |(number, name)| {
        let faulty = library.holding("fault_select", *number).expect("an input");
        if check(&faulty).is_ok() {
            println!("not found: {name}");
            survivors.lock().expect("a list").insert(name.as_str());
        }
        Ok(())
    });
    println!("{bench}: {} of {} faults tried", tried.len(), names.len());
    let survivors = survivors.into_inner().expect("a list");
    let unknown: Vec<_> = survivors.iter().filter(|name| !is_listed(name)).collect();
    assert!(unknown.is_empty(), "not found and not in survivors.txt: {unknown:#?}");
    let found = |(_, name): &&&(u64, String)| is_listed(name) && !survivors.contains(name.as_str());
    let found: Vec<_> = tried.iter().filter(found).collect();
    assert!(found.is_empty(), "found, and still in survivors.txt: {found:#?}");
}

/// Whether a line of the list means a fault: each of its words is one of those between the commas in the line.
fn means(line: &str, fault: &str) -> bool {
    let (words, forms) = (fault.split(' '), line.split(' '));
    words.clone().count() == forms.clone().count()
        && words.zip(forms).all(|(word, forms)| forms.split(',').any(|form| form == word))
}

/// The same with all faults.
pub fn find_each(
    bench: &str,
    generated: &Generated,
    check: impl Fn(&Arc<Library>) -> Result<(), String> + Sync,
) {
    find_those(bench, generated, |_| true, check);
}

#[test]
fn every_fault_of_the_registers_is_found() {
    let design = switched("nexs", &[("time_bits", "8")]);
    for (bench, bus) in [("registers-apb", Bus::Apb), ("registers-axi-lite", Bus::AxiLite)] {
        let control = Control { ram_sink: Some(256), ..Control::new(bus) };
        let generated = register_file_with_faults(&control, &design).expect("a good design");
        let map = control.map(&design).expect("a good design");
        find_each(bench, &generated, |library| registers::drive(library, &map));
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
    // What the others have too is tried by the first one.
    let signals: [&[&str]; 3] = [&[""], &["ram_sink", "sink_enable"], &["trigger"]];
    let benches: [(_, _, _, fn(Parts<'_>) -> _); 3] = [
        ("trace-port", &of_port, apb, trace::all),
        ("ring", &of_ram, with_ram, ram::all),
        ("triggers", &of_port, with_triggers, triggers::all),
    ];
    for ((bench, changes, control, check), signals) in benches.into_iter().zip(signals) {
        let design = work.design(&switched("nexs", changes));
        let generated = with_faults(&design, Some(control), None, None);
        let is_tried = |fault: &Fault| signals.iter().any(|part| fault.signal.contains(part));
        find_those(bench, &generated, is_tried, |library| check((library, &design, &work)));
    }
    let design = work.design(&switched("nexs", &[("trace_port_width", "2"), of_port[1]]));
    let control = sinks::around(Bus::Apb, Sink::Atb);
    let generated = with_faults(&design, Some(control), None, Some(Sink::Atb));
    let is_tried =
        |fault: &Fault| fault.module.ends_with("_atb") || fault.signal.contains("bridge");
    find_those("trace-bus", &generated, is_tried, |library| sinks::all((library, &design, &work)));
}
