//! Registers around a trace module or a funnel.

mod around;
mod funnel;
mod registers;
pub(super) mod sink_joints;

use tracewright_sim::control::Bus;
use tracewright_sim::control::table::Map;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;

pub use self::funnel::FunnelControl;

use crate::{Error, Generated};

/// The module with the registers of a map on an APB, with the name and in the style of a design.
pub(super) fn register_file_of(design: &Design, map: &Map) -> Result<Generated, Error> {
    registers::register_file(design, map, Bus::Apb)
}

/// The register file of a design alone: the bus on one side, the fields on the other.
///
/// # Errors
/// When the design can have no such registers.
pub fn register_file(control: &Control, design: &Design) -> Result<Generated, Error> {
    registers::register_file(design, &control.map(design)?, control.bus)
}

/// The same with an input `fault_select`, whose value N puts the fault of that number into how its parts are joined.
///
/// # Errors
/// Those of [`register_file`].
pub fn register_file_with_faults(control: &Control, design: &Design) -> Result<Generated, Error> {
    registers::register_module(design.into(), &control.map(design)?, control.bus, true)
}

/// What is added to `inner`, the Verilog of `design` with or without the adapters of its cores: the module
/// `TOP_control` around all, and what it instantiates beside it. Ports and storage are those of the whole.
///
/// # Errors
/// When the design can have no such registers.
pub fn registers_around(
    control: &Control,
    design: &Design,
    inner: &Generated,
) -> Result<Generated, Error> {
    module(control, design, inner, false)
}

/// The same, with or without faults in how it is joined.
pub(super) fn module(
    control: &Control,
    design: &Design,
    inner: &Generated,
    faults: bool,
) -> Result<Generated, Error> {
    around::control(design, inner, &control.map(design)?, control, faults)
}

/// `inner` with what is [around](registers_around) it.
///
/// # Errors
/// When the design can have no such registers.
pub fn with_registers(
    control: &Control,
    design: &Design,
    inner: Generated,
) -> Result<Generated, Error> {
    let added = registers_around(control, design, &inner)?;
    let (mut files, mut memory_files) = (inner.files, inner.memory_files);
    files.extend(added.files);
    memory_files.extend(added.memory_files);
    Ok(Generated { files, memory_files, ..added })
}
