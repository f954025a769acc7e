//! Raw bindings to the *Verilated run time*, the C++ library that every model made by
//! [Verilator](https://verilator.org) is linked with.
//!
//! The build script finds an installed Verilator (`$VERILATOR_ROOT`, `verilator --getenv
//! VERILATOR_ROOT`, `pkg-config`), checks that it is 5.006 or later and compiles the run time once
//! into a static, position-independent library with hidden symbols. That is the slow part of
//! building a model: with it done, a model takes about half a second.
//!
//! # To compile a model
//!
//! [`INCLUDE`] is the directory of `verilated.h`, and [`ARCHIVE`] the bytes of the static library to
//! link a model with. The bytes are part of the program, so a model can be compiled long after
//! cargo's target directory is gone. Define `VL_TIME_CONTEXT` and link `pthread`. [`VERSION`] must
//! be the version of the `verilator` that wrote the model: the generated code and the run time are
//! one program.
//!
//! In this library a fatal condition of the run time (no convergence, `$stop`, a missing `$readmemh`
//! file) throws `std::runtime_error` out of the model's `eval` instead of ending the process: catch
//! it on the C++ side. `$finish` sets the context's flag and prints nothing.
//!
//! # To call the run time
//!
//! The functions bind a context (time, seed, flags) in this process; models link against the same
//! run time with `cargo:rustc-link-lib` through the `links = "verilated"` metadata.
//!
//! ```
//! if let Some(reason) = verilator_sys::UNAVAILABLE {
//!     println!("no Verilator here: {reason}");
//! } else {
//!     println!("Verilator {} in {}", verilator_sys::VERSION.unwrap(), verilator_sys::ROOT.unwrap());
//! }
//! ```
//!
//! # Where Verilator is absent
//!
//! The crate builds all the same, with a warning, so that `cargo check` and documentation work:
//! [`UNAVAILABLE`] says why, the other constants are `None`, and the functions do not exist.
//! The script looks again at the next build.
//!
//! # Metadata
//!
//! Build scripts of direct dependents get `DEP_VERILATED_ROOT`, `DEP_VERILATED_INCLUDE`,
//! `DEP_VERILATED_VERSION` and `DEP_VERILATED_LIBDIR` (which holds `libverilated.a`).

#![no_std]

#[cfg(verilated)]
mod bindings;

#[cfg(verilated)]
pub use bindings::*;

/// Verilator's root directory, as `verilator --getenv VERILATOR_ROOT` prints it.
pub const ROOT: Option<&str> = option_env!("VERILATED_ROOT");

/// The directory of `verilated.h`; `vltstd` under it is to be on the include path too.
pub const INCLUDE: Option<&str> = option_env!("VERILATED_INCLUDE");

/// The version of the run time, such as `5.006`.
pub const VERSION: Option<&str> = option_env!("VERILATED_VERSION");

/// Why there is no run time; `None` if there is one.
pub const UNAVAILABLE: Option<&str> = option_env!("VERILATED_UNAVAILABLE");

/// The bytes of the static library: position-independent, optimized, symbols hidden.
#[cfg(verilated)]
pub const ARCHIVE: Option<&[u8]> = Some(include_bytes!(env!("VERILATED_ARCHIVE")));

/// The bytes of the static library: position-independent, optimized, symbols hidden.
#[cfg(not(verilated))]
pub const ARCHIVE: Option<&[u8]> = None;
