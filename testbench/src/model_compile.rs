//! The C++ of a model, compiled into a shared library.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tracewright_cache::{Cache, Hash};

use crate::error::{Error, Result};
use crate::glue::{self, HARNESS, PRELUDE, PRELUDE_FILE};
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

/// What the objects are made of that models share.
struct Shared<'a> {
    source: &'a ModelSource,
    toolchain: &'a Toolchain,
    cache: &'a Cache,
    arguments: Vec<String>,
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
    let shared = Shared { source, toolchain, cache, arguments: arguments(toolchain, options) };
    if toolchain.is_gnu() {
        let link = room.join(format!("{PRELUDE_FILE}.gch"));
        symlink(shared.precompiled_prelude()?, &link).map_err(Error::file(&link))?;
    }
    let mut command = toolchain.compiler();
    command.current_dir(room).args(&shared.arguments).arg("-I.").arg("unit.cpp");
    command.arg(shared.harness()?).args(["libverilated.a", "-o", "model.so"]);
    run(command.args(LINKER_ARGUMENTS), source, toolchain)?;
    Ok(room.join("model.so"))
}

impl Shared<'_> {
    /// The prelude as the GNU compiler reads it in a fraction of the time; it takes a third off a model's.
    fn precompiled_prelude(&self) -> Result<PathBuf> {
        self.get_or_compile("prelude", "gch", (PRELUDE_FILE, PRELUDE), &["-x", "c++-header"])
    }

    /// The harness as an object; it takes a fifth off a model's time.
    fn harness(&self) -> Result<PathBuf> {
        self.get_or_compile("harness", "o", ("harness.cpp", HARNESS), &["-c", "-I."])
    }

    /// The absolute path in the cache of what the compiler makes of a file.
    fn get_or_compile(
        &self,
        name: &str,
        extension: &str,
        (file, text): (&str, &str),
        more: &[&str],
    ) -> Result<PathBuf> {
        let mut hash = Hash::default();
        hash.add(PRELUDE);
        hash.add(text);
        hash.add(&self.toolchain.verilator_version);
        hash.list(&self.toolchain.compiler);
        hash.add(&self.toolchain.compiler_version);
        hash.list(&self.arguments);
        let path =
            self.cache.get_or_build(&format!("{name}-{}.{extension}", hash.finish()), |room| {
                write(room, PRELUDE_FILE, PRELUDE.as_bytes())?;
                write(room, file, text.as_bytes())?;
                let mut command = self.toolchain.compiler();
                command.current_dir(room).args(&self.arguments).args(more);
                let made = format!("made.{extension}");
                run(command.args([file, "-o", made.as_str()]), self.source, self.toolchain)?;
                Ok::<_, Error>(room.join(made))
            })?;
        std::path::absolute(&path).map_err(Error::file(&path))
    }
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
