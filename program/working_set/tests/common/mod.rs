//! Sinks that keep what they get, and the programs of `workloads/`.

use std::path::PathBuf;

use tracewright_sim::event::{Access, Event, Item};
use tracewright_working_set::{
    CaptureOptions, Captured, Error, Program, Sink, WorkingSet, capture, replay,
};

/// Every event and access.
#[derive(Default)]
pub struct Items(pub Vec<Item>);

impl Sink for Items {
    type Error = Error;

    const DATA: bool = true;

    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.0.push(Item::Event(*event));
        Ok(())
    }

    fn access(&mut self, access: &Access) -> Result<(), Error> {
        self.0.push(Item::Access(*access));
        Ok(())
    }
}

/// A file of `workloads/`.
pub fn workload(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../workloads").join(name)
}

/// The bytes of a file of `workloads/`.
pub fn read(name: &str) -> Vec<u8> {
    let path = workload(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A program of `workloads/`.
pub fn program(name: &str) -> Program {
    Program::of_elf(&read(&format!("{name}.elf"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The options with which `make workloads` captures.
pub fn options() -> CaptureOptions {
    CaptureOptions { input: read("programs/words.txt"), ..CaptureOptions::default() }
}

/// A run with all it did.
pub fn captured(program: &Program, options: &CaptureOptions) -> (Captured, Vec<Item>) {
    let mut items = Items::default();
    let captured = capture(program, options, &mut items, |_| {}).expect("a sound program");
    (captured, items.0)
}

/// A replay with all it did.
pub fn replayed(working_set: &WorkingSet) -> Result<Vec<Item>, Error> {
    let mut items = Items::default();
    replay(working_set, &mut items, |_| {})?;
    Ok(items.0)
}
