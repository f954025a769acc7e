//! Searches a space of parameters for designs of few bits, few gates and small buffers.
//!
//! A [`Search`] has a [`Space`](space::Space) of presets and parameters, the objectives, and a strategy. [`explore`]
//! measures designs of the space with the golden models, many of them in one pass over a trace, and keeps every
//! measurement in a results folder. Predictors without hardware are measured beside them. A search that was killed goes on where it was. Several jobs, even on different
//! machines, each do a shard of one search, and [`merge`] puts their results together. [`advice`] chooses a design for
//! traces from the presets and designs beside them.
//!
//! ```
//! use tracewright_exploration::{Names, Setup, explore, search_file};
//! use tracewright_verification::{Progress, Shard};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("space.toml");
//! std::fs::write(&file, "preset = \"traptor-s1\"\n[space]\ngshare_entries = [128, 256, 512]\n")?;
//! let search = search_file::load(&file, &Names::default())?;
//!
//! let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads/rv32-synthetic-data.pet.zst");
//! let setup = Setup { shard: Shard::WHOLE, limit: Default::default(), progress: Progress::silent() };
//! let found = explore(&search, &[trace.into()], &folder.path().join("results"), &setup)?;
//! assert_eq!(found.configurations.len(), 3);
//! assert!(found.front().count() >= 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adversary;
pub mod advice;
pub mod class;
mod comma_separated;
mod error;
mod evaluator;
pub mod fit;
mod improvement;
mod input;
mod merge;
mod names;
mod objective;
mod outcome;
mod prediction;
mod predictors;
mod search;
pub mod search_file;
pub mod space;
mod store;
mod strategy;
mod synthesized;
mod without_class;
mod yardstick;

pub use error::{Error, Result};
pub use improvement::{Contribution, Improvement, LeftOut};
pub use input::Input;
pub use merge::merge;
pub use names::Names;
pub use objective::Objective;
pub use outcome::{Counts, Exploration, Row, TraceSummary};
pub use predictors::Predictors;
pub use search::{Search, Setup, Strategy, explore};
pub use store::Figures;
pub use without_class::{Elsewhere, WithoutClass};
pub use yardstick::{Baseline, Ratios};
