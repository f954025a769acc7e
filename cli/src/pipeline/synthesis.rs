//! Gates and FPGA resources of several designs, computed in parallel.

use anyhow::{Context, Result};
use rayon::prelude::*;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{
    Family, Fpga, FpgaFlow, FpgaOptions, GateCounter, GateOptions, Gates, Totals,
};
use tracewright_testbench::Cache;

use super::layers::Layer;
use super::progress;

/// The part of the user's cache with the results of synthesis.
///
/// # Errors
/// When there is no cache directory.
pub fn cache() -> Result<Cache> {
    Ok(Cache::of_user()?.within("synthesis"))
}

/// Fails if the tool that counts gates is missing, before anything else is done.
///
/// # Errors
/// When it is.
pub fn check() -> Result<()> {
    GateCounter::new(GateOptions::default(), &cache()?)?;
    Ok(())
}

/// The gates of every design, in the order of the designs.
///
/// # Errors
/// When a tool is missing or fails, or the library is not valid.
pub fn gates(designs: &[Design], options: GateOptions) -> Result<Vec<Gates>> {
    gates_of(&alone(designs)?, options)
}

/// The logic and the storage of every design, in the order of the designs.
///
/// # Errors
/// Those of [`gates`].
pub fn totals(designs: &[Design]) -> Result<Vec<Totals>> {
    let counter = GateCounter::new(GateOptions::default(), &cache()?)?;
    let count = |Layer { design, verilog, .. }: &Layer| counter.totals(&design.name, verilog);
    alone(designs)?.par_iter().map(|layer| count(layer).context(layer.title())).collect()
}

/// Each design without anything around it.
fn alone(designs: &[Design]) -> Result<Vec<Layer>> {
    let layer = |design: &Design| {
        let verilog = tracewright_hdl::generate(design)?;
        Ok(Layer { design: design.clone(), around: Vec::new(), verilog })
    };
    designs.par_iter().map(layer).collect()
}

/// The gates of every design with what is around it, in their order.
///
/// # Errors
/// Those of [`gates`].
pub fn gates_of(layers: &[Layer], options: GateOptions) -> Result<Vec<Gates>> {
    let counter = GateCounter::new(options, &cache()?)?;
    let progress = progress::bar(layers.len() as u64, "designs");
    let count = |Layer { design, verilog, .. }: &Layer| -> Result<Gates> {
        let gates = counter.count(&design.name, verilog)?;
        progress.add(1);
        Ok(gates)
    };
    let counted = layers.par_iter().map(|layer| count(layer).context(layer.title()));
    counted.collect()
}

/// The FPGA resources of every design in every family, in the order of the designs.
///
/// # Errors
/// When a tool is missing or fails.
pub fn fpga(designs: &[Design], families: &[Family], options: &FpgaOptions) -> Result<Vec<Fpga>> {
    fpga_of(&alone(designs)?, families, options)
}

/// The FPGA resources of every design with what is around it in every family, in their order.
///
/// # Errors
/// Those of [`fpga`].
pub fn fpga_of(layers: &[Layer], families: &[Family], options: &FpgaOptions) -> Result<Vec<Fpga>> {
    let cache = cache()?;
    let flows = families.iter().map(|family| FpgaFlow::new(*family, options, &cache));
    let flows: Vec<FpgaFlow> = flows.collect::<Result<_, _>>()?;
    let pairs: Vec<(&Layer, &FpgaFlow)> =
        layers.iter().flat_map(|layer| flows.iter().map(move |flow| (layer, flow))).collect();
    let progress = progress::bar(pairs.len() as u64, "designs routed");
    let measure = |(layer, flow): &(&Layer, &FpgaFlow)| -> Result<Fpga> {
        let fpga = flow.measure(&layer.design.name, &layer.verilog)?;
        progress.add(1);
        Ok(fpga)
    };
    pairs.par_iter().map(|pair| measure(pair).context(pair.0.title())).collect()
}
