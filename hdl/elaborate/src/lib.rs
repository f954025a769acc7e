//! Under construction.
mod error;
pub mod prelude;
mod signal;
mod simulate;
mod word;
pub use error::Error;
pub use signal::*;
pub use simulate::Simulator;
pub use word::{Word, bits_to, unsigned_cast_to_fit};
mod options;
pub use options::*;
/// Writes the design as Verilog.
pub fn elaborate<B: rust_hdl::core::prelude::Block>(_: &B, options: &Options) -> Result<Verilog, Error> {
    Ok(Verilog { top: options.top.clone(), modules: Vec::new(), ports: Vec::new() })
}
