//! From Verilog to a loaded model.
//!
//! Verilator turns the Verilog into C++, and the C++ compiler makes one shared library of that, the
//! harness and the Verilated run time. The run time was compiled with `verilator-sys` and the harness
//! for the first model, so a model takes about half a second, and none at all when the cache has it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use tracewright_cache::{Cache, Hash};

use crate::error::{Error, Result};
use crate::glue;
use crate::library::Library;
use crate::model_compile as compile;
use crate::port::{Direction, Port};
use crate::toolchain::{self, Toolchain};

/// Arguments of Verilator. What starts without a value starts with a random one; the warnings are
/// [`lint`](crate::lint)'s.
const VERILATOR_ARGUMENTS: [&str; 13] = [
    "--cc",
    "-O3",
    "--x-initial",
    "unique",
    "--x-assign",
    "unique",
    "--output-split",
    "0",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--Mdir",
    ".",
];

/// Blocks are not split, because a separate block would count a branch by values that are assigned only after it.
const COVERAGE_VERILATOR_ARGUMENTS: [&str; 3] = ["--coverage-line", "-fno-split", "-fno-reorder"];

/// With the arguments for coverage.
const TOGGLES: &str = "--coverage-toggle";

/// For a netlist whose every net is in the waves: a net that is put into what reads it would be worked out anew for the
/// waves, with all that is in front of it, and the compiler takes far longer for functions of so many lines.
const NETLIST_ARGUMENTS: [&str; 5] =
    ["-fno-gate", "-fno-dfg", "-fno-subst", "--output-split-cfuncs", "500"];

/// A file of Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VerilogFile {
    /// Its name without a directory, such as `top.v`; what others include ends in `.svh`.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl VerilogFile {
    /// A file of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> VerilogFile {
        VerilogFile { name: name.into(), text: text.into() }
    }
}

/// What a model is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSource {
    /// Every file of the design.
    pub files: Vec<VerilogFile>,
    /// The top module.
    pub top: String,
    /// The clock among the inputs; a module without one is combinational.
    pub clock: Option<String>,
    /// Every port of the top module, the clock included.
    pub ports: Vec<Port>,
}

/// How to build a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildOptions {
    /// Able to write waves; such a model runs slower even when it writes none.
    pub waves: bool,
    /// What is built is a netlist, whose waves have every net.
    pub netlist: bool,
    /// Counts how often every line and branch of the Verilog is seen; such a model runs slower.
    pub coverage: bool,
    /// Counts how often every bit changes too, if it counts coverage; such a model takes several times as long to build
    /// and to run.
    pub toggles: bool,
    /// Where to keep it; `None` is [`Cache::of_user`].
    pub cache: Option<Cache>,
}

impl ModelSource {
    /// Builds the model, or finds it in the cache, and loads it.
    pub fn build(&self, options: &BuildOptions) -> Result<Arc<Library>> {
        self.validate()?;
        let toolchain = Toolchain::find()?;
        let cache = match &options.cache {
            Some(cache) => cache.clone(),
            None => Cache::of_user()?,
        };
        let waves = match (options.waves, options.netlist) {
            (false, _) => "",
            (true, false) => "-waves",
            (true, true) => "-nets",
        };
        let coverage = match (options.coverage, options.toggles) {
            (false, _) => "",
            (true, false) => "-coverage",
            (true, true) => "-toggles",
        };
        let name = format!("{}{waves}{coverage}-{}.so", self.top, self.digest(toolchain, options));
        let path =
            cache.get_or_build(&name, |room| self.build_in(room, toolchain, &cache, options))?;
        Library::load(&path, self)
    }

