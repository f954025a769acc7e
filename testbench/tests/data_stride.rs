//! The data address compressor in Verilator: every preset on data programs, an access in every cycle,
//! and what the paper says of its latency and of its buffer.

use crate::common::{is_long, sample};
use tracewright_sim::event::{Access, AccessSite, Isa, Item, Machine};
use tracewright_sim::scheme::{Design, Encoder, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::{preset, trace_io};
use tracewright_testbench::cosim::{self, Report};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Ready, Stimulus};
use tracewright_testbench::{BuildOptions, Model};

const MACHINE: Machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };

/// How the stride cache is read.
const STYLES: [&str; 2] = ["asynchronous", "synchronous"];

fn simulate(design: &Design, items: &[Item], stimulus: Stimulus) -> Report {
    let library = library(design, &BuildOptions::default()).unwrap();
    let options = cosim::Options { stimulus, ..cosim::Options::default() };
    let items = items.iter().copied().map(Ok::<_, std::convert::Infallible>);
    let report = cosim::run(&library, Encoder::new(design).unwrap(), items, &options).unwrap();
    assert_eq!(report.failure, None, "{}, {:?}", design.name, options.stimulus);
    report
}

fn program(seed: u64, events: u64, data_accesses: u8) -> Vec<Item> {
    let options = Options { machine: MACHINE, events, data_accesses, ..Options::from_seed(seed) };
    let options = Options { code_base: 0x1_0000, code_span: 1 << 20, ..options };
    Synthetic::new(options).unwrap().items().collect()
}

fn is_data_stride(design: &Design) -> bool {
    matches!(design.scheme, Scheme::DataStride(_))
}

/// The workload with accesses, and the machine it is of.
fn workload() -> (Machine, Vec<Item>) {
    let path = format!("{}/../workloads/rv32-synthetic-data.pet.zst", env!("CARGO_MANIFEST_DIR"));
    let reader = trace_io::open(std::path::Path::new(&path)).unwrap();
    (reader.machine(), reader.items().collect::<Result<_, _>>().unwrap())
}

#[test]
fn every_preset_on_data_programs() {
    let presets = preset::all().map(|preset| Design::preset(preset.name).unwrap());
    let mut count = 0;
    for (at, mut bare) in presets.filter(is_data_stride).enumerate() {
        bare.set("memory_style", STYLES[at % 2]).unwrap();
        let design = bare.for_machine(MACHINE).unwrap();
        for (turn, ready) in [Ready::Random, Ready::Bursts, Ready::Always].into_iter().enumerate() {
            let seed = (3 * at + turn) as u64;
            let items = program(seed, 600, [4, 20, 50][turn]);
            let stimulus = Stimulus {
                seed,
                ready,
                bubble_percent: [0, 30, 90][turn],
                flush_interval: [None, Some(77), Some(1)][turn],
                ..Stimulus::default()
            };
            let report = simulate(&design, &items, stimulus);
            let accesses = items.iter().filter(|item| matches!(item, Item::Access(_))).count();
            assert_eq!((report.accesses, report.blocks), (accesses as u64, 0));
        }
        if is_long() || at % 3 == 0 {
            let (machine, items) = workload();
            let stimulus = Stimulus { ready: Ready::Bursts, ..Stimulus::default() };
            simulate(&bare.for_machine(machine).unwrap(), &items[..20_000], stimulus);
        }
        count += 1;
    }
    assert_eq!(count, 7);
}

/// Accesses of 64 instructions in turn, each with the stride that `stride` says.
fn accesses(count: u64, stride: impl Fn(u64) -> u64) -> Vec<Item> {
    let access = |at: u64| {
        let program_counter = 0x1000 + 4 * (at % 64);
        let site = AccessSite { instructions: 1, program_counter, store: false, thread: 0 };
        let address = ((at % 64) << 24).wrapping_add(stride(at / 64)) & 0xffff_ffff;
        Item::Access(Access { site, address })
    };
    (0..count).map(access).collect()
}

/// Back to back: nothing stalls and every bit is right, be it all hits, all misses, or one after the
/// other.
#[test]
fn an_access_in_every_clock() {
    let count = if is_long() { 1_000_000 } else { 100_000 };
    let hits: fn(u64) -> u64 = |turn| 8 * turn;
    let misses: fn(u64) -> u64 = |turn| turn * turn * 0x135;
    let alternating: fn(u64) -> u64 = |turn| turn / 2 * 0x1_0000;
    for (name, stride) in [("hits", hits), ("misses", misses), ("alternating", alternating)] {
        let designs = [
            ("stride-1024", "true", "asynchronous"),
            ("stride-1024", "true", "synchronous"),
            ("stride-256x4", "true", "asynchronous"),
            ("stride-256x4", "false", "synchronous"),
            ("stride-64", "false", "asynchronous"),
        ];
        for (preset, repetitions, memory_style) in sample(3, designs) {
            let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
            design.set("trace_port_width", "64").unwrap();
            design.set("data_repetitions", repetitions).unwrap();
            design.set("memory_style", memory_style).unwrap();
            let items = accesses(count, stride);
            let report = simulate(&design, &items, Stimulus { seed: 5, ..Stimulus::default() });
            assert_eq!(report.stall_cycles, 0, "{preset}, {name}: {report:?}");
            assert_eq!(report.accesses, count);
            let busy = report.cycles - report.reset_cycles;
            assert!(busy < count + 200, "{preset}, {name}: {busy} clocks");
        }
    }
}

