//! FPGA resources by Yosys, and the clock after routing by nextpnr.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rayon::prelude::*;
use serde::Deserialize;
use tracewright_hdl::Generated;

use crate::error::{Error, Result};
use crate::netlist::Module;
use crate::results::Fpga;
use crate::store::Store;
use crate::tool::{self, Kind, Tool};
use crate::wrapper::{self, WRAPPER};
use crate::yosys::Run;
use tracewright_cache::Cache;

/// What the kept results depend on besides their inputs.
const SOURCES: &str = concat!(
    include_str!("fpga.rs"),
    include_str!("netlist.rs"),
    include_str!("results.rs"),
    include_str!("wrapper.rs"),
    include_str!("yosys.rs"),
);

/// The clock that placement and routing work for; what they reach counts, above or below.
const WANTED_MHZ: &str = "100";

/// The processor time that nextpnr may take. It takes seconds, or for ever to find a place in a device that is nearly full.
const PATIENCE: Duration = Duration::from_secs(180);

/// An FPGA family with open tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice iCE40 HX8K. It has no distributed RAM: memories with asynchronous reads become flip-flops.
    Ice40,
    /// Lattice ECP5, 25k, speed grade 6.
    Ecp5,
}

impl Family {
    /// Every family.
    pub const ALL: [Family; 2] = [Family::Ice40, Family::Ecp5];

    fn device(self) -> &'static str {
        match self {
            Family::Ice40 => "iCE40HX8K-CT256",
            Family::Ecp5 => "LFE5U-25F-6BG381",
        }
    }

    fn synthesis(self) -> &'static str {
        match self {
            Family::Ice40 => "synth_ice40",
            Family::Ecp5 => "synth_ecp5",
        }
    }

    fn router(self) -> Kind {
        match self {
            Family::Ice40 => tool::NEXTPNR_ICE40,
            Family::Ecp5 => tool::NEXTPNR_ECP5,
        }
    }

    fn router_arguments(self) -> &'static [&'static str] {
        match self {
            Family::Ice40 => &["--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
            Family::Ecp5 => {
                &["--25k", "--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"]
            }
        }
    }

    /// The cells of a synthesized module as what the family is measured in.
    fn resources(self, module: &Module) -> Resources {
        let mut of_kind = BTreeMap::new();
        for cell in module.counted() {
            *of_kind.entry(cell.kind.as_str()).or_insert(0u64) += 1;
        }
        let count = |kind: &str| of_kind.get(kind).copied().unwrap_or(0);
        match self {
            Family::Ice40 => Resources {
                luts: count("SB_LUT4"),
                flip_flops: of_kind
                    .iter()
                    .filter(|(kind, _)| kind.starts_with("SB_DFF"))
                    .map(|(_, count)| count)
                    .sum(),
                block_rams: of_kind
                    .iter()
                    .filter(|(kind, _)| kind.starts_with("SB_RAM40_4K"))
                    .map(|(_, count)| count)
                    .sum(),
                distributed_ram_luts: 0,
            },
            Family::Ecp5 => {
                // A carry cell is two LUTs; a RAM of 16 words of 4 bits is four, and two that write it.
                let distributed_ram_luts = 6 * count("TRELLIS_DPR16X4");
                Resources {
                    luts: count("LUT4") + 2 * count("CCU2C") + distributed_ram_luts,
                    flip_flops: count("TRELLIS_FF"),
                    block_rams: count("DP16KD") + count("PDPW16KD"),
                    distributed_ram_luts,
                }
            }
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Ice40 => "ice40",
            Family::Ecp5 => "ecp5",
        })
    }
}

struct Resources {
    luts: u64,
    flip_flops: u64,
    block_rams: u64,
    distributed_ram_luts: u64,
}

/// How designs are put into FPGAs.
#[derive(Clone, Debug, Default)]
pub struct FpgaOptions {
    /// The Yosys to run; that of the search path if not given.
    pub yosys: Option<PathBuf>,
    /// How often to place and route, each time from another start; once for 0 too.
    pub seeds: u32,
}

/// Puts designs into the FPGAs of a family.
#[derive(Debug)]
pub struct FpgaFlow {
    family: Family,
    seeds: u32,
    yosys: Tool,
    nextpnr: Tool,
    store: Store,
}

/// What nextpnr reports.
#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    fmax: BTreeMap<String, Frequency>,
}

#[derive(Deserialize)]
struct Frequency {
    achieved: f64,
}

impl FpgaFlow {
    /// Finds the tools; results are kept in `cache`.
    ///
    /// # Errors
    /// When a tool is missing.
    pub fn new(family: Family, options: &FpgaOptions, cache: &Cache) -> Result<FpgaFlow> {
        Ok(FpgaFlow {
            family,
            seeds: options.seeds.max(1),
            yosys: Tool::find(tool::YOSYS, options.yosys.as_deref())?,
            nextpnr: Tool::find(family.router(), None)?,
            store: Store::of(cache),
        })
    }

