//! Data addresses by stride, confidence and range coder: a Talon for memory accesses.
//!
//! An [`encoder`] and a [`decoder`] keep equal [`stride_table`]s. Every access is one symbol of Talon's
//! [`range_coder`](crate::talon::range_coder), "at the last address plus the stride" or not, which costs what the
//! table entry's confidence makes it worth. Only a wrong one sends bits of an address: its difference from the nearer
//! of two references.
//!
//! As with [`data_stride`](crate::data_stride), addresses are all that is sent. Which instruction accesses memory,
//! when, and whether it reads or writes, the decoder is given: [`AccessSite`](crate::event::AccessSite)s between the
//! events of an execution.

pub mod arbitrary;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod layout;
pub mod presets;
pub mod room;
pub mod stride_table;
