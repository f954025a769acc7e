//! Faults that are texts: a piece of Verilog, and what stands in its place. Without `ALL_FAULTS` in the environment every
//! 96th one is tried, as each is a compilation.

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracewright_hdl::Generated;
use tracewright_sim::event::Item;
use tracewright_testbench::design::source;
use tracewright_testbench::{BuildOptions, Cache};

use super::bench::{difference, runs};
use super::subject::Subject;

/// One fault: in the first file of a module, the first `from` becomes `to`.
#[derive(Clone, Copy)]
pub struct Fault {
    /// What is wrong with it.
    pub what: &'static str,
    /// The file's name after the top module's, from its beginning.
    pub module: &'static str,
    /// Text of the right hardware.
    pub from: &'static str,
    /// Text of the wrong one.
    pub to: &'static str,
}

/// A fault, in one line.
pub const fn fault(
    what: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Fault {
    Fault { what, module, from, to }
}

/// The Verilog with the fault; none if the text that it changes is not there.
pub fn break_it(generated: &Generated, fault: &Fault) -> Option<Generated> {
    let mut broken = generated.clone();
    let name = |file: &str| {
        file.strip_prefix(&generated.top).is_some_and(|rest| rest.starts_with(fault.module))
    };
    let mut files = broken.files.iter_mut();
    let (_, text) = files.find(|(file, text)| name(file) && text.contains(fault.from))?;
    *text = text.replacen(fault.from, fault.to, 1);
    Some(broken)
}

/// Puts every fault of a subject in, one at a time; each has to be found.
pub fn find_every_fault<T: Copy + Into<Item> + Sync>(
    subject: &Subject<T>,
    faults: &[Fault],
    at_least: usize,
) {
    let generated = tracewright_hdl::generate(&subject.design).unwrap();
    let runs = runs(&subject.programs);
    let check = |generated: &Generated, cache: &Cache| {
        let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
        let library = source(generated).build(&options).unwrap();
        difference(&library, &subject.design, &runs)
    };
    find_each(&subject.design.name, &generated, faults, at_least, check);
}

/// Puts the faults in one at a time; `check`, which finds nothing without them, has to find each.
pub fn find_each(
    name: &str,
    generated: &Generated,
    faults: &[Fault],
    at_least: usize,
    check: impl Fn(&Generated, &Cache) -> Option<String> + Sync,
) {
    let (mut broken, mut missing) = (Vec::new(), String::new());
    for fault in faults {
        match break_it(generated, fault) {
            Some(verilog) => broken.push((fault, verilog)),
            None => {
                missing.push_str(&format!("\n{} in {}: `{}`", fault.what, fault.module, fault.from))
            }
        }
    }
    assert!(missing.is_empty(), "{name}: change these faults with the hardware:{missing}");

    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    assert_eq!(check(generated, &cache), None, "without a fault");

    let step = if std::env::var_os("ALL_FAULTS").is_some() { 1 } else { 96 };
    let tried: Vec<_> = broken.iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let survivors = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((fault, broken)) = tried.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found =
                        std::panic::catch_unwind(AssertUnwindSafe(|| check(broken, &cache)));
                    let found = found.unwrap_or_else(|_| panic!("{name}: {}", fault.what));
                    println!("{:60} {}", fault.what, found.as_deref().unwrap_or("SURVIVED"));
                    if found.is_none() {
                        survivors.lock().unwrap().push(fault.what);
                    }
                }
            });
        }
    });
    let survivors = survivors.into_inner().unwrap();
    let count = faults.len();
    println!("{name}: {} of {count} faults, {} not found", tried.len(), survivors.len());
    assert!(count >= at_least && survivors.is_empty(), "{name}: not found: {survivors:?}");
}
