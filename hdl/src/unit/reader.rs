//! A reader of the ring that needs no bus: it does the steps of docs/control.md and sends the memory by a serial line.

use tracewright_sim::control::Bus;
use tracewright_sim::pins::{control, module};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::uart_reader::CYCLES_BITS;
use tracewright_sim::unit::{Control, UnitError};

use crate::unit::pins::reset;
use crate::unit::wires::{around, instance, made, pin, port, storage};
use crate::{Connection, Direction, Error, Generated, Value};

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
    reader_module(design, inner, control, false)
}

/// The same, with or without faults in how it is joined.
pub(crate) fn reader_module(
    design: &Design,
    inner: &Generated,
    control: &Control,
    faults: bool,
) -> Result<Generated, Error> {
    let named = || design.name.clone();
    let bytes = match (control.bus, control.ram_sink) {
        (Bus::Apb, Some(bytes)) => bytes,
        _ => return Err(UnitError::Reader { design: named() }.into()),
    };
    let reset = reset(design);
    let is_kept = |name: &str| name != module::CLOCK.name && name != reset && !is_of_bus(name);
    let kept = inner.ports.iter().filter(|port| is_kept(&port.name)).cloned();
    let block = crate::generate_uart_reader(design, bytes)?;
    let own = [
        pin(&module::CLOCK, 1),
        port(reset, Direction::Input, 1),
        pin(&control::UART_STOP, 1),
        pin(&control::UART_READY, 1),
        pin(&control::UART_TX, 1),
    ];
    let ports: Vec<_> = own.into_iter().chain(kept).collect();
    let top = format!("{}_uart", inner.top);
    let mut assembly = around(&top, &ports, faults);
    let period = assembly.parameter("CYCLES_PER_BIT", CYCLES_BITS as usize, 217, PERIOD);
    instance(&mut assembly, "reader", &block, |assembly, port| match port.name.as_str() {
        // Like the registers, the reader does not wait for the clock enable of the trace module.
        name if name == module::CLOCK_ENABLE.name => Value::constant(1, 1).into(),
        name if name == control::CYCLES_PER_BIT.name => period.into(),
        _ => assembly.same(port),
    });
    instance(&mut assembly, "trace", inner, |assembly, port| match port.name.as_str() {
        name if name == control::PSTRB.name => Value::constant(port.width, 0xf).into(),
        name if name == control::PPROT.name => Value::constant(port.width, 0).into(),
        // The reader knows which registers there are.
        name if name == control::PSLVERR.name => Connection::Open,
        _ => assembly.same(port),
    });
    let made = made(assembly, &block.header, &title(&design.name, bytes))?;
    let mut files = block.files;
    files.push(made.file);
    let own = storage("uart", block.storage_bits);
    Ok(Generated {
        files,
        ports: made.ports,
        storage: inner.storage.iter().cloned().chain([own]).collect(),
        storage_bits: inner.storage_bits + block.storage_bits,
        memory_bits: inner.memory_bits,
        faults: made.faults,
        top,
        ..block
    })
}

/// What an integrator chooses.
const PERIOD: &str = "of the clock for a bit of the line: 115,200 bits per second at 25 MHz";

/// What the module is.
fn title(name: &str, bytes: u32) -> String {
    format!(
        "{name} with a ring of {bytes} bytes that is read by a serial line, without a processor or a debugger on its bus: a\n\
         state machine does the steps of docs/control.md. It switches tracing on after the reset. While `stop` is high, tracing is off\n\
         and the line sends the ring, again and again, as `tracewright decode --uart` reads it (docs/control.md). Once `stop` is\n\
         low again, the dump that is being sent is ended, and tracing begins anew.\n"
    )
}

/// True for the pins of APB.
fn is_of_bus(name: &str) -> bool {
    Bus::Apb.pins().iter().any(|pin| pin.name == name)
}
