//! A plugin for QEMU's program emulators that reports which translated blocks ran, and [`wire`], the format in which it
//! does.
//!
//! The plugin is a shared library of its own (`library/`). The build script compiles it, and [`LIBRARY`] has its bytes,
//! so that a program that captures needs no file beside itself.

pub mod wire;

/// The shared library, for QEMU on the machine for which this crate was compiled.
pub const LIBRARY: &[u8] = include_bytes!(env!("CAPTURE_PLUGIN_LIBRARY"));
