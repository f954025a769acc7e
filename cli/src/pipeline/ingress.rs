//! The port of the core that `generate` connects a design to.

use std::fmt::{self, Display, Formatter};

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tracewright_packaging::Ingress as Adapted;
use tracewright_sim::blocks;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{self, Retirement};

use super::failure::usage;

#[derive(Args, Clone, Default)]
#[group(skip)]
pub struct Arguments {
    /// Set the port of the core: the blocks of docs/hardware.md, or the RISC-V formal interface or the trace ingress
    /// port of E-Trace, which need an adapter; the default is blocks
    #[arg(long, value_name = "PORT")]
    ingress: Option<Ingress>,
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
    /// Set the number of instructions or blocks that the adapter holds while the trace module stalls; the default is 8
    /// for each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_queue: Option<u32>,
    /// Set how many of them may still retire after the adapter raises stall, with --ingress rvfi or tip; the default
    /// is 4 for each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_slack: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ingress {
    Blocks,
    Rvfi,
    Tip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
enum RegisterBits {
    #[value(name = "32")]
    Rv32,
    #[value(name = "64")]
    Rv64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Retires {
    Single,
    Block,
}

impl TryFrom<u32> for RegisterBits {
    type Error = String;

    fn try_from(bits: u32) -> Result<Self, String> {
        match bits {
            32 => Ok(RegisterBits::Rv32),
            64 => Ok(RegisterBits::Rv64),
            other => Err(format!("expected xlen to be 32 or 64, found {other}")),
        }
    }
}

impl From<RegisterBits> for u32 {
    fn from(bits: RegisterBits) -> u32 {
        match bits {
            RegisterBits::Rv32 => 32,
            RegisterBits::Rv64 => 64,
        }
    }
}

/// The section `[ingress]` of a design file. Its keys have the meaning of the options; `lanes` is --nret or
/// --blocks-per-cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    port: Ingress,
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slack: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    xlen: Option<RegisterBits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    itype_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retirement: Option<Retires>,
}

impl Display for Section {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let port = match self.port {
            Ingress::Blocks => "blocks",
            Ingress::Rvfi => "rvfi",
            Ingress::Tip => "tip",
        };
        write!(formatter, "{port} with lanes = {}", self.lanes.unwrap_or(1))
    }
}

impl Section {
    /// True if it is of the same port as another one, with as many lanes.
    pub fn is_on(&self, other: &Section) -> bool {
        self.port == other.port && self.lanes.unwrap_or(1) == other.lanes.unwrap_or(1)
    }

    /// The section that stands for an adapter, with every value that it was generated with.
    pub fn of(adapter: Adapted) -> Section {
        let with = |port, queue: &Queue| Section {
            port,
            lanes: Some(queue.lanes),
            queue: Some(queue.depth),
            slack: Some(queue.slack),
            xlen: None,
            itype_bits: None,
            retirement: None,
        };
        match adapter {
            Adapted::Blocks(blocks::Config { lanes, depth }) => {
                let queue = Queue { depth, ..Queue::new(lanes) };
                Section { slack: None, ..with(Ingress::Blocks, &queue) }
            }
            Adapted::Rvfi(rvfi::Config { xlen, queue, .. }) => {
                let xlen = match xlen {
                    Xlen::Rv32 => RegisterBits::Rv32,
                    Xlen::Rv64 => RegisterBits::Rv64,
                };
                Section { xlen: Some(xlen), ..with(Ingress::Rvfi, &queue) }
            }
            Adapted::Tip(tip::Config { itype_bits, retirement, queue }) => {
                let retirement = match retirement {
                    Retirement::Single => Retires::Single,
                    Retirement::Block => Retires::Block,
                };
                Section {
                    itype_bits: Some(itype_bits),
                    retirement: Some(retirement),
                    ..with(Ingress::Tip, &queue)
                }
            }
        }
    }
}

impl Arguments {
    /// The adapter that the options and the file ask for, which every design must be able to have. An option prevails
    /// over the file, and another port over the whole section.
    ///
    /// # Errors
    /// When something is set for another port, a constraint is broken, or a design traces no control flow.
    pub fn adapter(&self, designs: &[Design], file: Option<&Section>) -> Result<Option<Adapted>> {
        match file {
            Some(section) if self.ingress.is_none_or(|port| port == section.port) => {
                self.or(section).adapter_of(designs)
            }
            _ => self.adapter_of(designs),
        }
    }

    /// The same options, with those of a section where there are none.
    fn or(&self, section: &Section) -> Arguments {
        let of = |port| section.lanes.filter(|_| (section.port == Ingress::Rvfi) == port);
        Arguments {
            ingress: Some(section.port),
            xlen: self.xlen.or(section.xlen),
            itype_bits: self.itype_bits.or(section.itype_bits),
            retirement: self.retirement.or(section.retirement),
            blocks_per_cycle: self.blocks_per_cycle.or(of(false)),
            nret: self.nret.or(of(true)),
            ingress_queue: self.ingress_queue.or(section.queue),
            ingress_slack: self.ingress_slack.or(section.slack),
        }
    }

    fn port(&self) -> Ingress {
        self.ingress.unwrap_or(Ingress::Blocks)
    }

    fn adapter_of(&self, designs: &[Design]) -> Result<Option<Adapted>> {
        self.check_options()?;
        let (adapter, port) = match self.port() {
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
            if is_set && !ports.contains(&self.port()) {
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

    /// Checks a queue that was given without a slack against the default of the slack, which no option names.
    fn check_slack(&self, queue: &Queue) -> Result<()> {
        let Queue { lanes, depth, slack } = *queue;
        let least = slack.saturating_add(lanes);
        if self.ingress_slack.is_some() || self.ingress_queue.is_none() || depth >= least {
            return Ok(());
        }
        let fits = depth.saturating_sub(lanes);
        Err(usage(format!(
            "--ingress-queue {depth}: expected at least {least}, or --ingress-slack of at most {fits}: after the core was told to \
             stop, {slack} may still retire"
        )))
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
        let queue = self.queue(self.nret);
        self.check_slack(&queue)?;
        let config = rvfi::Config { xlen, queue, extensions: rvfi::Extensions::NONE };
        config.validate().map_err(usage)?;
        Ok(config)
    }

    fn tip(&self) -> Result<tip::Config> {
        let queue = self.queue(self.blocks_per_cycle);
        self.check_slack(&queue)?;
        let default = tip::Config::default();
        let config = tip::Config {
            itype_bits: self.itype_bits.unwrap_or(default.itype_bits),
            retirement: match self.retirement {
                None => default.retirement,
                Some(Retires::Single) => Retirement::Single,
                Some(Retires::Block) => Retirement::Block,
            },
            queue,
        };
        config.validate().map_err(usage)?;
        Ok(config)
    }
}
