//! A module around a design that needs three pins, so that any device has enough.

use std::fmt::Write;

use tracewright_hdl::{Direction, Generated};
use tracewright_sim::pins::{is_clock, module};

/// The wrapper's module.
pub(crate) const WRAPPER: &str = "tracewright_fpga_wrapper";

/// The clock's port; a module with a sink has that of its bus.
pub(crate) fn clock(design: &Generated) -> &str {
    let clock = design.ports.iter().find(|port| is_clock(&port.name));
    clock.map_or(module::CLOCK.name, |port| &port.name)
}

/// Every input comes from a register of one long shift register; every output goes into a register,
/// and these are folded into one bit. So paths begin and end at registers, as they will in a chip, and
/// nothing of the design can be optimized away.
pub(crate) fn verilog(design: &Generated) -> String {
    let clock = clock(design);
    let pins = design.ports.iter().filter(|port| port.name != clock);
    let (mut inputs, mut outputs) = (0, 0);
    let mut connections = format!(".{clock}(clock)");
    for port in pins {
        let (register, next) = match port.direction {
            Direction::Input => ("inputs", &mut inputs),
            Direction::Output => ("outputs", &mut outputs),
        };
        let low = *next;
        *next += port.width;
        let _ = write!(connections, ",\n        .{}({register}[{}:{low}])", port.name, *next - 1);
    }
    format!(
        "\
module {WRAPPER} (input wire clock, input wire serial, output reg folded);
    reg [{last_input}:0] inputs;
    wire [{last_output}:0] outputs;
    reg [{last_output}:0] registered;
    {top} design (
        {connections}
    );
    always @(posedge clock) begin
        inputs <= {{inputs, serial}};
        registered <= outputs;
        folded <= ^registered;
    end
endmodule
",
        last_input = inputs - 1,
        last_output = outputs - 1,
        top = design.top,
    )
}

#[cfg(test)]
mod tests {
    use tracewright_sim::scheme::Design;

    #[test]
    fn every_pin_is_connected_once() {
        let design = Design::preset("traptor-s0").expect("a preset");
        let generated = tracewright_hdl::generate(&design).expect("it can be elaborated");
        let wrapper = super::verilog(&generated);
        for port in &generated.ports {
            assert_eq!(wrapper.matches(&format!(".{}(", port.name)).count(), 1, "{}", port.name);
        }
    }
}
