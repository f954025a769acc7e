//! Yosys runs, each in a directory of its own.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use tracewright_interrupt::Temporary;

use crate::error::{Error, Result};
use crate::liberty::{Library, Surroundings};
use crate::netlist::Netlist;
use crate::tool::Tool;

/// The library's file in the directory of a run.
pub(crate) const CELLS: &str = "cells.lib";

/// Area first, for the logic: equal nodes are merged, the graph is rewritten and resubstituted, and the mapper
/// may take ten times the shortest delay. It is the smallest of some twenty scripts tried: 4 per cent below that
/// of `abc -liberty`.
pub(crate) const LOGIC: &str = "strash;ifraig;scorr;dc2;\
    resub,-K,6;rewrite;resub,-K,6,-N,2;refactor;resub,-K,8;balance;resub,-K,8,-N,2;rewrite;\
    resub,-K,10;rewrite,-z;resub,-K,10,-N,2;balance;resub,-K,12;refactor,-z;resub,-K,12,-N,2;balance;\
    rewrite,-z;balance;dc2;dc2;strash;&get,-n;&dch,-f;&nf,-R,1000,-F,20,-A,10;&put;topo";

/// For memories, which are large and regular: there is little to find, and much to look at.
pub(crate) const MEMORY: &str = "strash;&get,-n;&nf,-R,100;&put;topo";

/// The fastest netlist: depth is balanced by way of LUTs, choices of structure are mapped for delay, then gates are
/// buffered and sized for what they drive until nothing gets faster. Merging and resubstituting first makes logic
/// smaller and slower (docs/gates.md has figures).
pub(crate) const FAST: &str =
    "&get,-n;&st;&if,-g,-K,6;&dch,-f;&nf;&put;buffer,-c;topo;stime;upsize;dnsize;stime";

/// What Yosys does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    /// One module of all.
    pub(crate) flatten: bool,
    /// Memories become flip-flops and gates.
    pub(crate) map_memories: bool,
    /// How gates are mapped.
    pub(crate) abc: &'static str,
}

/// The file with what is around the design, for `abc`.
const AROUND: &str = "around.constr";

impl Flow {
    /// The commands for the modules in `files`, up to cells of the library.
    ///
    /// A table of constants stays logic (`-norom`): as a memory its bits would be counted as storage.
    /// Registers at the outputs of memories stay outside of them (`-nordff`), where they are counted. The
    /// flip-flops get the form that the library has before `abc`, which then sees the gates of their resets and
    /// enables, and become its cells after it, so that `before.json` still tells them from gates. Where the library's
    /// have inverted outputs alone, as in ASAP7, that leaves inverters, which become cells last. OpenSTA
    /// reads `after.v`, and cannot do with vectors that are put together.
    pub(crate) fn script(&self, top: &str, files: &[&str], has_surroundings: bool) -> String {
        let flatten = if self.flatten { "flatten\n" } else { "" };
        let memories =
            if self.map_memories { "memory_map\nopt -full\n" } else { "opt -fast -full\n" };
        let around = if has_surroundings { format!(" -constr {AROUND}") } else { String::new() };
        let abc = self.abc;
        format!(
            "read_verilog {}\nhierarchy -check -top {top}\nproc -norom\n{flatten}opt\nfsm\nopt\nwreduce\npeepopt\n\
             opt_clean\nalumacc\nshare\nopt\nmemory -nordff -nomap\nopt_clean\n{memories}techmap\nopt\n\
             dfflibmap -prepare -liberty {CELLS}\nopt_clean\nabc -liberty {CELLS}{around} -script +{abc}\nopt_clean\n\
             read_liberty -lib -ignore_miss_func {CELLS}\nwrite_json before.json\n\
             dfflibmap -map-only -liberty {CELLS}\nabc -liberty {CELLS} -script +strash;map\nopt_clean\n\
             write_json after.json\n\
             splitnets -ports\nopt_clean -purge\nwrite_verilog -noattr -noexpr after.v\n",
            files.join(" ")
        )
    }
}

/// A directory with what a run needs, and then with what it made.
#[derive(Debug)]
pub(crate) struct Run {
    directory: Temporary<TempDir>,
}

impl Run {
    /// Runs a script of Yosys' on these files.
    pub(crate) fn new(
        yosys: &Tool,
        design: &str,
        files: &[(&str, &str)],
        script: &str,
    ) -> Result<Run> {
        let directory = Temporary::folder().map_err(Error::file(&std::env::temp_dir()))?;
        let run = Run { directory };
        for (name, text) in files.iter().chain(&[("script.ys", script)]) {
            run.write(name, text)?;
        }
        let mut command = yosys.command();
        command.args(["-q", "-s", "script.ys"]).current_dir(run.path());
        yosys.run(design, &mut command)?;
        Ok(run)
    }

    /// Runs a flow on Verilog with a library.
    pub(crate) fn flow(
        yosys: &Tool,
        library: &Library,
        flow: Flow,
        top: &str,
        verilog: &[(String, String)],
    ) -> Result<Run> {
        let names: Vec<&str> = verilog.iter().map(|(name, _)| name.as_str()).collect();
        // What is around a design changes the sizes of its gates, so it is no business of the smallest netlist.
        let around = library.around.as_ref().filter(|_| flow.abc == FAST);
        let around = around.map(|Surroundings { driving_cell, load_ff }| {
            format!("set_driving_cell {driving_cell}\nset_load {load_ff} [all_outputs]\n")
        });
        let texts = verilog.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let more = [(CELLS, Some(&library.text)), (AROUND, around.as_ref())];
        let more = more.into_iter().filter_map(|(name, text)| Some((name, text?.as_str())));
        let files: Vec<(&str, &str)> = texts.chain(more).collect();
        Run::new(yosys, top, &files, &flow.script(top, &names, around.is_some()))
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Puts a file beside the others.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path().join(name);
        fs::write(&path, text).map_err(Error::file(&path))
    }

    /// A netlist that the run wrote.
    pub(crate) fn netlist(&self, design: &str, name: &str) -> Result<Netlist> {
        Netlist::read(design, self.text(name)?.as_bytes())
    }

    /// The text of a file that the run wrote.
    pub(crate) fn text(&self, name: &str) -> Result<String> {
        let path = self.path().join(name);
        fs::read_to_string(&path).map_err(Error::file(&path))
    }
}
