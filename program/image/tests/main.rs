//! Program images and the classifiers of instructions.
//!
//! One program for all tests of this crate: each program would link everything again.

mod classifiers;
mod files;
mod linkage_table;
mod rvfi;