    /// The design's resources, and its clock where the device is large enough.
    ///
    /// # Errors
    /// When a tool fails on the design.
    pub fn measure(&self, design: &str, verilog: &Generated) -> Result<Fpga> {
        let family = self.family.to_string();
        let seeds = self.seeds.to_string();
        let versions = [self.yosys.version.as_str(), &self.nextpnr.version];
        let mut inputs = vec![SOURCES, versions[0], versions[1], &family, &seeds, design];
        inputs.extend(verilog.files.iter().flat_map(|(name, text)| [name.as_str(), text]));
        self.store.get_or_decide("fpga", &inputs, || {
            let (resources, routed) =
                rayon::join(|| self.resources(verilog), || self.route_all(verilog));
            let Resources { luts, flip_flops, block_rams, distributed_ram_luts } = resources?;
            let (routed, in_time) = routed?;
            let (fmax_mhz, not_placed) = match routed {
                Routed::Clock(mhz) => (Some(mhz), None),
                Routed::Nowhere(reason) => (None, Some(reason)),
            };
            let timed_out = !in_time && not_placed.is_some();
            let fpga = Fpga {
                timed_out,
                design: design.to_owned(),
                family: family.clone(),
                device: self.family.device().to_owned(),
                yosys: self.yosys.version.clone(),
                nextpnr: self.nextpnr.version.clone(),
                luts,
                flip_flops,
                block_rams,
                distributed_ram_luts,
                fmax_mhz,
                not_placed,
            };
            // A busy machine may be why a seed was given up; another run may do better.
            Ok((fpga, in_time))
        })
    }

    /// Synthesizes with tables of constants as logic (`-norom`): as a memory with a register they would take the
    /// register that addresses them along, with all the logic before it.
    fn synthesize(&self, top: &str, files: &[(&str, &str)]) -> Result<Run> {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let script = format!(
            "read_verilog {}\nhierarchy -check -top {top}\nproc -norom\n{} -top {top} -json netlist.json\n",
            names.join(" "),
            self.family.synthesis()
        );
        Run::new(&self.yosys, top, files, &script)
    }

    fn resources(&self, verilog: &Generated) -> Result<Resources> {
        let run = self.synthesize(&verilog.top, &texts(verilog))?;
        let netlist = run.netlist(&verilog.top, "netlist.json")?;
        Ok(self.family.resources(netlist.module(&verilog.top)?))
    }

    /// The best clock of all seeds, or why there is none; and whether no seed was given up.
    fn route_all(&self, verilog: &Generated) -> Result<(Routed, bool)> {
        let wrapper = wrapper::verilog(verilog);
        let mut files = texts(verilog);
        files.push(("fpga_wrapper.v", &wrapper));
        let run = self.synthesize(WRAPPER, &files)?;
        let seeds = (1..=self.seeds).into_par_iter();
        let routed = seeds.map(|seed| self.route(&verilog.top, &run, seed));
        let routed: Vec<(Routed, bool)> = routed.collect::<Result<_>>()?;
        let in_time = routed.iter().all(|(_, in_time)| *in_time);
        let best = routed.into_iter().map(|(routed, _)| routed).reduce(Routed::best);
        Ok((best.unwrap_or_else(|| Routed::Nowhere(String::new())), in_time))
    }

    /// The clock of a seed, or why there is none; and whether it was not given up.
    fn route(&self, design: &str, run: &Run, seed: u32) -> Result<(Routed, bool)> {
        let report = format!("report{seed}.json");
        let mut command = self.nextpnr.command();
        command
            .args(self.family.router_arguments())
            .args(["--json", "netlist.json", "--freq", WANTED_MHZ, "--timing-allow-fail"])
            .args(["--seed", &seed.to_string(), "--report", &report])
            .current_dir(run.path());
        let mut printed = String::new();
        let said = match self.nextpnr.run_for(PATIENCE, design, &mut command, &mut printed) {
            Ok(()) => {
                let path = run.path().join(&report);
                fs::read(&path).map_err(Error::file(&path))?
            }
            Err(Error::ToolFailed { message, .. }) if is_full(&message) => {
                return Ok((Routed::Nowhere(shortage(&printed).unwrap_or(message)), true));
            }
            Err(error @ Error::TimeOut { .. }) => {
                return Ok((Routed::Nowhere(late(&error, &printed)), false));
            }
            Err(error) => return Err(error),
        };
        let failed = |reason: String| Error::Output {
            tool: self.family.router().name,
            design: design.to_owned(),
            reason,
        };
        let report: Report =
            serde_json::from_slice(&said).map_err(|error| failed(error.to_string()))?;
        // There is one clock, whatever the buffer is called that drives it.
        let slowest = report.fmax.values().map(|frequency| frequency.achieved).reduce(f64::min);
        let slowest = slowest.ok_or_else(|| failed("its report has no clock".into()))?;
        Ok((Routed::Clock((slowest * 10.0).round() / 10.0), true))
    }
}

