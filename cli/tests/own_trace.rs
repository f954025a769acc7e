//! A core that traces one of its functions with its own trace unit, by the driver of the unit's package: the program switches
//! the unit on and off and reads the ring over its bus into its memory, and those bytes are decoded. Every instruction that is
//! found is one that the core has retired, in that order, from the switch on to the switch off.

use std::path::Path;
use std::process::Command;

use crate::common::Folder;
use serde_json::Value;
use tracewright_testbench::live::Core;
use tracewright_verification::live::core_files;

/// Words that the bench writes of the program's memory: the structure `result` of the program.
const RESULT_WORDS: usize = 3 + 1024;

/// Instructions that may retire after the store that switches tracing off, while it is on its way.
const ON_THE_WAY: usize = 16;

const APB: [&str; 10] = [
    "psel", "penable", "pwrite", "paddr", "pwdata", "pstrb", "pprot", "pready", "prdata", "pslverr",
];

/// A core with a trace unit.
#[derive(Clone, Copy)]
struct System {
    core: Core,
    design: &'static str,
    /// Options of `generate`.
    options: &'static str,
    ring_bytes: u32,
    /// The ring is in the program's memory, and not in one of the unit's own.
    is_in_system_memory: bool,
}

/// What a run left.
struct Ran {
    /// The addresses of the instructions that retired.
    retired: Vec<u64>,
    /// How many had retired when tracing was switched on, when the unit said that it takes blocks, and when tracing was
    /// switched off.
    on: usize,
    ready: usize,
    off: usize,
    /// What the program read.
    value: u32,
    ring: Vec<u8>,
}

fn file(name: &str) -> String {
    let live = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/live");
    live.join(name).display().to_string()
}

