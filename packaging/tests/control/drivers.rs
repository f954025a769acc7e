//! What drives the registers: the driver in C by compilers of 32 and 64 bits and on a unit of C, CMSIS-SVD by a parser of
//! others, the script by OpenOCD, the device tree by its compiler.

use std::fs;
use std::path::Path;
use std::process::Command;

use svd_parser::svd::{Access as SvdAccess, ModifiedWriteValues, ReadAction, RegisterCluster};
use svd_parser::{Config, ValidateLevel};
use tracewright_sim::control::Bus;
use tracewright_sim::control::table::{Access, Field, Map, PAGE, Register};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;

use super::designs::{designs, every_design, in_system_memory, standard};
use super::tools::folder;
use crate::common::run;

/// The place of the unit in the tests.
const BASE: &str = "0x10010000";

const FLAGS: &str = "-std=c99 -ffreestanding -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c tracewright.c";

#[test]
fn the_driver_is_good_c_for_32_and_64_bits() {
    let compilers = [
        "gcc -m64",
        "gcc -m32",
        "riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32",
        "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64",
        "gcc -x c++ -std=c++11",
    ];
    for (design, control) in designs() {
        let folder = folder(&design, &control);
        for compiler in compilers {
            let mut words = compiler.split(' ');
            let mut command = Command::new(words.next().expect("a name"));
            // The language of the last compiler is not that of the flag.
            let flags =
                FLAGS.split(' ').filter(|flag| !compiler.contains("c++") || *flag != "-std=c99");
            let done =
                run(command.args(words).args(flags).current_dir(folder.path().join("driver")));
            assert!(done.success && done.output.is_empty(), "{compiler}: {}", done.output);
        }
    }
}

/// The programs `unit.c` and `bridge.c` answer the driver's accesses as a unit does, with each fault that has a status of its own.
#[test]
fn the_driver_says_what_is_wrong() {
    let designs = every_design();
    let has_steps = |control: &Control| control.system_memory.is_some() || control.trace_bus;
    let others = designs.iter().filter(|(_, control)| has_steps(control));
    for (design, control) in others.chain([&designs[2]]) {
        check_driver(design, control);
    }
}

fn check_driver(design: &Design, control: &Control) {
    let folder = folder(design, control);
    let driver = folder.path().join("driver");
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/control");
    let unit = if control.trace_bus { "bridge.c" } else { "unit.c" };
    let words = "-std=c99 -Wall -Wextra -Wpedantic -Werror -DTRACEWRIGHT_POLLS=100ul -include unit.h -o unit";
    let done = run(Command::new("gcc")
        .args(words.split(' '))
        .args(["-I", tests, &format!("{tests}/{unit}"), "tracewright.c"])
        .args(["-I", "."])
        .current_dir(&driver));
    assert!(done.success && done.output.is_empty(), "{}", done.output);
    let done = run(&mut Command::new(driver.join("unit")));
    assert_eq!((done.success, done.output.as_str()), (true, "right\n"));
}

/// The access to a field in CMSIS-SVD.
fn expected(field: &Field) -> (SvdAccess, Option<ModifiedWriteValues>, Option<ReadAction>) {
    let access = match field.access {
        Access::Constant | Access::Status | Access::Data => SvdAccess::ReadOnly,
        Access::Control { .. } | Access::Pointer { .. } | Access::Sticky { .. } => {
            SvdAccess::ReadWrite
        }
    };
    let clears = matches!(field.access, Access::Sticky { .. });
    let goes_on = field.access == Access::Data;
    (
        access,
        clears.then_some(ModifiedWriteValues::OneToClear),
        goes_on.then_some(ReadAction::Modify),
    )
}

fn check_register(found: &svd_parser::svd::Register, register: &Register) {
    assert_eq!((&*found.name, found.address_offset), (register.name, register.offset));
    let reset = |field: &Field| field.reset.map_or(0, |reset| reset << field.low);
    let all = register.fields.iter().fold(0, |all, field| all | reset(field));
    assert_eq!(found.properties.reset_value, Some(all.into()), "{}", register.name);
    let found: Vec<_> = found.fields().collect();
    assert_eq!(found.len(), register.fields.len(), "{}", register.name);
    for (found, field) in found.iter().zip(&register.fields) {
        assert_eq!(
            (&*found.name, found.bit_offset(), found.bit_width()),
            (field.name, field.low, field.width)
        );
        let has =
            (found.access.expect("an access"), found.modified_write_values, found.read_action);
        assert_eq!(has, expected(field), "{}", field.name);
        assert_eq!(found.description.as_deref().map(str::is_empty), Some(false));
    }
}

/// A parser of others, at its strictest, reads what the table says.
#[test]
fn a_parser_of_others_reads_the_registers_in_cmsis_svd() {
    for (design, control) in every_design() {
        let map = control.map(&design).expect("a good design");
        check_svd(folder(&design, &control).path(), &design.name, &map);
    }
}

