use super::offer::{Marker, Offer, offer};
use rust_hdl::core::prelude::{Block, Logic, Probe};

/// The module's name and the parameters that set this one apart from others of the kind.
///
/// Every block holds one: RustHDL knows a block's fields, not its type's name.
///
/// ```
/// use tracewright_elaborate::prelude::*;
/// let kind = Kind::new("gshare", [("entries", 512), ("counter_width", 2)]);
/// ```
#[derive(Clone, Debug)]
pub struct Kind {
    name: String,
    parameters: Vec<(String, u64)>,
    description: String,
}

impl Kind {
    /// A kind and its parameters, in the order in which module names have them.
    pub fn new<N: Into<String>>(
        name: impl Into<String>,
        parameters: impl IntoIterator<Item = (N, usize)>,
    ) -> Self {
        let parameters =
            parameters.into_iter().map(|(name, value)| (name.into(), value as u64)).collect();
        Self { name: name.into(), parameters, description: String::new() }
    }

    /// A kind without parameters.
    pub fn plain(name: impl Into<String>) -> Self {
        Self::new(name, Vec::<(String, usize)>::new())
    }

    /// Adds the line above the module in the Verilog.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }
}

impl Logic for Kind {
    fn update(&mut self) {}
}

impl Block for Kind {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let offered = Offer::Kind {
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            description: self.description.clone(),
        };
        offer(name, &Marker, offered, probe);
    }
}