/// What comes of placing and routing.
enum Routed {
    /// The highest clock in MHz.
    Clock(f64),
    /// There is no place, for this reason.
    Nowhere(String),
}

impl Routed {
    fn best(self, other: Routed) -> Routed {
        match (self, other) {
            (Routed::Clock(one), Routed::Clock(other)) => Routed::Clock(one.max(other)),
            (clock @ Routed::Clock(_), _) | (_, clock) => clock,
        }
    }
}

/// What a device has too little of, as nextpnr prints its utilisation: what is needed more often than it is there, or,
/// where nothing is, what is used most, because no place is found near the end either.
fn shortage(said: &str) -> Option<String> {
    let used: Vec<(&str, u64, u64)> = said.lines().filter_map(utilisation).collect();
    let text = |(kind, used, all): &(&str, u64, u64)| format!("{used} {kind} of {all}");
    let short: Vec<String> = used.iter().filter(|(_, used, all)| used > all).map(text).collect();
    if !short.is_empty() {
        return Some(format!("it needs {}", short.join(" and ")));
    }
    let fullest = fullest(&used)?;
    Some(format!("it needs {}, and no place was found for all", text(&fullest)))
}

/// That time ran out, and how full the device is, as far as nextpnr has printed it.
fn late(error: &Error, said: &str) -> String {
    let used: Vec<(&str, u64, u64)> = said.lines().filter_map(utilisation).collect();
    match fullest(&used) {
        None => format!("time ran out, {error}"),
        Some((kind, used, all)) => {
            format!("time ran out, {error}; it needs {used} {kind} of {all}")
        }
    }
}

/// What is used most, without buffers of global signals, which are taken as far as there are any.
fn fullest<'a>(used: &[(&'a str, u64, u64)]) -> Option<(&'a str, u64, u64)> {
    let cells = used.iter().filter(|(kind, _, all)| *all > 0 && !kind.ends_with("_GB"));
    cells.max_by_key(|(_, used, all)| used * 1000 / all).copied()
}

/// A kind of cell, how many are used and how many there are, from a line such as `Info: ICESTORM_LC:  6570/ 7680
/// 85%`.
fn utilisation(line: &str) -> Option<(&str, u64, u64)> {
    let (kind, counts) = line.strip_prefix("Info:")?.split_once(':')?;
    let (used, rest) = counts.split_once('/')?;
    let all = rest.split_whitespace().next()?;
    rest.trim_end().ends_with('%').then_some(())?;
    Some((kind.trim(), used.trim().parse().ok()?, all.parse().ok()?))
}

/// True for what nextpnr says when a device is too small.
fn is_full(message: &str) -> bool {
    ["Unable to place cell", "no BELs", "no Bels", "Unable to find", "Failed to expand region"]
        .iter()
        .any(|beginning| message.contains(beginning))
}

fn texts(verilog: &Generated) -> Vec<(&str, &str)> {
    verilog.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::{late, shortage};
    use crate::Error;

    #[test]
    fn a_device_that_time_ran_out_for_is_not_said_to_be_full() {
        let error = Error::TimeOut { tool: "nextpnr", design: "traptor_m4".into(), seconds: 180 };
        let said =
            late(&error, "Info: \t  ICESTORM_LC:  6570/  7680    85%\nInfo: SB_GB: 8/ 8 100%\n");
        assert_eq!(
            said,
            "time ran out, nextpnr did not finish `traptor_m4` within 180 s of processor time; it needs 6570 ICESTORM_LC of 7680"
        );
        assert_eq!(late(&error, ""), format!("time ran out, {error}"));
    }

    #[test]
    fn what_there_is_too_little_of() {
        let said = |cells: u32| {
            format!(
                "Info: Device utilisation:\nInfo: \t ICESTORM_LC: {cells}/ 7680  85%\nInfo: \t SB_GB: 8/ 8  100%\n\
                 Info: \t ICESTORM_PLL: 0/ 2  0%\nERROR: other: 1/2\n"
            )
        };
        assert_eq!(shortage(&said(9_000)).as_deref(), Some("it needs 9000 ICESTORM_LC of 7680"));
        let near = "it needs 6570 ICESTORM_LC of 7680, and no place was found for all";
        assert_eq!(shortage(&said(6_570)).as_deref(), Some(near));
        assert_eq!(shortage("Info: constrained 3/4\n"), None);
    }
}