/// Runs a tool, which has to succeed; what it prints.
fn tool(folder: &Folder, name: &str, arguments: &[String]) -> String {
    let output = Command::new(name).args(arguments).current_dir(folder.path(".")).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {arguments:?}: {printed}{errors}");
    printed
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

impl System {
    fn is_wide(self) -> bool {
        self.core == Core::Cva6
    }

    /// Generates the unit and writes the macros of the module around it; the Verilog files of the unit.
    fn generate(self, folder: &Folder) -> Vec<String> {
        let Self { design, options, ring_bytes, .. } = self;
        let sink = match self.is_in_system_memory {
            true => "--system-memory".to_owned(),
            false => format!("--ram-sink {ring_bytes}"),
        };
        let wide = if self.is_wide() { "--set address_width=64 --nret 2 --xlen 64" } else { "" };
        folder
            .succeed(&format!("generate {design} {options} {wide} --control apb {sink} -o build"));
        let folder_of = format!("build/{design}");
        let manifest: Value =
            serde_json::from_str(&folder.text(&format!("{folder_of}/manifest.json")))
                .expect("JSON");
        folder.write("defines.v", self.defines(&manifest));
        let files = manifest["files"].as_array().expect("a list").iter();
        files.map(|name| format!("{folder_of}/{}", name.as_str().expect("a name"))).collect()
    }

    /// What testbench/live/minimal.v and cva6.sv are told of the unit.
    fn defines(self, manifest: &Value) -> String {
        let (mut ports, mut pins, mut waits) = (String::new(), String::new(), "");
        for port in manifest["ports"].as_array().expect("a list") {
            let word = |key: &str| port[key].as_str().expect("a word");
            let (name, direction) = (word("name"), word("direction"));
            let width = port["width"].as_u64().expect("a number");
            match name {
                "clock" | "reset" => {}
                _ if APB.contains(&name) || name.starts_with("m_axi_") => {
                    ports += &format!(", {direction} wire [{}:0] {name}", width - 1);
                    pins += &format!(".{name}({name}), ");
                }
                "stall" | "lost" => {
                    waits = "`define TRACE_WAITS\n";
                    pins += &format!(".{name}({name}), ");
                }
                // The module around CVA6 connects its port itself.
                _ if name.starts_with("rvfi_") && self.is_wide() => {}
                _ if name.starts_with("rvfi_") || name.starts_with("tip_") => {
                    pins += &format!(".{name}({name}[{}:0]), ", width - 1);
                }
                _ if direction == "input" => pins += &format!(".{name}({width}'d0), "),
                _ => pins += &format!(".{name}(), "),
            }
        }
        let (channels, address_width) = if self.is_wide() { (2, 64) } else { (1, 32) };
        let top = manifest["top"].as_str().expect("a name");
        format!(
            "{waits}`define RISCV_FORMAL\n`define RVFI\n`define SYNTHESIS\n`define TRACE_MODULE {top}\n\
             `define CHANNELS {channels}\n`define ADDRESS_WIDTH {address_width}\n`define TRACE_PORTS {ports}\n\
             `define TRACE_PINS {pins}\n`define RESET_PORT reset\n`define RESET_LEVEL\n\
             `define BOOT_ADDRESS 32'h10000\n"
        )
    }

    /// Compiles the program with the driver of the package, and puts the words of its memory into a file.
    fn compile(self, folder: &Folder, rounds: u32) {
        let driver = format!("build/{}/driver", self.design);
        let isa = match self.is_wide() {
            true => "-march=rv64imac -mabi=lp64 -mcmodel=medany",
            false => "-march=rv32i -mabi=ilp32",
        };
        let mut arguments = words(&format!(
            "{isa} -DROUNDS={rounds}u -DRING_BYTES={}u -I {driver} -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -ffreestanding -nostdlib \
             -Wl,--build-id=none -Wl,-Ttext=0x10000 -Wl,-Tdata=0x20000 -Wl,--section-start=.ring=0x24000 -Wl,--nmagic \
             -Wl,--no-relax -o own.elf",
            self.ring_bytes
        ));
        arguments.extend([file("programs/own_trace.c"), format!("{driver}/tracewright.c")]);
        tool(folder, "riscv64-unknown-elf-gcc", &arguments);
        let binary = "-O binary --gap-fill 0 --pad-to 0x30000 own.elf memory.bin";
        tool(folder, "riscv64-unknown-elf-objcopy", &words(binary));
        let bytes = folder.read("memory.bin");
        let words = bytes.chunks(4).map(|word| {
            let bytes = std::array::from_fn(|at| word.get(at).copied().unwrap_or(0));
            format!("{:08x}\n", u32::from_le_bytes(bytes))
        });
        folder.write("memory.hex", words.collect::<String>());
    }

    /// Builds the simulation; the words of the command that runs it.
    fn build(self, folder: &Folder) -> Vec<String> {
        let mut sources = vec!["defines.v".to_owned()];
        let unit = self.generate(folder);
        let memory = if self.is_in_system_memory { " -DSYSTEM_MEMORY" } else { "" };
        let ring = format!("-DRING={RESULT_WORDS}{memory}");
        if !self.is_wide() {
            sources.extend(unit);
            let system = ["minimal_core.v", "minimal_instruction.v", "minimal.v"];
            sources.extend(system.map(file));
            sources.push(file("own_trace_bench.v"));
            let options = format!("-g2005 -Wall {ring} -s own_trace_bench -o bench.vvp");
            tool(folder, "iverilog", &[words(&options), sources].concat());
            return words("vvp -n bench.vvp");
        }
        sources.push(file("cva6_config.sv"));
        for source in core_files(self.core).expect("scripts/setup installs the core") {
            folder.write(&source.name, source.text);
            sources.push(source.name);
        }
        sources.extend(unit);
        let system = ["cva6_board.sv", "cva6_rvfi.sv", "cva6_memory.sv", "cva6.sv"];
        sources.extend(system.map(file));
        sources.push(file("own_trace_bench.v"));
        let options = format!(
            "--binary --timing -Wno-fatal -Wno-lint -Wno-style -O3 --top own_trace_bench --Mdir verilated -o bench -DCVA6 {ring}"
        );
        tool(folder, "verilator", &[words(&options), sources].concat());
        vec![folder.path("verilated/bench").display().to_string()]
    }

    /// Runs the program.
    fn run(self, folder: &Folder, command: &[String]) -> Ran {
        let plus = words("+program=memory.hex +log=log +ring=ring");
        let printed = tool(folder, &command[0], &[&command[1..], &plus].concat());
        let is_good = !printed.contains("failed") && printed.lines().any(|line| line == "status 0");
        assert!(is_good, "{}: {printed}", self.design);
        let (mut retired, mut places) = (Vec::new(), [None; 3]);
        for line in folder.text("log").lines() {
            let count = Some(retired.len());
            match line.strip_prefix("write ") {
                Some(value) => {
                    let is_on = u32::from_str_radix(value, 16).expect("a word") & 2 != 0;
                    match is_on {
                        true => places = [count, None, None],
                        false => places[2] = count,
                    }
                }
                None if line == "ready" => places[1] = places[1].or(count),
                None => retired.push(u64::from_str_radix(line, 16).expect("an address")),
            }
        }
        let [on, ready, off] = places.map(|place| place.expect("on, ready and off"));
        // What the program has not written is as it was.
        let memory = folder.text("ring");
        let memory: Vec<u32> =
            memory.lines().map(|word| u32::from_str_radix(word, 16).expect("a word")).collect();
        let [value, count, bytes] = [memory[0], memory[1], memory[2]];
        assert_eq!(bytes, self.ring_bytes, "what the driver has found");
        let ring = memory[3..][..count as usize].iter().flat_map(|word| word.to_le_bytes());
        Ran { retired, on, ready, off, value, ring: ring.collect() }
    }

    /// The addresses that the command finds in the ring, and how many instructions there are with those after the last
    /// one that changes the flow.
    fn decode(self, folder: &Folder, ran: &Ran) -> (Vec<u64>, usize) {
        folder.write("ring.bin", &ran.ring);
        for name in folder.names().iter().filter(|name| name.starts_with("found")) {
            std::fs::remove_file(folder.path(name)).expect("removed");
        }
        let decoded = folder.json(&format!(
            "decode --ram-sink {} --design build/{} ring.bin --program own.elf -o found.pet.zst --allow-gaps --json",
            ran.value, self.design
        ));
        let names = folder.names();
        let found: Vec<&String> = names.iter().filter(|name| name.starts_with("found")).collect();
        let parts = found
            .iter()
            .map(|name| folder.succeed(&format!("view {name} --program own.elf --listing -")));
        let text: String = parts.collect();
        let address = |line: &str| {
            let mut words = line.split_whitespace();
            words.next()?.parse::<u64>().ok()?;
            u64::from_str_radix(words.next()?, 16).ok()
        };
        let count = decoded["instructions"].as_u64().expect("a number") as usize;
        (text.lines().filter_map(address).collect(), count)
    }

    /// Runs the program with so many rounds, and compares what its ring has with what retired; true if the ring has
    /// wrapped.
    fn check(self, folder: &Folder, command: &[String], rounds: u32) -> bool {
        self.compile(folder, rounds);
        let ran = self.run(folder, command);
        let (found, count) = self.decode(folder, &ran);
        let what = format!("{} {rounds}: {} of {count}", self.design, found.len());
        assert!(found.len() > 100 && count >= found.len(), "{what}");
        let all = &ran.retired;
        let begin = (ran.on..ran.off).find(|at| all[*at..].starts_with(&found));
        let begin = begin.unwrap_or_else(|| panic!("{what}: not what retired"));
        let end = begin + count;
        assert!((ran.off..=ran.off + ON_THE_WAY).contains(&end), "{what}: {end}, {}", ran.off);
        let symbols = tool(folder, "riscv64-unknown-elf-nm", &words("own.elf"));
        let work = symbols.lines().find_map(|line| line.strip_suffix(" T work"));
        let work = work.and_then(|address| u64::from_str_radix(address, 16).ok()).expect("work");
        let entry = (ran.ready..ran.off).find(|at| all[*at] == work).expect("work is called");
        let has_wrapped = ran.value & 1 == 1;
        assert_eq!(has_wrapped, ran.ring.len() as u32 == self.ring_bytes, "{what}");
        assert!(has_wrapped || begin <= entry, "{what}: from {begin}, {entry}");
        has_wrapped
    }
}

#[test]
fn the_small_core_traces_a_function_in_the_format_of_the_standard() {
    let folder = Folder::new();
    let system = System {
        core: Core::Minimal,
        design: "etrace-base",
        options: "--ingress rvfi",
        ring_bytes: 1024,
        is_in_system_memory: false,
    };
    let command = system.build(&folder);
    assert!(!system.check(&folder, &command, 40));
}

#[test]
fn the_small_core_traces_a_function_in_packets() {
    let folder = Folder::new();
    let system = System {
        core: Core::Minimal,
        design: "talon-s",
        options: "--set trace_port_width=8 --ingress tip",
        ring_bytes: 1024,
        is_in_system_memory: false,
    };
    let command = system.build(&folder);
    assert!(!system.check(&folder, &command, 40));
}

/// A ring that has wrapped has the end of the function.
#[test]
fn a_ring_that_has_wrapped_is_read_from_its_oldest_word_on() {
    let folder = Folder::new();
    let system = System {
        core: Core::Minimal,
        design: "nexs",
        options: "--set trace_port_width=8 --ingress rvfi",
        ring_bytes: 512,
        is_in_system_memory: false,
    };
    let command = system.build(&folder);
    assert!(!system.check(&folder, &command, 8));
    assert!(system.check(&folder, &command, 60));
}

/// The unit writes its ring into the memory of the core, which reads it there.
#[test]
fn a_ring_in_the_memory_of_the_system_is_read_there() {
    let systems = [
        ("etrace-base", "--ingress rvfi", 1024),
        ("nexs", "--set trace_port_width=8 --set sync_bytes=128 --ingress rvfi", 512),
    ];
    for (design, options, ring_bytes) in systems {
        let folder = Folder::new();
        let core = Core::Minimal;
        let system = System { core, design, options, ring_bytes, is_in_system_memory: true };
        let command = system.build(&folder);
        assert!(!system.check(&folder, &command, if ring_bytes == 512 { 8 } else { 40 }));
        if ring_bytes == 512 {
            assert!(system.check(&folder, &command, 60));
        }
    }
}

#[test]
#[ignore = "compiles CVA6 twice: make live"]
fn cva6_traces_a_function() {
    let packets = "--set alignment=1 --set trace_port_width=8 --ingress rvfi";
    for (design, options) in
        [("etrace-base", "--set alignment=1 --ingress rvfi"), ("traptor-m4", packets)]
    {
        let folder = Folder::new();
        let is_in_system_memory = false;
        let core = Core::Cva6;
        let system = System { core, design, options, ring_bytes: 1024, is_in_system_memory };
        let command = system.build(&folder);
        assert!(!system.check(&folder, &command, 40));
    }
}
