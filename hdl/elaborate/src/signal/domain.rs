use super::offer::{Marker, Offer, offer};
use rust_hdl::core::prelude::{Block, Logic, Probe};

/// What a [`Domain`] carries from block to block.
///
/// It is empty: the simulator tells every register of the edge and the reset at once, as a clock tree without
/// skew would, and in the Verilog the clock and the reset are wired straight through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tick;

/// The clock and the reset of a block: its ports `clock` and `reset` (or `reset_n`).
///
/// `dff_setup!(self, domain, register, ..)` and `clock!(self, domain, memory, ..)` hand it to registers and
/// memories; `self.block.domain.next = self.domain.val()` hands it to a sub-block.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// Where the domain comes from.
    pub next: Tick,
}

impl Domain {
    /// A domain.
    pub fn new() -> Self {
        Self::default()
    }

    /// The domain, to hand on.
    pub fn val(&self) -> Tick {
        self.next
    }
}

impl Logic for Domain {
    fn update(&mut self) {}
}

impl Block for Domain {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        offer(name, &Marker, Offer::Domain, probe);
    }
}
