//! A sink around a module, and its bench.

use std::fmt::Write;

use tracewright_hdl::unit::sink_wrapper;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::control::designs::switched;
use crate::control::traced::Work;

const BENCH: &str = include_str!("bench.v");

/// The lowest bit of each pin of a block, and the bits of all.
pub type Layout = (Vec<(String, usize, usize)>, usize);

/// A sink, or the trace port itself, its width, and a core that does not wait.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub sink: Option<Sink>,
    pub width: u32,
    pub drops: bool,
}

impl Case {
    pub fn name(self) -> String {
        let sink = self.sink.map_or("port", Sink::short);
        format!("{sink}_{}_{}", self.width, if self.drops { "drop" } else { "stall" })
    }

    pub fn design(self, work: &Work) -> Design {
        let mut design = work.design(&switched(
            "nexs",
            &[
                ("trace_port_width", &self.width.to_string()),
                ("when_full", if self.drops { "drop" } else { "stall" }),
                ("checksum_bits", "8"),
                ("sync_interval", "0"),
                ("record_queue_depth", "8"),
            ],
        ));
        design.name = self.name();
        design
    }

    /// Bits of a beat that is taken.
    pub fn beat_bits(self) -> u32 {
        self.sink.map_or(self.width, |sink| sink.beat_bits(self.width))
    }

    /// The module with its sink, and the module with the trace port.
    pub fn whole(self, design: &Design) -> Generated {
        let generated = tracewright_hdl::generate(design).expect("a good design");
        let Some(sink) = self.sink else { return generated };
        let around = sink_wrapper(design, &generated, sink).expect("a width that fits");
        let mut files = generated.files;
        files.extend(around.files.clone());
        Generated { files, ..around }
    }

    /// The module in its bench, whose blocks have this layout.
    fn instance(self, whole: &Generated, layout: &Layout) -> String {
        let mut lines = Vec::new();
        for port in &whole.ports {
            let name = port.name.as_str();
            let pin = name.trim_end_matches("_0");
            let connection = match name {
                "clock" | "aclk" | "atclk" => "clock".to_owned(),
                "reset" => "!resetn".into(),
                "aresetn" | "atresetn" => "resetn".into(),
                "enable" | "flush" | "discard" | "flushed" => name.into(),
                "trace_data" | "m_axis_tdata" | "atdata" | "pin_data" => "wide".into(),
                "trace_valid" | "m_axis_tvalid" | "atvalid" => "valid".into(),
                "trace_ready" | "m_axis_tready" | "atready" => "ready".into(),
                "m_axis_tlast" => "last".into(),
                "pin_clock" | "pin_idle" => name.into(),
                "trace_id" => "7'd9".into(),
                "sync_request" | "syncreq" | "afvalid" => "1'b0".into(),
                _ if pin == "stall" => "waits".into(),
                _ if pin == "retire_valid" => "shown".into(),
                _ if port.direction == Direction::Output => String::new(),
                _ => format!("block[{}]", slice(layout, pin)),
            };
            lines.push(format!("        .{name} ({connection})"));
        }
        let data = whole.ports.iter().find(|port| {
            ["trace_data", "m_axis_tdata", "atdata", "pin_data"].contains(&port.name.as_str())
        });
        let data = data.expect("a port for the trace").width;
        let mut instance = format!("    wire [{}:0] wide;\n", data - 1);
        if self.drops {
            instance += "    assign waits = 1'b0;\n";
        }
        if self.sink == Some(Sink::Pins) {
            // A value is taken at each edge of the pins' clock.
            instance += "    wire pin_clock, pin_idle;\n    reg before = 0;\n    \
                         always @(posedge clock) before <= pin_clock;\n    \
                         assign valid = (pin_clock ^ before) & !pin_idle;\n";
        }
        if self.sink != Some(Sink::AxiStream) {
            instance += "    assign last = 1'b0;\n";
        }
        let _ = write!(
            instance,
            "    assign data = wide[{}:0];\n    {} trace (\n{}\n    );\n",
            self.beat_bits() - 1,
            whole.top,
            lines.join(",\n")
        );
        instance
    }

    /// The bench of a module, whose blocks have this layout.
    pub fn bench(self, whole: &Generated, layout: &Layout) -> String {
        let kind = self.sink.map_or(0, |sink| match sink {
            Sink::AxiStream => 1,
            Sink::Atb => 2,
            Sink::Pins => 3,
        });
        // Of 16 cycles: a core that does not wait must be slow for a narrow port.
        let rate = match self.drops {
            false => 16,
            true if self.width < 8 => 1,
            true => 4,
        };
        BENCH
            .replace("INSTANCE", &self.instance(whole, layout))
            .replace("BLOCK_BITS", &layout.1.to_string())
            .replace("TAKEN_BITS", &self.beat_bits().to_string())
            .replace("COUNT", &slice(layout, "retire_count"))
            .replace("SEED", &(self.width * 2 + u32::from(self.drops) + 1000 * kind).to_string())
            .replace("SINK", &kind.to_string())
            .replace("RATE", &rate.to_string())
            .replace("LOSES", &u8::from(self.drops).to_string())
            .replace("BENCH", &format!("bench_{}", self.name()))
    }
}

/// The bits of a pin in a block.
fn slice(layout: &Layout, pin: &str) -> String {
    let of_pin = layout.0.iter().find(|(name, _, _)| name == pin);
    let (_, low, width) = of_pin.unwrap_or_else(|| panic!("nothing is known of the pin {pin}"));
    format!("{}:{low}", low + width - 1)
}
