//! The port of the core that `generate` connects a design to.

mod section;

use anyhow::Result;
use clap::Args;
use tracewright_sim::blocks;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{self, Compressed, Extensions, Trapped, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{self, Retirement};
use tracewright_sim::unit::Ingress as Adapted;

use super::failure::usage;
use section::{Ingress, RegisterBits, Retires};
pub use section::{Section, word};

#[derive(Args, Clone, Default, PartialEq)]
#[group(skip)]
pub struct Arguments {
    /// Set the port of the core: the blocks of docs/hardware.md, or one that needs an adapter: the RISC-V formal
    /// interface, retired instructions (docs/live_core.md), or the trace ingress port of E-Trace; the default is blocks
    #[arg(long, value_name = "PORT")]
    ingress: Option<Ingress>,
    /// Set the width of the core's registers in bits, with --ingress rvfi or retired; the default is 32
    #[arg(long, value_name = "BITS")]
    xlen: Option<RegisterBits>,
    /// Name extensions of the core that change the flow by words of others, with --ingress rvfi or retired: zcmp, zcmt;
    /// the default is none
    #[arg(long, value_name = "NAME,...")]
    ingress_extensions: Option<Extensions>,
    /// Set what the port has in place of a compressed instruction, with --ingress rvfi or retired: the instruction itself,
    /// one of 32 bits that does the same, or either with a pin that tells them apart; the default is raw
    #[arg(long, value_name = "WHAT", value_parser = word::<Compressed>)]
    compressed: Option<Compressed>,
    /// Set what the pin for traps says, with --ingress rvfi or retired: that the instruction has not retired, or that it
    /// has not unless the next address is where its word leads; the default is not-retired
    #[arg(long, value_name = "WHAT", value_parser = word::<Trapped>)]
    trap: Option<Trapped>,
    /// Name the pins beside valid, address and word, with --ingress retired: trap, interrupt, next, number; the default
    /// is none
    #[arg(long, value_name = "PIN,...", value_delimiter = ',')]
    ingress_pins: Option<Vec<String>>,
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
    /// Set how many instructions the core retires in a cycle, 1 to 4, with --ingress rvfi or retired; the default is 1
    #[arg(long, value_name = "N")]
    nret: Option<u32>,
    /// Set the number of instructions or blocks that the adapter holds while the trace module stalls; the default is
    /// 12 for each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_queue: Option<u32>,
    /// Set how many of them may still retire after the adapter raises stall, with --ingress rvfi, retired or tip; the
    /// default is 8 for each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_slack: Option<u32>,
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
                self.or(section)?.adapter_of(designs)
            }
            _ => self.adapter_of(designs),
        }
    }

    /// The same options, with those of a section where there are none.
    fn or(&self, section: &Section) -> Result<Arguments> {
        let of = |instructions| {
            let is_of = matches!(section.port, Ingress::Rvfi | Ingress::Retired) == instructions;
            section.lanes.filter(|_| is_of)
        };
        Ok(Arguments {
            ingress: Some(section.port),
            xlen: self.xlen.or(section.xlen),
            ingress_extensions: match (self.ingress_extensions, &section.extensions) {
                (None, Some(names)) => {
                    let names = names.iter().map(String::as_str);
                    Some(Extensions::of_names(names).map_err(usage)?)
                }
                (extensions, _) => extensions,
            },
            compressed: self.compressed.or(section.compressed),
            trap: self.trap.or(section.trap),
            ingress_pins: self.ingress_pins.clone().or_else(|| section.pins.clone()),
            itype_bits: self.itype_bits.or(section.itype_bits),
            retirement: self.retirement.or(section.retirement),
            blocks_per_cycle: self.blocks_per_cycle.or(of(false)),
            nret: self.nret.or(of(true)),
            ingress_queue: self.ingress_queue.or(section.queue),
            ingress_slack: self.ingress_slack.or(section.slack),
        })
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
            Ingress::Rvfi => (Adapted::Rvfi(self.rvfi(rvfi::Port::Rvfi)?), "RVFI"),
            Ingress::Retired => (Adapted::Rvfi(self.rvfi(rvfi::Port::Retired)?), "retired"),
            Ingress::Tip => (Adapted::Tip(self.tip()?), "TIP"),
        };
        if let Some(design) = designs.iter().find(|design| design.traces_data()) {
            let design = design.name.clone();
            return Err(usage(tracewright_hdl::Error::NoControlFlow { design, port }));
        }
        if let Some(design) = designs.iter().find(|design| design.has_event_times()) {
            let design = design.name.clone();
            return Err(usage(tracewright_hdl::Error::EventTimes { design, port }));
        }
        Ok(Some(adapter))
    }

    /// Checks that everything that is set is for the port.
    fn check_options(&self) -> Result<()> {
        use Ingress::{Blocks, Retired, Rvfi, Tip};
        let queue: &[Ingress] = if self.blocks_per_cycle.unwrap_or(1) > 1 {
            &[Blocks, Rvfi, Retired, Tip]
        } else {
            &[Rvfi, Retired, Tip]
        };
        let for_ports: [(&str, bool, &[Ingress], &str); 11] = [
            ("--xlen", self.xlen.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            ("--nret", self.nret.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            (
                "--ingress-extensions",
                self.ingress_extensions.is_some(),
                &[Rvfi, Retired],
                "rvfi or retired",
            ),
            ("--compressed", self.compressed.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            ("--trap", self.trap.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            ("--ingress-pins", self.ingress_pins.is_some(), &[Retired], "retired"),
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
                "rvfi, retired or tip, or --blocks-per-cycle above 1",
            ),
            (
                "--ingress-slack",
                self.ingress_slack.is_some(),
                &[Rvfi, Retired, Tip],
                "rvfi, retired or tip",
            ),
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
        let default = blocks::Config::new(lanes);
        let depth = self.ingress_queue.unwrap_or(default.depth);
        let config = blocks::Config { depth, ..default };
        config.validate().map_err(usage)?;
        Ok(Some(config))
    }

    fn rvfi(&self, port: rvfi::Port) -> Result<rvfi::Config> {
        let xlen = match self.xlen {
            None | Some(RegisterBits::Rv32) => Xlen::Rv32,
            Some(RegisterBits::Rv64) => Xlen::Rv64,
        };
        let queue = self.queue(self.nret);
        self.check_slack(&queue)?;
        let names = self.ingress_pins.iter().flatten().map(String::as_str);
        let pins = match port {
            rvfi::Port::Rvfi => rvfi::Pins::RVFI,
            rvfi::Port::Retired => rvfi::Pins::of_names(names).map_err(|name| {
                usage(format!(
                    "--ingress-pins: expected trap, interrupt, next or number, found {name}"
                ))
            })?,
        };
        let config = rvfi::Config {
            port,
            pins,
            xlen,
            extensions: self.ingress_extensions.unwrap_or_default(),
            compressed: self.compressed.unwrap_or(Compressed::Raw),
            trap: self.trap.unwrap_or(Trapped::NotRetired),
            queue,
        };
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
