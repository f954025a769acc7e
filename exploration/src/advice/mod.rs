//! Which design to take for some traces.
//!
//! [`Subject`] says what the traces are of, [`Subject::designs`] which presets can trace them. [`survey`] measures those
//! and their neighbours, which differ in one table, and gives the few that are worth a synthesis. With its gates, a
//! design is an [`Offer`], and [`choose`] takes one of the offers, within a [`Budget`] if there is one.
//!
//! Designs are compared by their worst trace, unless the budget says otherwise.

mod choice;
mod neighbourhood;
mod offer;
mod subject;
mod survey;

pub use choice::{Budget, By, Choice, LeftOut, Memories, Purpose, Recommended, choose, worthwhile};
pub use neighbourhood::neighbours;
pub use offer::{Gates, Load, Offer, offers};
pub use subject::Subject;
pub use survey::{Finalist, survey};
