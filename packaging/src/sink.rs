//! A design with its trace port made for what takes the trace: a module around it.

use minijinja::context;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::Pins;
use crate::render::{range, render};

/// What takes the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// A trace bus of AMBA (ATB), of 8 to 64 bits. A narrower trace port is gathered into bytes.
    Atb,
    /// Pins of a chip: as many as the trace port has, a clock that is taken at both edges, and a pin that is high where there is no
    /// trace.
    Pins,
}

/// Widths of trace ports for pins.
const PIN_WIDTHS: [usize; 5] = [1, 2, 4, 8, 16];

/// Widths of trace ports that fill whole bytes of a trace bus.
const ATB_WIDTHS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

impl Sink {
    /// In names of modules and files.
    fn short(self) -> &'static str {
        match self {
            Sink::Atb => "atb",
            Sink::Pins => "pins",
        }
    }

    fn widths(self) -> &'static [usize] {
        match self {
            Sink::Atb => &ATB_WIDTHS,
            Sink::Pins => &PIN_WIDTHS,
        }
    }

    fn template(self) -> &'static str {
        match self {
            Sink::Atb => include_str!("../templates/TOP_atb.v"),
            Sink::Pins => include_str!("../templates/TOP_pins.v"),
        }
    }
}

/// The module `TOP_atb` or `TOP_pins` around `generated`, which is the Verilog of `design`: its file's name and text.
///
/// # Errors
/// When the trace port has a width that the sink cannot take, or the hardware has other pins than docs/hardware.md.
pub fn sink_wrapper(
    design: &Design,
    generated: &Generated,
    sink: Sink,
) -> Result<(String, String), Error> {
    let pins = Pins::find(design, generated)?;
    let width = pins.trace_width;
    if !sink.widths().contains(&width) {
        let widths: Vec<String> = sink.widths().iter().map(ToString::to_string).collect();
        return Err(Error::SinkWidth {
            design: design.name.clone(),
            sink: sink.short(),
            expected: widths.join(", "),
            width,
        });
    }
    let ports: Vec<_> = generated
        .ports
        .iter()
        .map(|port| {
            let direction = if port.direction == Direction::Input { "input" } else { "output" };
            context! { name => port.name, direction, range => range(port.width) }
        })
        .collect();
    let (bus_width, parts) = (width.max(8), 8usize.div_ceil(width).max(1));
    let bytes_bits = (bus_width / 8).ilog2() as usize;
    let count_bits = parts.ilog2() as usize + 1;
    let own = [
        "clock",
        "clock_enable",
        pins.reset,
        "trace_data",
        "trace_valid",
        "trace_ready",
        "sync_request",
    ];
    let text = render(
        sink.short(),
        sink.template(),
        context! {
            name => design.name, top => generated.top, trace_range => range(width), pins, ports, own, bus_width, parts,
            bytes_bits, bytes_range => range(bytes_bits), count_bits, count_range => range(count_bits),
        },
    )?;
    Ok((format!("{}_{}.v", generated.top, sink.short()), text))
}
