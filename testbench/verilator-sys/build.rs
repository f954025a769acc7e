//! Finds Verilator, compiles its run time and hands on where everything is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest version whose generated code and run time this crate was tried with.
const OLDEST: Version = Version { major: 5, minor: 6 };

/// The parts of the run time that a model needs, with or without waves and coverage.
const SOURCES: [&str; 4] =
    ["verilated.cpp", "verilated_threads.cpp", "verilated_vcd_c.cpp", "verilated_cov.cpp"];

/// A Verilator version: 5.006 is major 5, minor 6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    major: u32,
    minor: u32,
}

/// An installed Verilator.
struct Installation {
    root: PathBuf,
    include: PathBuf,
    version: String,
}

fn main() {
    println!("cargo:rustc-check-cfg=cfg(verilated)");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=native");
    for variable in ["VERILATOR_ROOT", "CXX", "CXXFLAGS", "DOCS_RS"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    if let Err(reason) = find().and_then(|installation| build(&installation)) {
        println!("cargo:warning={reason}");
        println!("cargo:rustc-env=VERILATED_UNAVAILABLE={reason}");
        // A file that does not exist makes cargo try again at the next build.
        println!("cargo:rerun-if-changed=verilator-is-not-installed");
    }
}

/// Looks for Verilator in the three places it makes itself known.
fn find() -> Result<Installation, String> {
    if env::var_os("DOCS_RS").is_some() {
        return Err("docs.rs has no Verilator".into());
    }
    if let Some(root) = env::var_os("VERILATOR_ROOT") {
        let root = PathBuf::from(root);
        return installation(&root, &root.join("include"))
            .map_err(|reason| format!("VERILATOR_ROOT: {reason}"));
    }
    if let Some(root) = output_line("verilator", &["--getenv", "VERILATOR_ROOT"]) {
        let root = PathBuf::from(root);
        return installation(&root, &root.join("include"));
    }
    if let Some(include) = output_line("pkg-config", &["--variable=includedir", "verilator"]) {
        let include = PathBuf::from(include);
        let root = include.parent().unwrap_or(&include).to_path_buf();
        return installation(&root, &include);
    }
    Err("Verilator was not found (Debian package `verilator`); set VERILATOR_ROOT if it is \
         installed elsewhere"
        .into())
}

/// Checks that a run time is where it should be and new enough.
fn installation(root: &Path, include: &Path) -> Result<Installation, String> {
    for source in SOURCES {
        if !include.join(source).is_file() {
            return Err(format!("{} is missing", include.join(source).display()));
        }
    }
    let config = include.join("verilated_config.h");
    let text = fs::read_to_string(&config).map_err(|e| format!("{}: {e}", config.display()))?;
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("#define VERILATOR_VERSION"))
        .ok_or_else(|| format!("{} states no VERILATOR_VERSION", config.display()))?;
    let version = line.trim().trim_matches('"').split(' ').next().unwrap_or("").to_string();
    match parse(&version) {
        Some(number) if number >= OLDEST => {
            Ok(Installation { root: root.to_path_buf(), include: include.to_path_buf(), version })
        }
        Some(_) => Err(format!(
            "Verilator {version} in {} is older than {}.{:03}",
            root.display(),
            OLDEST.major,
            OLDEST.minor
        )),
        None => Err(format!("{}: version `{version}` is not understood", config.display())),
    }
}

/// Reads `5.006`.
fn parse(version: &str) -> Option<Version> {
    let (major, minor) = version.split_once('.')?;
    Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
}

/// The first line a program prints, if it runs, succeeds and prints one.
fn output_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next().unwrap_or("").trim().to_string();
    (output.status.success() && !line.is_empty()).then_some(line)
}

/// Compiles the run time and the C interface into `libverilated.a`.
fn build(installation: &Installation) -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let include = &installation.include;
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .pic(true)
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .cargo_metadata(false)
        .flag("-w")
        .flag("-fvisibility=hidden")
        .include("native")
        .include(include)
        .include(include.join("vltstd"))
        .file("native/verilated_c.cpp");
    for source in SOURCES {
        build.file(include.join(source));
    }
    for define in ["VL_TIME_CONTEXT", "VL_USER_FATAL", "VL_USER_STOP", "VL_USER_FINISH"] {
        build.define(define, None);
    }
    build.try_compile("verilated").map_err(|e| {
        format!("the Verilated run time did not compile (Debian package `g++`): {e}")
            .replace('\n', " ")
    })?;

    println!("cargo:rustc-cfg=verilated");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=verilated");
    println!("cargo:rustc-link-lib={}", cxx_library());
    if build.get_compiler().is_like_clang() && cxx_library() == "stdc++" {
        // Clang calls this library for what the GNU compiler does in line.
        println!("cargo:rustc-link-lib=atomic");
    }
    println!("cargo:rustc-env=VERILATED_ROOT={}", installation.root.display());
    println!("cargo:rustc-env=VERILATED_INCLUDE={}", include.display());
    println!("cargo:rustc-env=VERILATED_VERSION={}", installation.version);
    println!("cargo:rustc-env=VERILATED_ARCHIVE={}", out.join("libverilated.a").display());
    println!("cargo:root={}", installation.root.display());
    println!("cargo:include={}", include.display());
    println!("cargo:version={}", installation.version);
    println!("cargo:libdir={}", out.display());
    println!("cargo:rerun-if-changed={}", include.join("verilated_config.h").display());
    Ok(())
}

/// The C++ standard library that the target's compiler uses.
fn cxx_library() -> &'static str {
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos" | "freebsd" | "openbsd") => "c++",
        _ => "stdc++",
    }
}
