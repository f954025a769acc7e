//! Retirement ports: what a core says of each instruction that retires, and which conventions it follows there.
//!
//! A port has the address and the word of each instruction, and may have more pins: where the flow goes on, what trapped,
//! where handlers begin. What these mean differs from core to core. [`Check`] finds it in the rows of a log, and says
//! with which settings the adapter of a trace module fits ([`Report`]); [`check_log`] reads the log, too.
//!
//! Where a word can lead, a row and the next one show together: a direct branch goes to its target or to the following
//! address, and anything else is a diversion.

mod check;
mod convention;
mod handlers;
mod lanes;
pub(crate) mod order;
mod read;
mod remarks;
mod report;
pub(crate) mod row;
mod settings;
mod step;
mod verdict;
mod word;

pub use check::Check;
pub use convention::{Convention, Evidence};
pub use read::{Checked, check_log};
pub use report::{Report, Sentence};
pub use row::{Kind, Port, Row};
pub use settings::Settings;
