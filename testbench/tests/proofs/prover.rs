//! Proves a harness over generated Verilog, with Yosys and what follows it: Z3 for induction, ABC for its PDR.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// How a proof is found.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Unbounded: the assertions hold in the cycles after reset, and follow from each other in so many cycles.
    Induction { cycles: u32 },
    /// Unbounded: property directed reachability.
    Pdr,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The assertions hold.
    Proven,
    /// They do not, and this is what was seen.
    Refuted(String),
    /// Neither, because of this.
    Open(String),
}

/// A harness, the Verilog it is about, and how the two are joined.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The generated modules.
    pub verilog: String,
    /// The file of the harness.
    pub harness: &'static str,
    /// Macros for the harness.
    pub macros: Vec<(String, String)>,
    /// Undriven wires of the harness, and the signals inside the design that they show.
    pub views: Vec<(String, String)>,
}

/// Seconds after which a proof counts as not found.
const MOST_SECONDS: u32 = 900;

/// Cycles in which a counterexample of a fault is looked for.
const SEARCHED_CYCLES: u32 = 24;

/// Tries to prove it; a fault is expected to be refuted, so induction is not tried for it.
pub fn prove(problem: &Problem, method: Method, is_fault: bool) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("design.v"), &problem.verilog).expect("the design");
    let is_pdr = matches!(method, Method::Pdr);
    fs::write(folder.join("script.ys"), script(problem, is_pdr)).expect("the script");
    let (said, is_fine) = run(folder, "yosys", "yosys", &["-q", "-s", "script.ys"]);
    assert!(is_fine, "{}: yosys: {said}", problem.harness);
    match method {
        Method::Pdr => pdr(folder),
        Method::Induction { .. } if is_fault => bounded(folder, SEARCHED_CYCLES),
        Method::Induction { cycles } => match bounded(folder, cycles + 1) {
            Outcome::Proven => checked(folder, &["-i", "-t", &cycles.to_string()]),
            other => other,
        },
    }
}

/// The script that makes one flat design of harness and Verilog, and writes it for the tool that proves.
fn script(problem: &Problem, is_pdr: bool) -> String {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs").join(problem.harness);
    let mut script = String::from("read_verilog design.v\nread_verilog -formal");
    for (name, value) in &problem.macros {
        write!(script, " -D{name}={value}").expect("text");
    }
    writeln!(script, " {}", harness.display()).expect("text");
    script += "hierarchy -check -top proof\nproc\nflatten\nopt_clean\nmemory_nordff\nmemory_map\ncd proof\n";
    for (wire, signal) in &problem.views {
        writeln!(script, "connect -set {wire} {signal}").expect("text");
    }
    script += "cd\nasync2sync\nchformal -assume -early\nsetundef -undriven -anyseq\n";
    script += match is_pdr {
        false => "opt -keepdc -fast\nopt_clean\ndffunmap\nwrite_smt2 -wires problem.smt2\n",
        true => {
            "opt -full\ntechmap\nopt -fast\ndffunmap\nabc -g AND -fast\nopt_clean\n\
             write_aiger -I -B -zinit problem.aig\n"
        }
    };
    script
}

fn bounded(folder: &Path, cycles: u32) -> Outcome {
    checked(folder, &["-t", &cycles.to_string()])
}

fn checked(folder: &Path, how: &[&str]) -> Outcome {
    // Without Z3 yosys-smtbmc ends in a traceback.
    run(folder, "z3", "z3", &["--version"]);
    let limit = MOST_SECONDS.to_string();
    let options = ["-s", "z3", "--unroll", "--noprogress", "--timeout", &limit];
    let arguments = [&options, how, &["problem.smt2"]].concat();
    let (said, _) = run(folder, "yosys-smtbmc", "yosys", &arguments);
    let line = |text: &str| said.lines().find(|line| line.contains(text)).map(str::to_owned);
    match (line("Status: PASSED"), line("Status: FAILED"), how.contains(&"-i")) {
        (Some(_), ..) => Outcome::Proven,
        (_, Some(_), false) => Outcome::Refuted(line("Assert failed").unwrap_or_default()),
        _ => Outcome::Open(line("Assert failed").unwrap_or(said)),
    }
}

fn pdr(folder: &Path) -> Outcome {
    let command = format!("read_aiger problem.aig; fold; strash; scorr; pdr -T {MOST_SECONDS}");
    let (said, _) = run(folder, "yosys-abc", "yosys", &["-c", &command]);
    let line = |text: &str| said.lines().find(|line| line.contains(text)).map(str::to_owned);
    match (line("Property proved"), line("was asserted in frame")) {
        (Some(_), _) => Outcome::Proven,
        (_, Some(frame)) => Outcome::Refuted(frame),
        _ => Outcome::Open(said),
    }
}

/// Runs a program; gives what it says, and whether it succeeds.
fn run(folder: &Path, program: &str, package: &str, arguments: &[&str]) -> (String, bool) {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| {
        panic!("`{program}` is needed for proofs; on Debian: apt install {package} ({error})")
    });
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&said).into_owned(), output.status.success())
}
