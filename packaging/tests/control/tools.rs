//! What PeakRDL, the schema of IP-XACT and FuseSoC say of the files beside the Verilog.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::registers_around;
use tracewright_packaging::control::package;
use tracewright_sim::control::Bus;
use tracewright_sim::control::table::{Access, Map};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;

use super::designs::{designs, every_design, inner};
use crate::common::{is_long, run};

/// The files of a design with its registers, as `generate` writes them.
pub fn folder(design: &Design, control: &Control) -> TempDir {
    let inner = inner(design, control);
    let added = registers_around(control, design, &inner).expect("a good design");
    let (of_core, of_control) = (inner.sources(), added.sources());
    let names = |sources: &[(String, String)]| -> Vec<String> {
        sources.iter().map(|(name, _)| name.clone()).collect()
    };
    let (core, control_files) = (names(&of_core), names(&of_control));
    let [core, control_files] =
        [&core, &control_files].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    let files = package(control, design, &added, (&core, &control_files)).expect("a package");
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files.into_iter().chain(of_core).chain(of_control) {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
        fs::write(path, text).expect("written");
    }
    directory
}

/// A line for each field, as `read_registers.py` prints them.
fn expected(map: &Map, prefix: &str, base: u32) -> String {
    let mut lines = String::new();
    for (address, component, register) in map.registers() {
        let address = base + address;
        for field in &register.fields {
            let access = match field.access {
                Access::Constant | Access::Status => "r",
                Access::Control { .. } | Access::Pointer { .. } => "rw",
                Access::Sticky { .. } => "rw woclr",
                Access::Data => "r ruser",
            };
            let reset = field.reset.map_or("none".into(), |reset| format!("{reset:#x}"));
            let high = field.low + field.width - 1;
            let _ = writeln!(
                lines,
                "{address:#06x} {prefix}{}.{} {high}:{} {} {access} {reset}",
                component.name, register.name, field.low, field.name
            );
        }
    }
    lines
}

/// PeakRDL's compiler reads the table from the SystemRDL without a warning, and its exporters write their files, of which
/// the header is good C.
#[test]
fn peakrdl_reads_what_the_table_says() {
    for (design, control) in designs() {
        let map = control.map(&design).expect("a good design");
        let folder = folder(&design, &control);
        check_rdl(folder.path(), &design.name, &map);
        // The exporters take long to start: without LONG_TESTS they have a ring with triggers.
        if is_long() || control.triggers.inputs > 0 {
            check_exporters(folder.path(), &design.name);
        }
    }
}

/// The same of the SystemRDL of this name in a folder.
pub fn check_rdl(folder: &Path, name: &str, map: &Map) {
    check_rdl_of_parts(folder, name, &[("", 0, map)]);
}

