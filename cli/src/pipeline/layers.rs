//! A design and the modules around it, one more around each.

use anyhow::Result;
use tracewright_hdl::Generated;
use tracewright_sim::scheme::Design;

use super::design::{self, Changes};
use super::failure::usage;
use super::unit::{self, Around};

/// The Verilog of a design, with some of the modules around it.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The design, with the pins that the modules around it need.
    pub design: Design,
    /// The modules around it, from the inside out, as they are in the name of the top module.
    pub around: Vec<String>,
    /// All of it.
    pub verilog: Generated,
}

impl Layer {
    /// What a row of a table is called.
    pub fn title(&self) -> String {
        std::iter::once(&self.design.name)
            .chain(&self.around)
            .cloned()
            .collect::<Vec<_>>()
            .join(" + ")
    }
}

/// Each design alone, then with one module more at a time: its adapter, its sink, its registers.
///
/// # Errors
/// When a design does not exist, or cannot have what is asked for.
pub fn load_all(
    designs: &[String],
    changes: &Changes,
    arguments: &unit::Arguments,
) -> Result<Vec<Layer>> {
    let mut all = Vec::new();
    for unit in design::asked_units(designs, changes, arguments.asks_registers())? {
        let (around, design) = arguments.around(&unit)?;
        all.extend(layers(&design, &around)?);
    }
    Ok(all)
}

fn layers(design: &Design, around: &Around) -> Result<Vec<Layer>> {
    if around.sinks.len() > 1 {
        return Err(usage("--sink or [sink]: expected one sink, to count what it costs"));
    }
    let layers = around.assemble(design)?.growing();
    let inner = layers[0].top.clone();
    let layer = |verilog: Generated| Layer {
        design: design.clone(),
        around: verilog.top[inner.len()..]
            .split_terminator('_')
            .skip(1)
            .map(str::to_owned)
            .collect(),
        verilog,
    };
    Ok(layers.into_iter().map(layer).collect())
}
