//! The C++ of a model, compiled into a shared library.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tracewright_cache::{Cache, Hash};

use crate::error::{Error, Result};
use crate::glue::{self, PRELUDE, PRELUDE_FILE};
use crate::model_build::{BuildOptions, ModelSource};
use crate::toolchain::{self, Toolchain};

/// Arguments of the C++ compiler. Models run as fast with `-O1` as with `-O2`, which takes longer; with `-O0` they
/// run ten times slower.
const ARGUMENTS: [&str; 7] =
    ["-std=c++17", "-O1", "-fPIC", "-fvisibility=hidden", "-w", "-pthread", "-DVL_TIME_CONTEXT"];

/// A model that counts runs little, and the counting makes it long to compile.
const COVERAGE_ARGUMENTS: [&str; 2] = ["-O0", "-DVM_COVERAGE=1"];

/// Arguments of the C++ compiler when it links. Clang calls the last library for what the GNU compiler does in line.
pub(crate) const LINKER_ARGUMENTS: [&str; 6] =
    ["-shared", "-Wl,-Bsymbolic", "-Wl,-s", "-Wl,-z,defs", "-Wl,--as-needed", "-latomic"];

/// The arguments of the C++ compiler for models with these options.
pub(crate) fn arguments(toolchain: &Toolchain, options: &BuildOptions) -> Vec<String> {
    let mut arguments: Vec<String> = ARGUMENTS.map(String::from).into();
    if options.coverage {
        arguments.extend(COVERAGE_ARGUMENTS.map(String::from));
    }
    if toolchain.is_gnu() {
        // Unique symbols would be shared between all the models of a process.
        arguments.push("-fno-gnu-unique".into());
    }
    let traced = u8::from(options.waves);
    arguments.extend([format!("-DVM_TRACE={traced}"), format!("-DVM_TRACE_VCD={traced}")]);
    let vltstd = Path::new(toolchain.include).join("vltstd");
    arguments.extend([format!("-I{}", toolchain.include), format!("-I{}", vltstd.display())]);
    arguments
}

/// Compiles what Verilator left in `room` and returns where the shared library is.
pub(crate) fn compile(
    source: &ModelSource,
    room: &Path,
    toolchain: &Toolchain,
    cache: &Cache,
    options: &BuildOptions,
) -> Result<PathBuf> {
    let sources = cpp_files(room)?;
    let unit = glue::translation_unit(&sources, &source.ports, source.clock.as_deref());
    write(room, "unit.cpp", unit.as_bytes())?;
    write(room, "libverilated.a", toolchain.archive)?;
    write(room, PRELUDE_FILE, PRELUDE.as_bytes())?;
    if toolchain.is_gnu() {
        let link = room.join(format!("{PRELUDE_FILE}.gch"));
        let prelude = precompiled_prelude(source, toolchain, cache, options)?;
        let prelude = std::path::absolute(prelude);
        prelude.and_then(|prelude| symlink(prelude, &link)).map_err(Error::file(&link))?;
    }
    let mut command = toolchain.compiler();
    command.current_dir(room).args(arguments(toolchain, options)).arg("-I.");
    command.args(["unit.cpp", "libverilated.a", "-o", "model.so"]).args(LINKER_ARGUMENTS);
    run(&mut command, source, toolchain)?;
    Ok(room.join("model.so"))
}

/// The prelude as the GNU compiler reads it in a fraction of the time; it takes a third off a model's.
fn precompiled_prelude(
    source: &ModelSource,
    toolchain: &Toolchain,
    cache: &Cache,
    options: &BuildOptions,
) -> Result<PathBuf> {
    let arguments = arguments(toolchain, options);
    let mut hash = Hash::default();
    hash.add(PRELUDE);
    hash.add(&toolchain.verilator_version);
    hash.list(&toolchain.compiler);
    hash.add(&toolchain.compiler_version);
    hash.list(&arguments);
    cache.get_or_build(&format!("prelude-{}.gch", hash.finish()), |room| {
        write(room, PRELUDE_FILE, PRELUDE.as_bytes())?;
        let mut command = toolchain.compiler();
        command.current_dir(room).args(&arguments);
        command.args(["-x", "c++-header", PRELUDE_FILE, "-o", "prelude.gch"]);
        run(&mut command, source, toolchain)?;
        Ok(room.join("prelude.gch"))
    })
}

fn run(
    command: &mut std::process::Command,
    source: &ModelSource,
    toolchain: &Toolchain,
) -> Result<()> {
    let output = toolchain::run(command, "g++")?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Compile {
        compiler: toolchain.compiler.join(" "),
        top: source.top.clone(),
        messages: toolchain::messages(&output),
    })
}

fn write(room: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = room.join(name);
    fs::write(&path, bytes).map_err(Error::file(&path))
}

/// The C++ files in a directory, in order of name.
fn cpp_files(directory: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(Error::file(directory))? {
        let name = entry.map_err(Error::file(directory))?.file_name();
        names.extend(name.to_str().filter(|name| name.ends_with(".cpp")).map(String::from));
    }
    names.sort();
    Ok(names)
}
