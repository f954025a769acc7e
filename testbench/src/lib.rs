//! Under construction.
mod cache;
mod error;
mod glue;
mod library;
mod model;
mod model_build;
pub mod port;
mod toolchain;

pub use cache::Cache;
pub use error::{Error, Result};
pub use library::{InputPort, Library, OutputPort, ResetPort};
pub use model::Model;
pub use model_build::{BuildOptions, ModelSource, VerilogFile};
pub use port::{Direction, Port};
