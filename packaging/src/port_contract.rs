//! A module that names in simulation the conventions of a core's port that its adapter does not have.

use minijinja::context;
use serde::Serialize;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::Pins;
use tracewright_sim::pins::Pin;
use tracewright_sim::pins::ingress::{self, OfInstructions};
use tracewright_sim::rvfi::{Compressed, Port, Trapped, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;

use crate::Error;
use crate::render::render;

const TEMPLATE: &str = include_str!("../templates/TOP_port_contract.v");

/// A pin of the port that the design has.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    /// What it says, in the names of the template.
    what: &'static str,
    /// Of each lane.
    bits: u32,
}

/// The file `TOP_rvfi_contract.v` or `TOP_retired_contract.v` for a design with an adapter of a port that shows instructions
/// one by one, with its name; nothing for another port.
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
    let port = match config.port {
        Port::Rvfi => "rvfi",
        Port::Retired => "retired",
    };
    let xlen = match config.xlen {
        Xlen::Rv32 => 32,
        Xlen::Rv64 => 64,
    };
    let of = ingress::Rvfi { config, processor: design.processor().clone() };
    let row = |pin: &Pin<ingress::Rvfi>, what| Row { name: pin.name, what, bits: pin.bits(&of) };
    let all = OfInstructions::of(config.port);
    let rows = [
        row(all.valid, "valid"),
        row(all.word, "word"),
        row(all.trap, "trap"),
        row(all.interrupt, "interrupt"),
        row(all.pc, "pc"),
        row(all.next_pc, "next"),
        row(all.compressed, "compressed"),
        row(all.number, "number"),
    ];
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.bits > 0).collect();
    let text = render(
        "port contract",
        TEMPLATE,
        context! {
            top => trace_module.top, pins, port, rows, lanes, xlen,
            lane_numbers => (0..lanes).collect::<Vec<_>>(),
            address_width => design.processor().address_width,
            says_next => config.pins.next,
            has_trap => config.pins.trap,
            has_interrupt => config.pins.interrupt,
            has_compressed => config.compressed == Compressed::Pin,
            numbered => config.pins.number,
            expanded => u8::from(config.compressed == Compressed::Expanded),
            trap_checked => u8::from(config.trap == Trapped::Checked),
            trap_pin => all.trap.name, pc_pin => all.pc.name, next_pin => all.next_pc.name,
        },
    )?;
    Ok(Some((format!("{}_{port}_contract.v", trace_module.top), text)))
}
