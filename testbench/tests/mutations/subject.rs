//! What faults are put into.

use tracewright_sim::event::Event;
use tracewright_sim::scheme::Design;

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

/// A design, what it is shown, events or accesses, and its faults.
pub struct Subject<T = Event> {
    /// The design.
    pub design: Design,
    /// What it is shown: the first with random back-pressure, bubbles and flushes, the second at one
    /// instruction per cycle.
    pub programs: [Vec<T>; 2],
    /// Its faults.
    pub faults: &'static [Fault],
}
