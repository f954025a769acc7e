//! Functions that several commands use.

pub mod code_file;
pub mod contexts;
pub mod control;
pub mod design;
mod design_file;
pub mod encoded;
pub mod events;
pub mod execution;
pub mod exploration;
pub mod failure;
pub mod folder;
pub mod format;
pub mod gaps;
pub mod image_list;
pub mod ingress;
pub mod limits;
pub mod measure;
pub mod memory;
pub mod output;
pub mod plots;
pub mod print;
pub mod program_arguments;
pub mod program_counters;
pub mod program_files;
pub mod progress;
mod ring;
pub mod synthesis;
