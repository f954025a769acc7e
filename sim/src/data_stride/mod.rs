//! Data addresses (paper B, sections 2.2 and 3.2): what a stride per instruction does not predict.
//!
//! An [`encoder`] and a [`decoder`] keep equal caches of strides. The trace has a bit for each access,
//! in runs of repeating patterns if [`data_repetitions`] are on, and the addresses that were predicted
//! wrong; the [`layout`] says what they look like.
//!
//! Addresses are all that is sent: which instruction accesses memory, when, and whether it reads or
//! writes, the paper's system knows from the instruction trace and the program's image. So the decoder
//! takes the execution, whose data addresses are not known: [`AccessSite`](crate::event::AccessSite)s
//! between the events. An execution without any access makes a trace of only the flush.

pub mod arbitrary;
pub mod config;
pub mod data_address_stride_cache;
pub mod data_repetitions;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod layout;
pub mod presets;
pub mod record_reader;
pub mod room;