/// The same of the file of this name in a folder.
pub fn check_svd(folder: &Path, name: &str, map: &Map) {
    check_svd_of_parts(folder, name, &[("", 0, map)]);
}

/// The same of parts: what the names of their components begin with, where they are, and what they are.
pub fn check_svd_of_parts(folder: &Path, name: &str, parts: &[(&str, u32, &Map)]) {
    let config = Config::default().validate_level(ValidateLevel::Strict);
    let text = fs::read_to_string(folder.join(format!("{name}.svd")));
    let device = svd_parser::parse_with_config(&text.expect("a file"), &config);
    let device = device.unwrap_or_else(|error| panic!("{name}: {error}"));
    let components: Vec<_> = parts
        .iter()
        .flat_map(|(prefix, base, map)| {
            let pages = (*base..).step_by(PAGE as usize).zip(&map.components);
            pages.map(move |(place, component)| {
                (format!("{prefix}{}", component.name), place, component)
            })
        })
        .collect();
    assert_eq!(device.peripherals.len(), components.len());
    for (found, (named, place, component)) in device.peripherals.iter().zip(&components) {
        assert_eq!((&found.name, found.base_address), (named, u64::from(*place)));
        let registers: Vec<_> = found.registers.iter().flatten().collect();
        assert_eq!(registers.len(), component.registers.len());
        for (found, register) in registers.iter().zip(&component.registers) {
            let RegisterCluster::Register(found) = found else { panic!("a cluster") };
            check_register(found, register);
        }
    }
}

/// Runs commands in OpenOCD after the script, on the unit of `unit.tcl`; what it prints after its greeting.
fn openocd(folder: &Path, fingerprint: u32, commands: &str) -> String {
    openocd_on("unit.tcl", &format!("set fingerprint {fingerprint}"), folder, commands)
}

/// The same on what a file in Tcl says that is there, after `begin`.
pub fn openocd_on(file: &str, begin: &str, folder: &Path, commands: &str) -> String {
    let there = format!("{}/tests/control/{file}", env!("CARGO_MANIFEST_DIR"));
    let caught =
        format!("if {{[catch {{ {commands} }} message]}} {{ echo \"error: $message\" }}; shutdown");
    let done = run(Command::new("openocd")
        .args(["-c", begin, "-f", &there])
        .args(["-f", "driver/openocd.tcl", "-c", &caught])
        .current_dir(folder));
    assert!(done.success, "{}", done.output);
    let is_said =
        |line: &&str| line.starts_with("error: ") || line.contains(" bytes: ") || *line == "ok";
    done.output.lines().filter(is_said).collect::<Vec<_>>().join("\n")
}

/// The script reads rings that begin at an address: one that has wrapped at 0x100 begins there, and one that has not at 0.
fn reads_rings(said: &dyn Fn(&str) -> String, folder: &Path, run: &str, begin: u32) {
    for (pointer, size, value, first) in [(0x101, 1024, 1, 0x100), (0x40, 64, 0x40, 0)] {
        let pointer = begin + pointer;
        let dump =
            format!("{run}; set ::wp {pointer}; tracewright_stop; tracewright_dump ring.bin");
        let expected = format!(
            "{size} bytes: tracewright decode --design etrace-base.toml --ram-sink {value} ring.bin --program ... -o ..."
        );
        assert_eq!(said(&dump), expected);
        let ring = fs::read(folder.join("ring.bin")).expect("a file");
        let words = ring.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("a word")));
        let all = (0..size / 4).map(|word| 0xdead_0000 + (first + 4 * word) % 1024);
        assert!(words.eq(all), "{ring:x?}");
    }
}

/// OpenOCD itself runs the script, without a target: the two commands by which it would access memory are replaced by a unit
/// in Tcl. So the script's syntax, its verbs and the file it writes are checked, and no access by a debug port.
#[test]
fn openocd_runs_the_script() {
    let (design, control) = (standard("etrace-base", &[]), every_design().swap_remove(6).1);
    let control = tracewright_sim::unit::Control { ram_sink: Some(1024), ..control };
    let folder = folder(&design, &control);
    let said = |commands: &str| openocd(folder.path(), design.fingerprint(), commands);
    let run = format!("tracewright_init {BASE}; tracewright_start");
    reads_rings(&said, folder.path(), &run, 0);
    let stops = "tracewright_start stop_when_full; if {$::ram == 0x103} { echo ok }";
    assert_eq!(said(&format!("tracewright_init {BASE}; {stops}")), "ok");
    let wrong = [
        ("tracewright_init 0x20000000".to_owned(), "there is no trace encoder at 0x20000000"),
        (format!("set ::fingerprint 1; tracewright_init {BASE}"), "another design"),
        (format!("{run}; tracewright_start"), "tracing is on"),
        (format!("{run}; tracewright_dump ring.bin"), "tracing is on"),
        (
            format!("set ::dead 1; {run}"),
            "tracing is on, and the unit takes nothing yet: let the core run to its next branch",
        ),
        (format!("{run}; set ::dead 1; tracewright_stop"), "the trace does not leave the unit"),
    ];
    for (commands, expected) in wrong {
        let said = said(&commands);
        assert!(
            said.starts_with("error: tracewright: ") && said.contains(expected),
            "{commands}: {said}"
        );
    }
}

