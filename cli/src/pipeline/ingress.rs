//! The port of the core that `generate` connects a design to.

use anyhow::Result;
use clap::{Args, ValueEnum};
use tracewright_packaging::Ingress as Adapted;
use tracewright_sim::blocks;
use tracewright_sim::ingress::Queue;
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
    /// Set how many blocks the core shows in a cycle, 1 to 4, with --ingress blocks or tip; the default is 1
    #[arg(long, value_name = "N")]
    blocks_per_cycle: Option<u32>,
    /// Set how many instructions the core retires in a cycle, 1 to 4, with --ingress rvfi; the default is 1
    #[arg(long, value_name = "N")]
    nret: Option<u32>,
    /// Set the number of instructions or blocks that the adapter holds while the trace module stalls; the default is 8 for
    /// each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_queue: Option<u32>,
    /// Set how many of them may still retire after the adapter raises stall, with --ingress rvfi or tip; the default is 4
    /// for each that can come in a cycle
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
        self.check_options()?;
        let (adapter, port) = match self.ingress {
            Ingress::Blocks => match self.blocks()? {
                None => return Ok(None),
                Some(config) => (Adapted::Blocks(config), "blocks"),
            },
            Ingress::Rvfi => (Adapted::Rvfi(self.rvfi()?), "RVFI"),
            Ingress::Tip => (Adapted::Tip(self.tip()?), "TIP"),
        };
        if let Some(design) = designs.iter().find(|design| design.traces_data()) {
            let design = design.name.clone();
            return Err(usage(tracewright_hdl::Error::NoControlFlow { design, port }));
        }
        Ok(Some(adapter))
    }

    /// Checks that everything that is set is for the port.
    fn check_options(&self) -> Result<()> {
        use Ingress::{Blocks, Rvfi, Tip};
        let queue: &[Ingress] = if self.blocks_per_cycle.unwrap_or(1) > 1 {
            &[Blocks, Rvfi, Tip]
        } else {
            &[Rvfi, Tip]
        };
        let for_ports: [(&str, bool, &[Ingress], &str); 7] = [
            ("--xlen", self.xlen.is_some(), &[Rvfi], "rvfi"),
            ("--nret", self.nret.is_some(), &[Rvfi], "rvfi"),
            ("--itype-bits", self.itype_bits.is_some(), &[Tip], "tip"),
            ("--retirement", self.retirement.is_some(), &[Tip], "tip"),
            (
                "--blocks-per-cycle",
                self.blocks_per_cycle.is_some(),
                &[Blocks, Tip],
                "blocks or tip",
            ),
            (
                "--ingress-queue",
                self.ingress_queue.is_some(),
                queue,
                "rvfi or tip, or --blocks-per-cycle above 1",
            ),
            ("--ingress-slack", self.ingress_slack.is_some(), &[Rvfi, Tip], "rvfi or tip"),
        ];
        for (option, is_set, ports, expected) in for_ports {
            if is_set && !ports.contains(&self.ingress) {
                return Err(usage(format!("{option}: expected --ingress {expected}")));
            }
        }
        Ok(())
    }

    /// The queue for so many entries in a cycle.
    fn queue(&self, lanes: Option<u32>) -> Queue {
        let default = Queue::new(lanes.unwrap_or(1));
        Queue {
            depth: self.ingress_queue.unwrap_or(default.depth),
            slack: self.ingress_slack.unwrap_or(default.slack),
            ..default
        }
    }

    /// The adapter for several blocks in a cycle; none for one.
    fn blocks(&self) -> Result<Option<blocks::Config>> {
        let Some(lanes) = self.blocks_per_cycle.filter(|lanes| *lanes != 1) else {
            return Ok(None);
        };
        let config = blocks::Config { lanes, depth: self.queue(Some(lanes)).depth };
        config.validate().map_err(usage)?;
        Ok(Some(config))
    }

    fn rvfi(&self) -> Result<rvfi::Config> {
        let xlen = match self.xlen {
            None | Some(RegisterBits::Rv32) => Xlen::Rv32,
            Some(RegisterBits::Rv64) => Xlen::Rv64,
        };
        let config = rvfi::Config { xlen, queue: self.queue(self.nret) };
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
            queue: self.queue(self.blocks_per_cycle),
        };
        config.validate().map_err(usage)?;
        Ok(config)
    }
}
