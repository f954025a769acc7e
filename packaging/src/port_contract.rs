//! A module that names in simulation the conventions of a core's port that its adapter does not have.

use minijinja::context;
use tracewright_hdl::Generated;
use tracewright_sim::rvfi::Xlen;
use tracewright_sim::scheme::Design;

use crate::pins::Pins;
use crate::render::render;
use crate::{Error, Ingress};

const TEMPLATE: &str = include_str!("../templates/TOP_port_contract.v");

/// The file `TOP_rvfi_contract.v` for a design with an adapter of the RISC-V formal interface, with its name; nothing for
/// another port.
///
/// # Errors
/// When the hardware has other pins than docs/hardware.md.
pub fn port_contract(
    design: &Design,
    trace_module: &Generated,
    ingress: Ingress,
) -> Result<Option<(String, String)>, Error> {
    let Ingress::Rvfi(config) = ingress else { return Ok(None) };
    let pins = Pins::find(design, trace_module)?;
    let lanes = config.queue.lanes as usize;
    let xlen = match config.xlen {
        Xlen::Rv32 => 32,
        Xlen::Rv64 => 64,
    };
    let text = render(
        "port contract",
        TEMPLATE,
        context! {
            top => trace_module.top, pins, lanes, xlen, lane_numbers => (0..lanes).collect::<Vec<_>>(),
            address_width => design.processor().address_width,
        },
    )?;
    Ok(Some((format!("{}_rvfi_contract.v", trace_module.top), text)))
}
