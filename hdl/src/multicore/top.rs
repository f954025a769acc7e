//! The whole trace module of several cores, pins to pins (docs/hardware.md).

/// mcfTRaptor.
mod mctraptor {
    use tracewright_elaborate::prelude::*;
    use tracewright_sim::multicore::config::Config;

    use crate::traptor::encoder::Encoder;

    crate::trace_module! {
        /// mcfTRaptor (paper E): a T-raptor module for every core.
        Mctraptor, Config<tracewright_sim::traptor::config::Config>, "mctraptor",
        several encoded_module, counts sweeps_by_instruction_count: swept
    }
}

/// Nexus-like modules.
mod nexus {
    use tracewright_elaborate::prelude::*;
    use tracewright_sim::multicore::config::Config;

    use crate::nexus::encoder::Encoder;

    crate::trace_module! {
        /// Nexus-like modules, one for every core.
        Nexus, Config<tracewright_sim::nexus::config::Config>, "nexus", several encoded_module
    }
}

pub use mctraptor::Mctraptor;
pub use nexus::Nexus;