/// Paper B, section 3.3: two clocks for hits and misses. Here too an access is in the stride cache in
/// the clock after it was made, and its record in the queue in the one after that.
///
/// After the queue a miss of 33 bits takes a clock in the parallel encoder, and one through the packer
/// until the first of its words is in the output FIFO and at the port. A cache that is read at the clock edge takes a clock more.
#[test]
fn a_miss_is_at_a_wide_port_four_clocks_after_the_access() {
    for (memory_style, clocks) in STYLES.into_iter().zip([4, 5]) {
        let changes = [
            ("trace_port_width", "16"),
            ("data_repetitions", "false"),
            ("memory_style", memory_style),
        ];
        let mut design = Design::preset("stride-32").unwrap();
        changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
        assert_eq!(clocks_to_the_port(&design), clocks, "{memory_style}");
    }
}

/// The clocks from an access to the first trace word at the port.
fn clocks_to_the_port(design: &Design) -> u32 {
    let library = library(design, &BuildOptions::default()).unwrap();
    let input = |name, width| library.input(name, width).unwrap();
    let (valid, address) = (input("data_valid", 1), input("data_address", 32));
    let (stall, trace_valid) =
        (library.output("stall", 1).unwrap(), library.output("trace_valid", 1).unwrap());
    let mut model = Model::new(&library, 3).unwrap();
    for name in ["flush", "trace_ready", "data_valid"] {
        model.set(input(name, 1), 0);
    }
    model.reset(2).unwrap();
    model.cycle().unwrap();
    while model.get(stall) == 1 {
        model.cycle().unwrap();
    }
    model.set(valid, 1);
    model.set(address, 0x1234);
    model.cycle().unwrap();
    model.set(valid, 0);
    let mut clocks = 0;
    while model.get(trace_valid) == 0 {
        model.cycle().unwrap();
        clocks += 1;
        assert!(clocks < 20);
    }
    clocks
}

/// An access that follows another one to the same set, with and without pauses, and waits for the port: the set is read
/// again and again, and what the access before wrote may come late.
#[test]
fn accesses_of_few_sets_follow_each_other() {
    let sizes = [("1", "1"), ("2", "1"), ("2", "2"), ("6", "3"), ("16", "8")];
    for (seed, (entries, ways)) in sample(2, (0..).zip(sizes)) {
        let mut design = Design::preset("stride-256x4").unwrap().for_machine(MACHINE).unwrap();
        for (name, value) in [
            ("stride_cache_entries", entries),
            ("stride_cache_ways", ways),
            ("tag_bits", "2"),
            ("data_address_buffer_depth", "1"),
            ("memory_style", "synchronous"),
        ] {
            design.set(name, value).unwrap();
        }
        for (turn, ready) in [Ready::Random, Ready::Bursts, Ready::Always].into_iter().enumerate() {
            let stimulus = Stimulus {
                seed,
                ready,
                bubble_percent: [0, 50, 20][turn],
                flush_interval: [Some(50), None, Some(3)][turn],
                ..Stimulus::default()
            };
            simulate(&design, &program(seed, 1_500, 60), stimulus);
        }
    }
}

/// The buffer takes up bursts that the port is too narrow for: the deeper, the fewer stalls.
#[test]
fn a_deeper_buffer_stalls_less() {
    let (machine, items) = workload();
    let mut stalls = Vec::new();
    let depths: Vec<&str> = sample(2, ["1", "2", "4", "8", "16"]).collect();
    for depth in &depths {
        let mut design = Design::preset("stride-1024").unwrap().for_machine(machine).unwrap();
        design.set("trace_port_width", "8").unwrap();
        design.set("data_address_buffer_depth", depth).unwrap();
        // An access in every third clock: a third of the instructions of a core access memory.
        let stimulus = Stimulus { bubble_percent: 67, ..Stimulus::default() };
        stalls.push(simulate(&design, &items, stimulus).stall_cycles);
    }
    println!("stalls with {depths:?} entries, {} items: {stalls:?}", items.len());
    assert!(stalls.is_sorted_by(|less, more| less >= more), "{stalls:?}");
}
