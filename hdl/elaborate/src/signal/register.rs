use super::offer::{Marker, Offer, offer};
use super::wire::Wire;
use crate::simulate::{edge, power_up};
use crate::word::Word;
use rust_hdl::core::prelude::{Block, In, Logic, Out, Probe};

/// A register: `d` is its next value, `q` its present one.
///
/// It keeps its value unless the kernel writes `d`. A reset gives it its reset value, if it has one.
#[derive(Clone, Debug)]
pub struct Reg {
    /// The value after the next clock edge.
    pub d: Wire<In>,
    /// The present value.
    pub q: Wire<Out>,
    reset: Option<Word>,
    seen: u64,
    description: String,
    label: Option<String>,
}

impl Reg {
    /// A register of `width` bits that resets to `reset`.
    pub fn new(width: usize, reset: impl Into<Word>) -> Self {
        let reset = reset.into();
        let mut register = Self::without_reset(width);
        register.q.next = reset.clone().fitted(width);
        register.reset = Some(reset);
        register
    }

    /// A register of `width` bits that no reset changes: data that another register says to be valid.
    ///
    /// The simulator fills it with a pattern made from its seed, as power-up would.
    pub fn without_reset(width: usize) -> Self {
        Self {
            d: Wire::new(width),
            q: Wire::new(width),
            reset: None,
            seen: 0,
            description: String::new(),
            label: None,
        }
    }

    /// Adds one line that the Verilog carries beside the declaration.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Gives the register another name in the Verilog than its field's.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The number of bits.
    pub fn width(&self) -> usize {
        self.q.width()
    }
}

impl Logic for Reg {
    fn update(&mut self) {
        let edge = edge();
        if edge.cycle != self.seen {
            let is_first = self.seen == 0;
            self.seen = edge.cycle;
            self.q.next = match &self.reset {
                Some(reset) if edge.reset => reset.clone(),
                None if is_first => power_up(1, self.width()).swap_remove(0),
                _ => self.d.val(),
            };
        }
    }
}

impl Block for Reg {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.update();
        self.d.update_all();
        self.q.update_all();
        // Unless the kernel writes it, the next value is the present one.
        self.d.next = self.q.next.clone();
    }

    fn has_changed(&self) -> bool {
        self.d.has_changed() || self.q.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let offered = Offer::Register {
            width: self.width(),
            reset: self.reset.clone(),
            description: self.description.clone(),
            label: self.label.clone(),
        };
        offer(name, &Marker, offered, probe);
    }
}
