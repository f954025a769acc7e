//! Compiles the shared library for QEMU with the compiler that compiles everything else.
//!
//! Cargo can compile a shared library beside a program, but cannot put it into one, and `cargo install` leaves it out.
//! The library therefore uses nothing but the standard library, and one call of the compiler makes it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=library");
    println!("cargo:rerun-if-changed=src/wire.rs");
    match compile() {
        Ok(library) => {
            println!("cargo:rustc-env=CAPTURE_PLUGIN_LIBRARY={}", library.display());
            ExitCode::SUCCESS
        }
        Err(what) => {
            println!("cargo:error=cannot compile the QEMU plugin: {what}");
            ExitCode::FAILURE
        }
    }
}

fn compile() -> Result<PathBuf, String> {
    let variable = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
    let library = Path::new(&variable("OUT_DIR")?).join("libtracewright_capture_plugin.so");
    let compiler = variable("RUSTC")?;
    // The wrapper for members of the workspace lints.
    let mut command = match env::var_os("RUSTC_WORKSPACE_WRAPPER").filter(|name| !name.is_empty()) {
        Some(wrapper) => {
            let mut command = Command::new(wrapper);
            command.arg(compiler);
            command
        }
        None => Command::new(compiler),
    };
    command.args(["--crate-name", "tracewright_capture_plugin", "--crate-type", "cdylib"]);
    command.args(["--edition", "2024", "-C", "opt-level=3", "-C", "strip=symbols"]);
    command.arg("--target").arg(variable("TARGET")?);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("linker=");
        option.push(linker);
        command.arg("-C").arg(option);
    }
    // The user's flags come last, as cargo passes them.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    command.arg("-o").arg(&library).arg("library/lib.rs");
    let status = command.status().map_err(|error| error.to_string())?;
    match status.success() {
        true => Ok(library),
        false => Err(format!("the compiler ended with {status}")),
    }
}
