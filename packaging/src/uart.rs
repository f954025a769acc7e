//! A reader of the ring that needs no bus: it does the steps of docs/control.md and sends the memory by a serial line.

use minijinja::context;
use tracewright_hdl::{Direction, Generated, Storage};
use tracewright_sim::pins::{control, module};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::control::{Bus, Control};
use crate::pins::resets;
use crate::render::render;
use crate::wires::{self, pin, port, registered};

const TEMPLATE: &str = include_str!("../templates/TOP_uart.v");

/// What a dump begins with, on the line; its checksum is of what comes after it.
pub const MARK: [u8; 8] = *b"TWRING1\n";

/// Bits of the registers besides the count of words.
const OWN_BITS: usize = 5 + 1 + 2 + 32 + 32 + 3 + 4 + 16 + 1 + 1;

/// The module `TOP_uart` around `inner`, the whole that `control` makes of the design: the file that is added. Ports
/// and storage are those of the whole.
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
    let [reset, edge, in_reset] = resets(design);
    let is_kept = |name: &str| name != module::CLOCK.name && name != reset && !is_of_bus(name);
    let kept: Vec<_> =
        inner.ports.iter().filter(|port| is_kept(&port.name)).map(wires::passed).collect();
    let header =
        format!("// Reader of the ring of {}, made by `tracewright generate`.\n", design.name);
    let count_bits = (bytes / 4).ilog2().max(1) as usize;
    let [first, second] = [0, 4].map(|at| {
        format!("{:08x}", u32::from_le_bytes([MARK[at], MARK[at + 1], MARK[at + 2], MARK[at + 3]]))
    });
    let text = render(
        "uart",
        TEMPLATE,
        context! {
            header => header.clone(), name => design.name, top => inner.top, bytes, count_bits, reset, edge, in_reset, kept,
            marks => [first, second],
        },
    )?;
    let top = format!("{}_uart", inner.top);
    let bits = OWN_BITS + count_bits + 1;
    let own = [
        pin(&module::CLOCK, 1),
        port(reset, Direction::Input, 1),
        pin(&control::UART_STOP, 1),
        registered(pin(&control::UART_READY, 1)),
        registered(pin(&control::UART_TX, 1)),
    ];
    let storage = Storage { instance: "uart".into(), bits };
    Ok(Generated {
        files: vec![(format!("{top}.v"), text)],
        memory_files: Vec::new(),
        ports: wires::ports(&[&own, &kept]),
        storage: inner.storage.iter().cloned().chain([storage]).collect(),
        storage_bits: inner.storage_bits + bits,
        header: header.clone(),
        top_header: header,
        top,
        ..inner.clone()
    })
}

/// True for the pins of APB.
fn is_of_bus(name: &str) -> bool {
    Bus::Apb.signal_names().any(|signal| signal == name)
}
