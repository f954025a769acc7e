//! The port of the core that a unit is on.

use crate::rvfi::{self, Compressed};
use crate::scheme::{Design, DesignError};
use crate::{blocks, tip};

/// A port that cores have themselves, with the parameters of its adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ingress {
    /// Several blocks of docs/hardware.md in a cycle.
    Blocks(blocks::Config),
    /// The RISC-V formal interface, or another port that shows instructions one by one.
    Rvfi(rvfi::Config),
    /// The trace ingress port of the RISC-V trace specifications.
    Tip(tip::Config),
}

impl Ingress {
    /// Its name in files of designs.
    pub fn name(self) -> &'static str {
        match self {
            Ingress::Blocks(_) => "blocks",
            Ingress::Rvfi(rvfi::Config { port: rvfi::Port::Rvfi, .. }) => "rvfi",
            Ingress::Rvfi(rvfi::Config { port: rvfi::Port::Retired, .. }) => "retired",
            Ingress::Tip(_) => "tip",
        }
    }

    /// The design with the pins that the adapter needs.
    ///
    /// # Errors
    /// When it cannot have them.
    pub fn fit(self, mut design: Design) -> Result<Design, DesignError> {
        if let Ingress::Rvfi(rvfi::Config { compressed: Compressed::Expanded, .. }) = self {
            design.set("expanded_words", "true")?;
        }
        let protocol = design.protocol();
        let counts = match self {
            Ingress::Blocks(_) => true,
            // One instruction or block in a cycle fills no queue, but for exceptions back to back. `lost` is enough for them, and
            // for addresses of a window, which may not be lost.
            Ingress::Rvfi(_) | Ingress::Tip(_) => self.lanes() > 1 && !protocol.filter_window,
        };
        if counts && protocol.drops_blocks() {
            design.set("loss_pins", "true")?;
        }
        Ok(design)
    }

    /// What a core can show in a cycle: instructions or blocks.
    pub fn lanes(self) -> u32 {
        match self {
            Ingress::Blocks(config) => config.lanes,
            Ingress::Rvfi(config) => config.queue.lanes,
            Ingress::Tip(config) => config.queue.lanes,
        }
    }

    /// Blocks that may be in the adapter, at most: those of its queue, and one in a register before and after it.
    pub fn held_blocks(self) -> u32 {
        let depth = match self {
            Ingress::Blocks(config) => config.depth,
            Ingress::Rvfi(config) => config.queue.depth,
            Ingress::Tip(config) => config.queue.depth,
        };
        depth + 2
    }

    /// What may still come after the adapter has raised `stall`.
    pub fn slack(self) -> u32 {
        match self {
            Ingress::Blocks(_) => 0,
            Ingress::Rvfi(config) => config.queue.slack,
            Ingress::Tip(config) => config.queue.slack,
        }
    }
}
