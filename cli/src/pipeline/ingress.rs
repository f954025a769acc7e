//! The port of the core that `generate` connects a design to.

use anyhow::Result;
use clap::{Args, ValueEnum};
use tracewright_packaging::Ingress as Adapted;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{self, Retirement};

use super::failure::usage;

#[derive(Args)]
pub struct Arguments {
    /// Set the port of the core: the blocks of docs/hardware.md, or the RISC-V formal interface or the trace ingress port
    /// of E-Trace, which need an adapter
    #[arg(long, value_name = "PORT", default_value = "blocks")]
    ingress: Ingress,
    /// Set the width of the core's registers in bits, with --ingress rvfi; the default is 32
    #[arg(long, value_name = "BITS")]
    xlen: Option<RegisterBits>,
    /// Set the width of itype, with --ingress tip: 3 or 4; the default is 4
    #[arg(long, value_name = "BITS")]
    itype_bits: Option<u32>,
    /// Set what the hart retires in a cycle, with --ingress tip: a single instruction, or a block whose half-words are
    /// counted; the default is single
    #[arg(long, value_name = "WHAT")]
    retirement: Option<Retires>,
    /// Set the number of instructions or blocks that the adapter holds while the trace module stalls; the default is 8
    #[arg(long, value_name = "N")]
    ingress_queue: Option<u32>,
    /// Set how many of them may still retire after the adapter raises stall; the default is 4
    #[arg(long, value_name = "N")]
    ingress_slack: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ingress {
    Blocks,
    Rvfi,
    Tip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RegisterBits {
    #[value(name = "32")]
    Rv32,
    #[value(name = "64")]
    Rv64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Retires {
    Single,
    Block,
}

impl Arguments {
    /// The adapter that is asked for, which every design must be able to have.
    ///
    /// # Errors
    /// When something is set for another port, a constraint is broken, or a design traces no control flow.
    pub fn adapter(&self, designs: &[Design]) -> Result<Option<Adapted>> {
        let for_port = [
            ("--xlen", self.xlen.is_some(), Some(Ingress::Rvfi)),
            ("--itype-bits", self.itype_bits.is_some(), Some(Ingress::Tip)),
            ("--retirement", self.retirement.is_some(), Some(Ingress::Tip)),
            ("--ingress-queue", self.ingress_queue.is_some(), None),
            ("--ingress-slack", self.ingress_slack.is_some(), None),
        ];
        for (option, is_set, port) in for_port {
            let (fits, expected) = match port {
                Some(Ingress::Rvfi) => (self.ingress == Ingress::Rvfi, "rvfi"),
                Some(_) => (self.ingress == Ingress::Tip, "tip"),
                None => (self.ingress != Ingress::Blocks, "rvfi or tip"),
            };
            if is_set && !fits {
                return Err(usage(format!("{option}: expected --ingress {expected}")));
            }
        }
        let (adapter, port) = match self.ingress {
            Ingress::Blocks => return Ok(None),
            Ingress::Rvfi => (Adapted::Rvfi(self.rvfi()?), "RVFI"),
            Ingress::Tip => (Adapted::Tip(self.tip()?), "TIP"),
        };
        if let Some(design) = designs.iter().find(|design| design.traces_data()) {
            let design = design.name.clone();
            return Err(usage(tracewright_hdl::Error::NoControlFlow { design, port }));
        }
        Ok(Some(adapter))
    }

    fn rvfi(&self) -> Result<rvfi::Config> {
        let xlen = match self.xlen {
            None | Some(RegisterBits::Rv32) => Xlen::Rv32,
            Some(RegisterBits::Rv64) => Xlen::Rv64,
        };
        let default = rvfi::Config::new(xlen);
        let config = rvfi::Config {
            queue_depth: self.ingress_queue.unwrap_or(default.queue_depth),
            slack: self.ingress_slack.unwrap_or(default.slack),
            ..default
        };
        config.validate().map_err(usage)?;
        Ok(config)
    }

    fn tip(&self) -> Result<tip::Config> {
        let default = tip::Config::default();
        let config = tip::Config {
            itype_bits: self.itype_bits.unwrap_or(default.itype_bits),
            retirement: match self.retirement {
                None => default.retirement,
                Some(Retires::Single) => Retirement::Single,
                Some(Retires::Block) => Retirement::Block,
            },
            queue_depth: self.ingress_queue.unwrap_or(default.queue_depth),
            slack: self.ingress_slack.unwrap_or(default.slack),
        };
        config.validate().map_err(usage)?;
        Ok(config)
    }
}
