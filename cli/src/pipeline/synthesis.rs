//! Gates and FPGA resources of several designs, computed in parallel.

use anyhow::{Context, Result};
use rayon::prelude::*;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{Family, Fpga, FpgaFlow, FpgaOptions, GateCounter, GateOptions, Gates};
use tracewright_testbench::Cache;

use super::progress;

/// The part of the user's cache with the results of synthesis.
///
/// # Errors
/// When there is no cache directory.
pub fn cache() -> Result<Cache> {
    Ok(Cache::of_user()?.within("synthesis"))
}

/// The gates of every design, in the order of the designs.
///
/// # Errors
/// When a tool is missing or fails, or the library is not valid.
pub fn gates(designs: &[Design], options: GateOptions) -> Result<Vec<Gates>> {
    let counter = GateCounter::new(options, &cache()?)?;
    let progress = progress::bar(designs.len() as u64, "designs");
    let count = |design: &Design| -> Result<Gates> {
        let verilog = tracewright_hdl::generate(design)?;
        let gates = counter.count(&design.name, &verilog)?;
        progress.add(1);
        Ok(gates)
    };
    let counted = designs.par_iter().map(|design| count(design).context(design.name.clone()));
    counted.collect()
}

/// The FPGA resources of every design in every family, in the order of the designs.
///
/// # Errors
/// When a tool is missing or fails.
pub fn fpga(designs: &[Design], families: &[Family], options: &FpgaOptions) -> Result<Vec<Fpga>> {
    let cache = cache()?;
    let flows = families.iter().map(|family| FpgaFlow::new(*family, options, &cache));
    let flows: Vec<FpgaFlow> = flows.collect::<Result<_, _>>()?;
    let pairs: Vec<(&Design, &FpgaFlow)> =
        designs.iter().flat_map(|design| flows.iter().map(move |flow| (design, flow))).collect();
    let progress = progress::bar(pairs.len() as u64, "designs routed");
    let measure = |(design, flow): &(&Design, &FpgaFlow)| -> Result<Fpga> {
        let verilog = tracewright_hdl::generate(design)?;
        let fpga = flow.measure(&design.name, &verilog)?;
        progress.add(1);
        Ok(fpga)
    };
    pairs.par_iter().map(|pair| measure(pair).context(pair.0.name.clone())).collect()
}
