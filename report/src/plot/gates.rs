//! Plot of gates by module.

use super::Plot;
use super::bars::{Bar, Bars};
use crate::data::{DesignReport, Report};

const MEMORIES: &str = "memories";

/// The plot.
pub fn plot(report: &Report) -> Option<Plot> {
    let per_bit = report.designs.first()?.gates.storage_ge_per_bit;
    let bars = Bars {
        name: "Gates by module, stacked bars",
        axis: "gate equivalents (NAND2 = 1)",
        unit: "GE",
        first: Some(MEMORIES),
        bars: report.designs.iter().map(bar).collect(),
    };
    Some(Plot {
        id: "gates",
        title: "Gates by module",
        caption: format!(
            "Memories at {per_bit} gate equivalents per bit, and the logic of every module, registers \
             included. The figure after a bar is for the whole design, optimized across modules; where \
             that makes a difference a line marks it.{}",
            bars.sentence_on_longer()
        ),
        svg: bars.draw(),
    })
}

fn bar(design: &DesignReport) -> Bar {
    let gates = &design.gates;
    let mut parts = vec![(MEMORIES.into(), gates.storage_ge)];
    parts.extend(gates.modules.iter().map(|module| {
        let name = match module.module == gates.design {
            true => "top level".into(),
            false => kind(&module.module),
        };
        (name, module.logic_ge)
    }));
    Bar { label: design.design.clone(), parts, total: gates.total_ge }
}

/// A module's name without its parameters: `fifo_depth2_width65` is a `fifo`.
fn kind(module: &str) -> String {
    let words = module.split('_').take_while(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn kinds() {
        let kinds = ["fifo_depth2_width65", "gshare", "bit_packer"].map(super::kind);
        assert_eq!(kinds, ["fifo", "gshare", "bit packer"]);
    }
}
