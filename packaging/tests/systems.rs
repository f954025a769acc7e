//! Systems: good Verilog, a device tree that the compiler takes, and registers and drivers as tools read them.

use std::fs;
use std::path::Path;
use std::process::Command;

use tracewright_hdl::unit::assemble_system;
use tracewright_packaging::package_of_system;
use tracewright_sim::control::Bus;
use tracewright_sim::message_funnel::{Messages, by_source};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::{Hart, Ingress, System, SystemSink, register_base};
use tracewright_sim::{system_memory_sink, tip};
use tracewright_testbench::lint::lint;

use crate::common::{is_long, run};
use crate::control::designs::model;
use crate::control::drivers::{check_svd_of_parts, openocd_on};
use crate::control::tools::{check_exporters, check_rdl_of_parts};

/// A hart of a preset with these changes.
fn hart(name: &str, preset: &str, ingress: Option<Ingress>, changes: &[(&str, &str)]) -> Hart {
    let mut design = Design::preset(preset).expect("a preset");
    let always = [("enable_pin", "true"), ("trace_port_width", "8")];
    for (key, value) in always.iter().chain(changes) {
        design.set(key, value).expect("a good value");
    }
    design.name = format!("system-{name}");
    Hart { name: name.to_owned(), design, ingress }
}

fn system(harts: Vec<Hart>, ram_bytes: u32) -> System {
    System { name: "system".into(), harts, sink: SystemSink::Ring(ram_bytes), bus: Bus::Apb }
}

/// Systems of both standards, of few and of many harts, with either reset, with and without a time.
fn systems() -> Vec<System> {
    let source = |id| [("source_bits", "6"), ("source_id", id)];
    let port = Some(Ingress::Tip(tip::Config::default()));
    let of_n_trace = ["0", "1"].map(|id| {
        let timed = [("time_bits", "24"), ("time_source", "binary")];
        let ingress = port.filter(|_| id == "1");
        hart(
            ["first", "second"][usize::from(id == "1")],
            "ntrace-htm",
            ingress,
            &[&source(id)[..], &timed].concat(),
        )
    });
    let of_e_trace = (0..5).map(|place| {
        let id = (place * 50).to_string();
        let changes = [
            ("source_bits", "8"),
            ("source_id", id.as_str()),
            ("reset", "asynchronous"),
            ("memories", "wrappers"),
        ];
        hart(&format!("hart{place}"), "etrace-base", None, &changes)
    });
    let ring = [system(of_n_trace.into(), 1024), system(of_e_trace.collect(), 4096)];
    let memory = |system: &System, address_bits| {
        let bus = system_memory_sink::Bus { address_bits, ..Default::default() };
        System { sink: SystemSink::Memory(bus), bus: Bus::AxiLite, ..system.clone() }
    };
    let of_memory = [memory(&ring[0], 40), memory(&ring[1], 32)];
    let port =
        |(system, sink): (&System, Sink)| System { sink: SystemSink::Port(sink), ..system.clone() };
    let ports = ring.iter().cycle().zip(Sink::ALL).map(port).collect::<Vec<_>>();
    // A trace bus with the other reset, too.
    let other = port((&ring[0], Sink::Atb));
    ring.into_iter().chain(of_memory).chain(ports).chain([other]).collect()
}

#[test]
fn three_tools_are_silent_about_systems() {
    for system in systems() {
        let source = model(&assemble_system(&system).expect("a system").whole);
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(all.is_empty(), "{} harts: {}", system.harts.len(), all.join("\n"));
    }
}

#[test]
fn the_device_tree_is_compiled() {
    for system in systems() {
        let files = package_of_system(&system, &assemble_system(&system).expect("a system"))
            .expect("documents");
        let folder = tempfile::tempdir().expect("a folder");
        let count = system.harts.len();
        let cpus: String = (0..count)
            .map(|cpu| {
                format!("CPU{cpu}: cpu@{cpu} {{ device_type = \"cpu\"; reg = <{cpu}>; }};\n")
            })
            .collect();
        let tree = format!(
            "/dts-v1/;\n/ {{ #address-cells = <1>; #size-cells = <1>;\ncpus {{ #address-cells = <1>; #size-cells = <0>;\n\
             {cpus}}};\nsoc {{ compatible = \"simple-bus\"; #address-cells = <1>; #size-cells = <1>; ranges;\n\
             /include/ \"system.dtsi\"\n}};\n}};\n"
        );
        fs::write(folder.path().join("tree.dts"), tree).expect("written");
        fs::write(folder.path().join("system.dtsi"), &files["system.dtsi"]).expect("written");
        let done = Command::new("dtc")
            .args(["-I", "dts", "-O", "dtb", "-o", "tree.dtb", "tree.dts"])
            .current_dir(folder.path())
            .output()
            .expect("dtc");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success() && said.is_empty(), "{count} harts: {said}");
    }
}

