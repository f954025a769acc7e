//! A model with a bus, and its pins by their names.

use std::sync::Arc;

use tracewright_testbench::bus::Master;
use tracewright_testbench::{Library, Model};

/// A model's pins by their names.
pub struct Pins {
    pub model: Model,
    pub master: Master,
}

impl Pins {
    /// A model after its reset.
    pub fn new(library: &Arc<Library>, seed: u64) -> Pins {
        let mut model = Model::new(library, seed).expect("a model");
        model.reset(2).expect("a reset");
        Pins { model, master: Master::new(library, seed).expect("a bus") }
    }

    pub fn set(&mut self, pin: &str, value: u64) {
        let pin = self.model.library().input_of_any_width(pin).expect("an input").0;
        self.model.set(pin, value);
    }

    pub fn get(&self, pin: &str) -> u64 {
        let pin = self.model.library().output_of_any_width(pin).expect("an output").0;
        self.model.get(pin)
    }
}