    /// Refuses what would be an obscure error of Verilator or of the compiler.
    fn validate(&self) -> Result<()> {
        let refuse = |reason| Err(Error::Description { top: self.top.clone(), reason });
        if !is_identifier(&self.top) {
            return refuse("the name of the top module is no plain Verilog identifier".into());
        }
        if self.files.is_empty() {
            return refuse("there is no Verilog file".into());
        }
        for (index, file) in self.files.iter().enumerate() {
            let ends = [".v", ".sv", ".svh"];
            let stem = ends.iter().find_map(|end| file.name.strip_suffix(end));
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            if !stem.is_some_and(|s| s.chars().all(plain)) || file.name.starts_with(['-', '.']) {
                return refuse(format!("`{}` is no plain file name that ends in .v", file.name));
            }
            if self.files[..index].iter().any(|other| other.name == file.name) {
                return refuse(format!("there are two files `{}`", file.name));
            }
        }
        for (index, port) in self.ports.iter().enumerate() {
            if !is_identifier(&port.name) {
                return refuse(format!("`{}` is no plain Verilog identifier", port.name));
            }
            if port.width == 0 || port.width > Port::MAX_WIDTH {
                return refuse(format!("{port} is not 1 to {} bits wide", Port::MAX_WIDTH));
            }
            if self.ports[..index].iter().any(|other| other.name == port.name) {
                return refuse(format!("there are two ports `{}`", port.name));
            }
        }
        match &self.clock {
            Some(clock) if !self.ports.contains(&Port::input(clock.as_str(), 1)) => {
                refuse(format!("the clock `{clock}` is not an input of 1 bit"))
            }
            _ => Ok(()),
        }
    }

    /// The hash of everything the shared library is made from.
    fn digest(&self, toolchain: &Toolchain, options: &BuildOptions) -> String {
        static ARCHIVE: OnceLock<Vec<u8>> = OnceLock::new();
        let mut hash = Hash::default();
        hash.add(ARCHIVE.get_or_init(|| Sha256::digest(toolchain.archive).to_vec()));
        hash.add(&toolchain.verilator_version);
        hash.list(&toolchain.compiler);
        hash.add(&toolchain.compiler_version);
        hash.list(&VERILATOR_ARGUMENTS);
        hash.list(&COVERAGE_VERILATOR_ARGUMENTS);
        if options.netlist {
            hash.list(&NETLIST_ARGUMENTS);
        }
        hash.list(&compile::arguments(toolchain, options));
        hash.list(&compile::LINKER_ARGUMENTS);
        hash.add([options.waves, options.coverage, options.toggles].map(u8::from));
        hash.add(&self.top);
        hash.add(glue::PRELUDE);
        hash.add(glue::HARNESS);
        hash.add(glue::translation_unit(&[], &self.ports, self.clock.as_deref()));
        for port in &self.ports {
            hash.add(port.to_string());
        }
        for file in &self.files {
            hash.add(&file.name);
            hash.add(&file.text);
        }
        hash.finish()
    }

    /// Builds the shared library in an empty directory and returns where it is.
    fn build_in(
        &self,
        room: &Path,
        toolchain: &Toolchain,
        cache: &Cache,
        options: &BuildOptions,
    ) -> Result<PathBuf> {
        self.verilate(room, options)?;
        let header = room.join(format!("{}.h", glue::CLASS));
        let header = fs::read_to_string(&header).map_err(Error::file(&header))?;
        let differences = glue::port_differences(&self.ports, &glue::ports_of_header(&header));
        if !differences.is_empty() {
            return Err(Error::PortMismatch { top: self.top.clone(), differences });
        }
        compile::compile(self, room, toolchain, cache, options)
    }

    fn verilate(&self, room: &Path, options: &BuildOptions) -> Result<()> {
        let mut command = toolchain::verilator();
        command.current_dir(room).args(VERILATOR_ARGUMENTS);
        command.args(["--prefix", glue::CLASS, "--top-module", self.top.as_str()]);
        if options.waves {
            command.arg("--trace");
        }
        if options.netlist {
            command.args(NETLIST_ARGUMENTS);
        }
        if options.coverage {
            command.args(COVERAGE_VERILATOR_ARGUMENTS);
            command.args(options.toggles.then_some(TOGGLES));
        }
        for file in &self.files {
            let path = room.join(&file.name);
            fs::write(&path, &file.text).map_err(Error::file(&path))?;
            // Those are included by others.
            if !file.name.ends_with(".svh") {
                command.arg(&file.name);
            }
        }
        let output = toolchain::run(&mut command, toolchain::VERILATOR.package)?;
        if output.status.success() {
            return Ok(());
        }
        Err(Error::Verilator { top: self.top.clone(), messages: toolchain::messages(&output) })
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The ports that cross to C++ in one direction.
pub(crate) fn ports_in_order(source: &ModelSource, direction: Direction) -> Vec<Port> {
    glue::in_order(&source.ports, direction, source.clock.as_deref()).cloned().collect()
}
