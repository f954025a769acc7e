//! Proofs about the generated Verilog. `make prove` proves all of them and writes docs/proof_figures.md; without
//! `ALL_PROOFS` in the environment the small ones are proven.
//!
//! A proof that cannot fail proves nothing, so each is tried on faulty Verilog too, and has to be refuted.

mod designs;
mod fifos;
mod modules;
mod packets;
mod parts;
mod prover;
mod sinks;
mod texts;

use std::fmt::Write as _;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tracewright_hdl::Generated;
use tracewright_sim::scheme::Design;
use tracewright_sim::system_memory_sink::{Bus, Config};

use modules::Modules;
use prover::{Method, Outcome, Problem};
use texts::{Fault, break_it};

/// A proof.
struct Proof {
    /// What is proven of what.
    what: &'static str,
    /// Preset and parameters.
    design: (&'static str, &'static [(&'static str, &'static str)]),
    /// The bus of the sink with system memory after the design's module that it is about, and not the module.
    system_memory: Option<Bus>,
    /// Modules that the harness names, each by a macro and the beginning of its name after the top module's.
    modules: &'static [(&'static str, &'static str)],
    /// The file of the harness.
    harness: &'static str,
    /// More macros for it.
    macros: &'static [(&'static str, &'static str)],
    /// Wires of the harness, and the signals that they show: macro of the module, instance, name.
    views: &'static [(&'static str, &'static str, &'static str, &'static str)],
    method: Method,
    /// Faults that are to be refuted.
    faults: &'static [Fault],
    /// True if `cargo test` proves it.
    is_quick: bool,
}

impl Proof {
    fn generated(&self) -> Generated {
        let (preset, parameters) = self.design;
        let mut design = Design::preset(preset).unwrap().renamed("dut").unwrap();
        for (name, value) in parameters {
            design.set(name, value).unwrap();
        }
        let Some(bus) = self.system_memory else {
            return tracewright_hdl::generate(&design).unwrap();
        };
        let config = Config { tail_words: 2 * bus.burst_beats, ..Config::after(&design, bus, 0) };
        tracewright_hdl::generate_system_memory_sink(&design, &config).unwrap()
    }

    fn problem(&self, generated: &Generated) -> Problem {
        let verilog = generated.one_file().1;
        let modules = Modules::new(&verilog);
        let mut macros = Vec::new();
        for (name, beginning) in self.modules {
            let module = modules.find(beginning);
            macros.push(((*name).into(), module.name.into()));
            for (signal, width) in module.widths() {
                macros.push((format!("{name}_{signal}"), width.to_string()));
            }
        }
        macros.extend(self.macros.iter().map(|(name, value)| ((*name).into(), (*value).into())));
        let mut views = Vec::new();
        for (wire, module, instance, signal) in self.views {
            let (_, beginning) = self.modules.iter().find(|(name, _)| name == module).unwrap();
            if let Some(view) = modules.find(beginning).view(instance, signal) {
                views.push(((*wire).into(), view));
            }
        }
        Problem { verilog, harness: self.harness, macros, views }
    }

    /// Proves it and refutes so many of its faults; gives a row of the page, and what is wrong.
    fn check(&self, faults: usize) -> (String, Vec<String>) {
        let (what, mut wrong) = (self.what, Vec::new());
        let generated = self.generated();
        let begin = Instant::now();
        let outcome = prover::prove(&self.problem(&generated), self.method, false);
        let seconds = begin.elapsed().as_secs_f64();
        if outcome != Outcome::Proven {
            wrong.push(format!("{what}: {outcome:?}"));
        }
        let mut refuted = Vec::new();
        for fault in self.faults.iter().take(faults) {
            let broken = break_it(&generated, fault)
                .unwrap_or_else(|| panic!("{what}: change `{}` with the hardware", fault.what));
            match prover::prove(&self.problem(&broken), self.method, true) {
                Outcome::Refuted(_) => refuted.push(fault.what),
                other => wrong.push(format!("{what}: not refuted: {}: {other:?}", fault.what)),
            }
        }
        (self.row(seconds, &refuted), wrong)
    }

    fn row(&self, seconds: f64, refuted: &[&str]) -> String {
        let method = match self.method {
            Method::Induction { cycles } => format!("unbounded, induction over {cycles}"),
            Method::Pdr => "unbounded, PDR".into(),
        };
        let (preset, parameters) = self.design;
        let mut design = format!("`{preset}`");
        for (name, value) in parameters {
            write!(design, " `{name}={value}`").unwrap();
        }
        let test = if self.is_quick { "yes" } else { "" };
        let Proof { what, .. } = self;
        let refuted = refuted.join("; ");
        format!("| {what} | {design} | {method} | {seconds:.1} | {refuted} | {test} |")
    }
}

/// All proofs, in the order of the page.
fn all() -> Vec<Proof> {
    [fifos::all(), parts::all(), packets::all(), designs::all(), sinks::all()]
        .into_iter()
        .flatten()
        .collect()
}

/// The page of all proofs.
fn page(rows: &[&str]) -> String {
    format!(
        "# Proofs\n\nWritten by `make prove`; [proofs.md](proofs.md) says what is proven and how. The seconds are those of the\n\
         proof itself, with another one beside it. `make test` refutes the first fault of each proof that it has.\n\n\
         | proven | of | method | seconds | faults refuted | in `make test` |\n|---|---|---|---|---|---|\n{}\n",
        rows.join("\n")
    )
}

#[test]
fn every_proof_holds() {
    let is_all = std::env::var_os("ALL_PROOFS").is_some();
    let faults = if is_all { usize::MAX } else { 1 };
    let proofs: Vec<Proof> = all().into_iter().filter(|proof| is_all || proof.is_quick).collect();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(proof) = proofs.get(number) else { return };
                    let (row, wrong) = proof.check(faults);
                    println!("{row}");
                    done.lock().unwrap().push((number, row, wrong));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort();
    let wrong: Vec<String> = done.iter().flat_map(|(_, _, wrong)| wrong.clone()).collect();
    assert!(wrong.is_empty() && done.len() == proofs.len(), "{}", wrong.join("\n"));
    if let Some(file) = std::env::var_os("PROOF_PAGE") {
        let rows: Vec<&str> = done.iter().map(|(_, row, _)| row.as_str()).collect();
        std::fs::write(file, page(&rows)).unwrap();
    }
}

/// Runs the proofs in a process that finds only these programs.
fn with_programs(programs: &[&str]) -> String {
    let tools = tempfile::tempdir().unwrap();
    for program in programs {
        let paths = std::env::var_os("PATH").unwrap();
        let mut found = std::env::split_paths(&paths).map(|folder| folder.join(program));
        let found = found.find(|file| file.is_file()).unwrap();
        std::os::unix::fs::symlink(found, tools.path().join(program)).unwrap();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "proofs::every_proof_holds"])
        .env("PATH", tools.path())
        .output()
        .unwrap();
    assert!(!output.status.success());
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn a_missing_tool_is_named() {
    let said = with_programs(&[]);
    assert!(said.contains("`yosys` is needed for proofs; on Debian: apt install yosys"), "{said}");
    let said = with_programs(&["yosys", "yosys-abc"]);
    assert!(said.contains("`z3` is needed for proofs; on Debian: apt install z3"), "{said}");
}

#[test]
fn every_proof_has_a_fault() {
    for proof in all() {
        assert!(!proof.faults.is_empty(), "{}", proof.what);
    }
}
