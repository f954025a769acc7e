//! A reader of the ring that needs no bus: it does the steps of docs/control.md and sends the memory by a serial line.

use minijinja::context;
use tracewright_hdl::{Direction, Generated, Port, Storage};
use tracewright_sim::pins::{control, module};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::control::{Bus, Control, signal_names};
use crate::pins::reset;
use crate::render::render;
use crate::wires::{self, pin, port};

const TEMPLATE: &str = include_str!("../templates/TOP_uart.v");

/// The module `TOP_uart` around `inner`, the whole that `control` makes of the design, and the reader in it: the files that
/// are added. Ports and storage are those of the whole.
///
/// # Errors
/// When the registers are not on APB, or there is no RAM sink.
pub fn uart_reader(
    design: &Design,
    inner: &Generated,
    control: &Control,
) -> Result<Generated, Error> {
    let named = || design.name.clone();
    let bytes = match (control.bus, control.ram_sink) {
        (Bus::Apb, Some(bytes)) => bytes,
        _ => return Err(Error::Reader { design: named() }),
    };
    let reset = reset(design);
    let is_kept = |name: &str| name != module::CLOCK.name && name != reset && !is_of_bus(name);
    let kept: Vec<_> =
        inner.ports.iter().filter(|port| is_kept(&port.name)).map(wires::passed).collect();
    let block = tracewright_hdl::generate_uart_reader(design, bytes)?;
    let own = [
        pin(&module::CLOCK, 1),
        port(reset, Direction::Input, 1),
        pin(&control::UART_STOP, 1),
        pin(&control::UART_READY, 1),
        pin(&control::UART_TX, 1),
    ];
    let ports: Vec<_> = own.into_iter().chain(kept).collect();
    // Like the registers, the reader does not wait for the clock enable of the trace module.
    let of_reader = block.ports.iter().map(|port| match port.name.as_str() {
        name if name == module::CLOCK_ENABLE.name => (name, "1'b1"),
        name if name == control::CYCLES_PER_BIT.name => (name, "CYCLES_PER_BIT"),
        name => (name, name),
    });
    let of_inner = inner.ports.iter().map(|port| match port.name.as_str() {
        name if name == control::PSTRB.name => (name, "4'hf"),
        name if name == control::PPROT.name => (name, "3'd0"),
        name => (name, name),
    });
    let is_wire = |port: &&Port| {
        let constant = [control::PSTRB.name, control::PPROT.name];
        is_of_bus(&port.name) && !constant.contains(&port.name.as_str())
    };
    let bus = inner.ports.iter().filter(is_wire).map(wires::passed);
    let text = render(
        "uart",
        TEMPLATE,
        context! {
            header => block.header, name => design.name, top => inner.top, bytes, reader => block.top, ports,
            bus => bus.collect::<Vec<_>>(), of_reader => of_reader.collect::<Vec<_>>(),
            of_inner => of_inner.collect::<Vec<_>>(), unread => control::PSLVERR.name,
        },
    )?;
    let top = format!("{}_uart", inner.top);
    let storage = Storage { instance: "uart".into(), bits: block.storage_bits };
    let mut files = block.files;
    files.push((format!("{top}.v"), text));
    Ok(Generated {
        files,
        ports: wires::ports(&[&ports]),
        storage: inner.storage.iter().cloned().chain([storage]).collect(),
        storage_bits: inner.storage_bits + block.storage_bits,
        memory_bits: inner.memory_bits,
        top,
        ..block
    })
}

/// True for the pins of APB.
fn is_of_bus(name: &str) -> bool {
    signal_names(Bus::Apb).any(|signal| signal == name)
}
