//! A design and the modules around it, one more around each.

use anyhow::Result;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::assemble_system;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::System;

use super::design::{self, Changes};
use super::failure::usage;
use super::system::{self, is_system};
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

/// Each design alone, then with one module more at a time: its adapter, its sink, its registers. Of a system the unit of each
/// hart, then all of it.
///
/// # Errors
/// When a design or system does not exist, or cannot have what is asked for.
pub fn load_all(
    designs: &[String],
    changes: &Changes,
    arguments: &unit::Arguments,
) -> Result<Vec<Layer>> {
    let mut all = Vec::new();
    for group in designs.chunk_by(|one, other| !is_system(one) && !is_system(other)) {
        if let [system] = group
            && is_system(system)
        {
            if !changes.set.is_empty() || *arguments != unit::Arguments::default() {
                return Err(usage(format_args!(
                    "{system} is the file of a system: its harts say their designs and ports, expected no --set and no \
                     option for what is around a design"
                )));
            }
            all.extend(of_system(&system::load(system)?)?);
            continue;
        }
        for unit in design::asked_units(group, changes, arguments.asks_registers())? {
            let (around, design) = arguments.around(&unit)?;
            all.extend(layers(&design, &around)?);
        }
    }
    Ok(all)
}

/// The units of the harts, then all of it.
fn of_system(system: &System) -> Result<Vec<Layer>> {
    let assembly = assemble_system(system)?;
    let units = system.harts.iter().zip(assembly.units);
    let mut all: Vec<Layer> = units
        .map(|(hart, unit)| Layer {
            design: hart.design.clone(),
            around: hart.ingress.map(|ingress| ingress.name().to_owned()).into_iter().collect(),
            verilog: unit.into_whole(),
        })
        .collect();
    for unit in &mut all {
        unit.around.push("registers".into());
    }
    let mut design = system.harts[0].design.clone();
    design.name.clone_from(&system.name);
    let around = ["harts", "funnel", "sink"].map(str::to_owned).into();
    all.push(Layer { design, around, verilog: assembly.whole });
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