/// The same of parts: what the names of their components begin with, where they are, and what they are.
pub fn check_rdl_of_parts(folder: &Path, name: &str, parts: &[(&str, u32, &Map)]) {
    let rdl = folder.join(format!("{name}.rdl"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_registers.py");
    let done = run(Command::new("python3").arg(script).arg(&rdl));
    assert!(done.success, "{}", done.output);
    let all: String =
        parts.iter().map(|(prefix, base, map)| expected(map, prefix, *base)).collect();
    assert_eq!(done.output, all, "{name}");
}

/// PeakRDL's exporters write their files of the SystemRDL of this name, and a program includes the header.
pub fn check_exporters(folder: &Path, name: &str) {
    let rdl = folder.join(format!("{name}.rdl"));
    for (exporter, output) in [("ip-xact", "map.xml"), ("c-header", "map.h"), ("html", "html")] {
        let output = folder.join(output);
        let done = run(Command::new("peakrdl").arg(exporter).arg(&rdl).arg("-o").arg(&output));
        assert!(done.success && done.output.is_empty(), "{exporter}: {}", done.output);
        assert!(output.exists(), "{exporter}");
    }
    fs::write(folder.join("use.c"), USE).expect("written");
    let done = run(Command::new("gcc")
        .args(["-std=c11", "-Wall", "-Werror", "-c", "use.c"])
        .current_dir(folder));
    assert!(done.success, "{}", done.output);
}

const USE: &str = "#include <stddef.h>\n#include \"map.h\"\nint used;\n";

#[test]
fn components_are_valid_by_the_schema() {
    let folders = every_design().into_iter().map(|(design, control)| {
        let folder = folder(&design, &control);
        (folder.path().join(format!("{}-control.xml", design.name)), folder)
    });
    let folders: Vec<_> = folders.collect();
    is_valid(folders.iter().map(|(path, _)| path.clone()));
}

/// PeakRDL reads the component, and finds the registers of the unit in it.
#[test]
fn peakrdl_imports_components() {
    for (design, control) in every_design() {
        let folder = folder(&design, &control);
        let file = folder.path().join(format!("{}-control.xml", design.name));
        let done = run(Command::new("peakrdl").arg("dump").arg(&file));
        assert!(done.success, "{}: {}", design.name, done.output);
        assert!(done.output.contains("trTeControl"), "{}", done.output);
        if control.ram_sink.is_some() {
            assert!(done.output.contains("trRamData"), "{}", done.output);
        }
    }
}

/// These components are valid by the schema of IP-XACT.
pub fn is_valid(components: impl ExactSizeIterator<Item = PathBuf>) {
    let count = components.len();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/validate_ip_xact.py");
    let done = run(Command::new("python3").arg(script).args(components));
    assert_eq!((done.success, done.output.trim()), (true, &*format!("{count} valid")));
}

/// The component has every port of the module, and the bus only ports that there are.
#[test]
fn a_component_has_every_port() {
    for (design, control) in every_design() {
        let inner = inner(&design, &control);
        let added = registers_around(&control, &design, &inner).expect("a good design");
        check_component(folder(&design, &control).path(), &design.name, &added, control.bus);
    }
}

/// The same of the component of this name in a folder, for the module `added`.
pub fn check_component(folder: &Path, name: &str, added: &Generated, bus: Bus) {
    let name = format!("{name}-control.xml");
    let component = fs::read_to_string(folder.join(name)).expect("a file");
    let names = |before: &str| -> Vec<String> {
        let parts = component.split(before).skip(1);
        parts.map(|part| part.split('<').next().unwrap_or_default().to_owned()).collect()
    };
    let ports: Vec<&str> = added.ports.iter().map(|port| port.name.as_str()).collect();
    assert_eq!(names("<ipxact:port>\n        <ipxact:name>"), ports);
    let of_bus = names("<ipxact:physicalPort><ipxact:name>");
    assert!(of_bus.len() > 10 && of_bus.iter().all(|name| ports.contains(&name.as_str())));
    let enough = if bus == Bus::Apb { "PSLVERR" } else { "RRESP" };
    assert!(names("<ipxact:logicalPort><ipxact:name>").contains(&enough.to_owned()));
    let text = folder.join(format!("{}.v", added.top));
    let text = fs::read_to_string(text).expect("a file");
    let module = text.split(&format!("module {} (", added.top)).nth(1).expect("the top");
    let header = module.split(");").next().expect("its ports");
    for port in &added.ports {
        assert!(
            header
                .lines()
                .any(|line| line.trim_end_matches(',').ends_with(&format!(" {}", port.name))),
            "{}",
            port.name
        );
    }
}

#[test]
fn fusesoc_lints_the_core() {
    let (design, control) = every_design().swap_remove(2);
    fusesoc_lints(folder(&design, &control).path(), &format!("{}-control", design.name));
}

/// FuseSoC lints the core of this name in a folder without a warning.
pub fn fusesoc_lints(folder: &Path, name: &str) {
    let home = folder.join("home");
    fs::create_dir_all(&home).expect("a directory");
    let mut command = Command::new("fusesoc");
    command
        .current_dir(&home)
        .envs(["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].map(|of| (of, &home)));
    command.arg("--cores-root").arg(folder).args(["run", "--target", "lint"]);
    let done = run(command.arg(format!("tracewright:trace:{name}")));
    let is_clean = !done.output.contains("WARNING") && !done.output.contains("%Warning");
    assert!(done.success && is_clean, "{}", done.output);
}