/// A ring that keeps the beginning stops both harts before it is full, and has whole messages of both up to their ends.
#[test]
fn a_ring_that_stops_ends_the_traces_of_all() {
    let harts = ["first", "second"].iter().zip(["0", "1"]).map(|(name, id)| {
        hart(name, "ntrace-htm", None, &[("source_bits", "6"), ("source_id", id)])
    });
    let system = system(harts.collect(), 2048);
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in assemble_system(&system).expect("a system").whole.files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    let bench = include_str!("system_testbench.v");
    fs::write(folder.path().join("system_testbench.v"), bench).expect("written");
    let run = |command: &str| {
        let mut words = command.split(' ');
        let mut tool = Command::new(words.next().expect("a word"));
        let done = tool.args(words).current_dir(folder.path()).output().expect("the tool");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
        said
    };
    run("iverilog -g2001 -y . -s system_testbench -o bench system_testbench.v");
    let said = run("vvp bench");
    for line in [
        "ring control 00000109",
        "first is empty 1",
        "second is empty 1",
        "beyond is an error 1",
        "has wrapped 0",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let words = said.lines().filter_map(|line| line.strip_prefix("word "));
    let words = words.map(|word| u32::from_str_radix(word, 16).expect("a word"));
    let mut ring: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    assert!(ring.len() > 1024 && ring.len() < 2048, "{} bytes", ring.len());
    // What fills the last word up.
    while ring.last() == Some(&0) {
        ring.pop();
    }
    let sources = by_source(&ring, Messages::NTrace, 6);
    assert_eq!(sources.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(sources.values().map(Vec::len).sum::<usize>(), ring.len());
    for (source, bytes) in &sources {
        // ProgTraceCorrelation, the source, EVCODE 4 and one history, a count and a history of no outcome.
        let head = [33 << 2, (source << 2) as u8, 0b01_0100 << 2];
        assert!(bytes[..bytes.len() - 1].windows(3).any(|three| three == head), "{source}");
        let last = bytes.windows(3).rposition(|three| three == head).expect("an end");
        assert!(bytes.len() - last <= 8, "{} bytes after the end of {source}", bytes.len() - last);
    }
}

/// A folder with the files beside the Verilog of a system.
fn documents(system: &System) -> tempfile::TempDir {
    let files =
        package_of_system(system, &assemble_system(system).expect("a system")).expect("documents");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    folder
}

/// SystemRDL, CMSIS-SVD and the page have every register of every unit, of the funnel and of the sink, where it is.
#[test]
fn tools_read_where_all_registers_are() {
    for system in systems() {
        let folder = documents(&system);
        let shared = assemble_system(&system).expect("a system").shared_registers;
        let harts = system.harts.iter().zip(0..).map(|(hart, place)| {
            let map = hart.registers().expect("registers");
            (format!("{}_", hart.name), register_base(place), map)
        });
        let harts: Vec<_> = harts.collect();
        let parts = harts.iter().map(|(prefix, base, map)| (prefix.as_str(), *base, map));
        let of_all = ("", register_base(harts.len()), &shared);
        let parts: Vec<_> = parts.chain([of_all]).collect();
        check_rdl_of_parts(folder.path(), &system.name, &parts);
        check_svd_of_parts(folder.path(), &system.name, &parts);
        if is_long() {
            check_exporters(folder.path(), &system.name);
        }
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
        let (page, header) =
            (text("system-registers.md"), text("driver/tracewright_system_registers.h"));
        for hart in &system.harts {
            let (name, id) = (hart.name.to_uppercase(), hart.design.protocol().source_id);
            let line = format!("#define TW_{name}_SOURCE {id}u");
            assert!(header.contains(&line), "{line}: {header}");
            let line = format!("#define TW_{name}_trTeSrcID_RESET {id:#x}u");
            assert!(header.contains(&line), "{line}: {header}");
            assert!(text("system.md").contains(&format!("| `{}` |", hart.name)));
        }
        assert!(page.contains(&format!("### 0x{:04x} trFunnelControl", of_all.1)), "{page}");
    }
}

fn compiled(driver: &Path, compiler: &str, flags: &str) {
    let mut words = compiler.split(' ').chain(flags.split(' '));
    let mut command = Command::new(words.next().expect("a name"));
    let done = run(command.args(words).current_dir(driver));
    assert!(done.success && done.output.is_empty(), "{compiler}: {}", done.output);
}

#[test]
fn the_driver_is_good_c() {
    let flags = "-ffreestanding -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c tracewright_system.c";
    for system in systems() {
        let folder = documents(&system);
        for compiler in [
            "gcc -m64 -std=c99",
            "gcc -m32 -std=c99",
            "riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -std=c99",
            "gcc -x c++ -std=c++11",
        ] {
            compiled(&folder.path().join("driver"), compiler, flags);
        }
    }
}

/// The program `system.c` answers the driver's accesses as a system does, with each fault that has a status of its own.
#[test]
fn the_driver_switches_a_system() {
    let folder = documents(&systems()[0]);
    let driver = folder.path().join("driver");
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/control");
    let flags = format!(
        "-Wall -Wextra -Wpedantic -Werror -DTRACEWRIGHT_POLLS=100ul -include unit.h -o system -I {tests} \
         {tests}/system.c tracewright_system.c -I ."
    );
    compiled(&driver, "gcc -std=c99", &flags.split_whitespace().collect::<Vec<_>>().join(" "));
    let done = run(&mut Command::new(driver.join("system")));
    assert_eq!((done.success, done.output.as_str()), (true, "right\n"));
}

/// OpenOCD runs the script of every system on what `system.tcl` says that is there.
#[test]
fn openocd_switches_systems() {
    for system in systems() {
        let folder = documents(&system);
        let prints: Vec<_> =
            system.harts.iter().map(|hart| hart.design.fingerprint().to_string()).collect();
        let (kind, more) = match system.sink {
            SystemSink::Ring(_) => ("0x1901", ""),
            SystemSink::Memory(_) => ("0x2901", "tracewright_ring 0x80001000 1024;"),
            SystemSink::Port(Sink::Atb) => ("0xe01", "tracewright_trace_id 90;"),
            SystemSink::Port(_) => ("0", ""),
        };
        let begin = format!("set fingerprints {{ {} }}; set kind {kind}", prints.join(" "));
        let said = |commands: &str| openocd_on("system.tcl", &begin, folder.path(), commands);
        let init = "tracewright_init 0x10010000;";
        let run = format!("{init} {more} tracewright_start 1;");
        let (sink, off) = match kind {
            "0xe01" => ("0x5a03", "0x5a01"),
            "0" => ("0", "0"),
            _ => ("3", "1"),
        };
        // The other harts are off in the funnel, and in their encoders.
        let disabled = (1 << system.harts.len()) - 1 - 2;
        let is_on = "([dict get $::encoders 1] & 6) == 6 && !([dict get $::encoders 0] & 6)";
        let is_off = "!([dict get $::encoders 1] & 6)";
        for commands in [
            format!(
                "{run} if {{$::disabled == {disabled} && $::funnel == 3 && $::ram == {sink} && {is_on}}} {{ echo ok }}"
            ),
            format!(
                "{run} tracewright_stop; if {{$::funnel == 1 && $::ram == {off} && {is_off}}} {{ echo ok }}"
            ),
        ] {
            assert_eq!(said(&commands), "ok", "{} {kind}", system.name);
        }
        let stops = format!("{run} set ::stuck 1; tracewright_stop");
        for (commands, expected) in [
            ("tracewright_init 0x20000000", "there is no trace encoder at 0x20000000"),
            (&*format!("set ::fingerprints 1; {init}"), "another design"),
            (&format!("set ::dead 1; {run}"), "twTakesBlocks of twStatus stays 0"),
            (&stops, "trFunnelEmpty of trFunnelControl stays 0"),
        ] {
            let said = said(commands);
            assert!(said.contains(expected), "{commands}: {said}");
        }
        if let SystemSink::Ring(_) = system.sink {
            reads_the_ring(&said, folder.path(), &run);
        }
    }
}

/// The script reads a ring that has wrapped.
fn reads_the_ring(said: &dyn Fn(&str) -> String, folder: &Path, run: &str) {
    let dump = format!("{run} set ::wp 0x101; tracewright_stop; tracewright_dump ring.bin");
    assert!(said(&dump).starts_with("1024 bytes: tracewright decode --ram-sink 1 ring.bin"));
    let ring = fs::read(folder.join("ring.bin")).expect("a file");
    let words = ring.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("a word")));
    assert!(words.eq((0..256).map(|word| 0xdead_0000 + (0x100 + 4 * word) % 1024)));
}
