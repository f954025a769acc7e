//! What is written of control registers beside their hardware: registers of a design, of a funnel, of a system.
//!
//! The registers and their fields are declared once, in `tracewright_sim::control`, from what the design has. All else is
//! written from that map: the hardware (`tracewright_hdl::unit`), SystemRDL, CMSIS-SVD, the memory map of the IP-XACT
//! component, the page for people, and the names and numbers of drivers. The tests drive the hardware by it.

mod package;

use std::collections::BTreeMap;

use tracewright_hdl::Generated;
use tracewright_hdl::unit::FunnelControl;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;

use crate::Error;
pub(crate) use package::{Part, files_of_system};

/// The files of registers beside the Verilog, by their names: SystemRDL, CMSIS-SVD and the register map for people, a FuseSoC core
/// and an IP-XACT component of the whole, and what drives it: in `driver/` two files in C with a header of the
/// registers, and a script for OpenOCD, and a fragment of a device tree. `sources` are the names of the Verilog files of the core,
/// every one after those with the modules that it instantiates, and `added` those that registers add.
///
/// # Errors
/// When the design can have no such registers.
pub fn package(
    control: &Control,
    design: &Design,
    whole: &Generated,
    (sources, added): (&[&str], &[&str]),
) -> Result<BTreeMap<String, String>, Error> {
    let map = control.map(design).map_err(tracewright_hdl::Error::from)?;
    package::files(design, whole, &map, control.bus, (sources, added))
}

/// The files of a funnel's registers beside the Verilog, by their names: SystemRDL, CMSIS-SVD and the register map for people, a
/// FuseSoC core and an IP-XACT component of the whole, a driver in C and a fragment of a device tree. `sources` are the names of
/// the Verilog files of the funnel, and `added` those that registers add.
///
/// # Errors
/// When the funnel breaks a constraint.
pub fn package_of_funnel(
    control: &FunnelControl<'_>,
    whole: &Generated,
    names: (&[&str], &[&str]),
) -> Result<BTreeMap<String, String>, Error> {
    let (owner, map) = (control.owner(), control.map()?);
    package::files_of_funnel(owner, whole, &map, control.bus, names, control.config.sources)
}
