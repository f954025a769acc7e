//! The core of `live`, and its port that the trace module is on.

use anyhow::Result;
use clap::{Args, ValueEnum};
use tracewright_sim::ingress::Queue;
use tracewright_sim::unit::Ingress;
use tracewright_sim::{rvfi, tip};
use tracewright_testbench::live::Core;

use super::failure::usage;

#[derive(Args)]
#[group(skip)]
pub struct Arguments {
    /// Choose the core
    #[arg(long, default_value = "picorv32")]
    core: CoreName,
    /// Choose the port of the core that is traced: the RISC-V formal interface, or the trace ingress port of E-Trace,
    /// which --core minimal has
    #[arg(long, value_name = "PORT", default_value = "rvfi")]
    ingress: Port,
    /// Set how many instructions the core retires in a cycle: 1 or 2 with --core minimal, where the default is 1; the
    /// other cores have a fixed number
    #[arg(long, value_name = "N")]
    nret: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CoreName {
    /// RV32IMC, several cycles per instruction, interrupts of its own kind
    Picorv32,
    /// RV32IMC, three pipeline stages, machine-mode traps
    Ibex,
    /// RV64IMAC, two instructions per cycle, caches, machine-mode traps
    Cva6,
    /// RV32I, two pipeline stages, machine and user mode; needs no package
    Minimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Port {
    Rvfi,
    Tip,
}

impl Arguments {
    /// The core and its port.
    ///
    /// # Errors
    /// When the core has no such port, or does not retire so many instructions in a cycle.
    pub fn core(&self) -> Result<(Core, Ingress)> {
        let core = match (self.core, self.nret) {
            (CoreName::Picorv32, _) => Core::Picorv32,
            (CoreName::Ibex, _) => Core::Ibex,
            (CoreName::Cva6, _) => Core::Cva6,
            (CoreName::Minimal, Some(2)) => Core::MinimalWide,
            (CoreName::Minimal, _) => Core::Minimal,
        };
        let channels = core.channels();
        if let Some(nret) = self.nret.filter(|nret| *nret != channels) {
            let expected =
                if self.core == CoreName::Minimal { "1 or 2".into() } else { channels.to_string() };
            return Err(usage(format!("--nret: expected {expected} for {core}, found {nret}")));
        }
        let port = match self.ingress {
            Port::Rvfi => Ingress::Rvfi(rvfi::Config::new(core.xlen(), channels)),
            Port::Tip if core.has_trace_ingress_port() => {
                Ingress::Tip(tip::Config { queue: Queue::new(channels), ..tip::Config::default() })
            }
            Port::Tip => {
                return Err(usage(format!("--ingress: expected rvfi, the port that {core} has")));
            }
        };
        Ok((core, port))
    }
}