/// The same with a ring in the memory of the system, which the script is told of and reads there.
#[test]
fn openocd_reads_a_ring_in_the_memory_of_the_system() {
    let design = standard("etrace-base", &[]);
    let bus = tracewright_sim::system_memory_sink::Bus::default();
    let control = in_system_memory(Bus::Apb, bus);
    let folder = folder(&design, &control);
    let said = |commands: &str| openocd(folder.path(), design.fingerprint(), commands);
    let init = format!("set ::smem 1; tracewright_init {BASE}");
    let run = format!("{init}; tracewright_ring 0x80001000 1024; tracewright_start");
    reads_rings(&said, folder.path(), &run, 0x8000_1000);
    let begins = "if {$::wp == 0x80001000 && $::limit == 0x800013fc} { echo ok }";
    assert_eq!(said(&format!("{run}; {begins}")), "ok");
    for (commands, expected) in [
        (format!("tracewright_init {BASE}"), "does not write to the memory of the system"),
        (format!("{init}; tracewright_start"), "there is no ring"),
        (format!("{init}; tracewright_ring 0x80001002 1024"), "can have no such ring"),
        (format!("{init}; tracewright_ring 0x80001000 0"), "can have no such ring"),
        (format!("{run}; tracewright_ring 0x80001000 1024"), "tracing is on"),
        (format!("{run}; set ::response 3; tracewright_stop"), "the memory answered with error 3"),
    ] {
        let said = said(&commands);
        assert!(said.starts_with("error: tracewright: ") && said.contains(expected), "{said}");
    }
}

/// The script switches an ATB bridge on with the number that it was told.
#[test]
fn openocd_switches_an_atb_bridge() {
    let design = standard("etrace-base", &[]);
    let control = Control { trace_bus: true, ..Control::new(Bus::Apb) };
    let folder = folder(&design, &control);
    let said = |commands: &str| openocd(folder.path(), design.fingerprint(), commands);
    let init = format!("set ::bridge 1; tracewright_init {BASE}");
    let run = format!("{init}; tracewright_trace_id 90; tracewright_start");
    for commands in [
        format!("{run}; if {{$::ram == 0x5a03}} {{ echo ok }}"),
        format!("{run}; tracewright_stop; if {{$::ram == 0x5a01}} {{ echo ok }}"),
    ] {
        assert_eq!(said(&commands), "ok");
    }
    for (commands, expected) in [
        (format!("tracewright_init {BASE}"), "there is no ATB bridge"),
        (format!("{init}; tracewright_start"), "the source has no number"),
        (format!("{init}; tracewright_trace_id 0"), "has no source 0: expected 1 to 111"),
        (format!("{init}; tracewright_trace_id 112"), "has no source 112: expected 1 to 111"),
        (format!("{run}; tracewright_trace_id 3"), "tracing is on"),
    ] {
        let said = said(&commands);
        assert!(said.starts_with("error: tracewright: ") && said.contains(expected), "{said}");
    }
}

/// The fragment in a tree with one core is compiled without a warning, and the encoder leads to the sink.
#[test]
fn the_device_tree_is_compiled() {
    for (design, control) in every_design() {
        let tree = compiled_tree(folder(&design, &control).path(), &design.name);
        let has_sink =
            control.ram_sink.is_some() || control.system_memory.is_some() || control.trace_bus;
        let sinks = usize::from(has_sink);
        assert_eq!(tree.matches("riscv,trace-component").count(), 1 + sinks);
        assert_eq!(tree.matches("remote-endpoint").count(), 2 * sinks);
    }
}

/// The fragment of this name in a tree with one core, compiled without a warning and read back.
pub fn compiled_tree(folder: &Path, name: &str) -> String {
    let tree = format!(
        "/dts-v1/;\n/ {{\n#address-cells = <1>;\n#size-cells = <1>;\ncpus {{\n#address-cells = <1>;\n#size-cells = <0>;\n\
             CPU0: cpu@0 {{ device_type = \"cpu\"; compatible = \"riscv\"; reg = <0>; }};\n}};\n\
             soc {{\ncompatible = \"simple-bus\";\n#address-cells = <1>;\n#size-cells = <1>;\nranges;\n\
             /include/ \"{name}.dtsi\"\n}};\n}};\n"
    );
    fs::write(folder.join("tree.dts"), tree).expect("written");
    let done = run(Command::new("dtc")
        .args(["-I", "dts", "-O", "dtb", "-o", "tree.dtb", "tree.dts"])
        .current_dir(folder));
    assert!(done.success && done.output.is_empty(), "{name}: {}", done.output);
    let text =
        run(Command::new("dtc").args(["-I", "dtb", "-O", "dts", "tree.dtb"]).current_dir(folder));
    text.output
}
