//! What a run of the regression simulates.

use std::sync::Arc;

use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Unit;
use tracewright_testbench::Library;

use super::{Sink, SystemOnTraces};
use crate::cosimulation::{self, Setup};
use crate::error::Result;

/// What a run simulates.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The trace module of its design.
    Design,
    /// What takes the trace of its design, alone.
    Sink(Sink),
    /// The unit that its design is in.
    Unit(Arc<Unit>),
    /// A system, whose first hart has its design.
    System(Arc<SystemOnTraces>),
}

impl Subject {
    /// What takes the trace, if that is simulated alone.
    pub(super) fn sink(&self) -> Option<Sink> {
        match self {
            Subject::Sink(sink) => Some(*sink),
            Subject::Design | Subject::Unit(_) | Subject::System(_) => None,
        }
    }

    /// The model of the hardware, for a run of this design.
    pub(super) fn model(&self, design: &Design) -> Result<Arc<Library>> {
        match self {
            Subject::Design => cosimulation::model(&Setup::default(), design),
            Subject::Sink(sink) => sink.model(design),
            Subject::Unit(unit) => crate::unit::model(unit),
            Subject::System(system) => crate::system::model(&system.system),
        }
    }
}
