//! Memories by their shape: what one costs when it is made of flip-flops.

use std::fmt::Write;

use crate::error::{Error, Result};
use crate::netlist::{Bit, Cell};
use crate::tool;

/// All that a memory's gates depend on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Shape {
    pub(crate) depth: u64,
    pub(crate) width: u64,
    read_ports: u64,
    /// For every port that writes, the widths of the parts of a word that have an enable of their own.
    write_ports: Vec<Vec<u64>>,
}

impl Shape {
    /// The shape of a memory of `design`.
    pub(crate) fn of(design: &str, cell: &Cell) -> Result<Shape> {
        let number = |name: &str| {
            cell.number(name).ok_or_else(|| Error::Output {
                tool: tool::YOSYS.name,
                design: design.to_owned(),
                reason: format!("a memory in its netlist has no number {name}"),
            })
        };
        let width = number("WIDTH")?;
        let enables = cell.bits("WR_EN").chunks(width.max(1) as usize);
        let runs = |enables: &[Bit]| -> Vec<u64> {
            enables.chunk_by(|one, next| one == next).map(|run| run.len() as u64).collect()
        };
        Ok(Shape {
            depth: number("SIZE")?,
            width,
            read_ports: number("RD_PORTS")?,
            write_ports: enables.map(runs).collect(),
        })
    }

    /// Bits.
    pub(crate) fn bits(&self) -> u64 {
        self.depth * self.width
    }

    /// A module `memory` that is such a memory and nothing else.
    pub(crate) fn verilog(&self) -> String {
        let Shape { depth, width, .. } = self;
        let address = (64 - depth.saturating_sub(1).leading_zeros()).max(1);
        let (mut ports, mut body) = (String::from("input wire clock"), String::new());
        for port in 0..self.read_ports {
            let _ = write!(
                ports,
                ", input wire [{}:0] read_address_{port}, output wire [{}:0] read_data_{port}",
                address - 1,
                width - 1
            );
            let _ = writeln!(body, "    assign read_data_{port} = cells[read_address_{port}];");
        }
        for (port, parts) in self.write_ports.iter().enumerate() {
            let _ = write!(
                ports,
                ", input wire [{}:0] write_enable_{port}, input wire [{}:0] write_address_{port}, input wire [{}:0] write_data_{port}",
                parts.len() - 1,
                address - 1,
                width - 1
            );
            let mut low = 0;
            for (part, width) in parts.iter().enumerate() {
                let range = format!("[{}:{low}]", low + width - 1);
                let _ = writeln!(
                    body,
                    "    always @(posedge clock) if (write_enable_{port}[{part}]) cells[write_address_{port}]{range} <= write_data_{port}{range};",
                );
                low += width;
            }
        }
        format!(
            "module memory({ports});\n    reg [{}:0] cells [0:{}];\n{body}endmodule\n",
            width - 1,
            depth - 1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_in_verilog() {
        let shape = Shape { depth: 5, width: 6, read_ports: 1, write_ports: vec![vec![4, 2]] };
        let expected = "\
module memory(input wire clock, input wire [2:0] read_address_0, output wire [5:0] read_data_0, input wire [1:0] write_enable_0, input wire [2:0] write_address_0, input wire [5:0] write_data_0);
    reg [5:0] cells [0:4];
    assign read_data_0 = cells[read_address_0];
    always @(posedge clock) if (write_enable_0[0]) cells[write_address_0][3:0] <= write_data_0[3:0];
    always @(posedge clock) if (write_enable_0[1]) cells[write_address_0][5:4] <= write_data_0[5:4];
endmodule
";
        assert_eq!(shape.verilog(), expected);
        assert_eq!(shape.bits(), 30);
    }
}
