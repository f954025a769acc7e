//! Data addresses with coded confidence in Verilator: every preset on data programs, random sizes and extreme ones, and
//! an access in every cycle.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Access, AccessSite, Isa, Item, Machine};
use tracewright_sim::scheme::{Design, Encoder, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::{preset, talon_data, trace_io};
use tracewright_testbench::BuildOptions;
use tracewright_testbench::cosim::{self, Report};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Ready, Stimulus};

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

fn simulate(design: &Design, items: &[Item], stimulus: Stimulus) -> Report {
    let library = library(design, &BuildOptions::default()).unwrap();
    let options = cosim::Options { stimulus, ..cosim::Options::default() };
    let items = items.iter().copied().map(Ok::<_, std::convert::Infallible>);
    let report = cosim::run(&library, Encoder::new(design).unwrap(), items, &options).unwrap();
    assert_eq!(report.failure, None, "{:?}, {:?}", design.scheme, options.stimulus);
    report
}

/// Three programs, each with its own kind of back-pressure, pauses and flushes.
fn simulate_programs(design: &Design, machine: Machine, seed: u64) {
    for (turn, ready) in (0..).zip([Ready::Random, Ready::Bursts, Ready::Always]) {
        let seed = 3 * seed + turn;
        let data_accesses = [60, 20, 50][turn as usize];
        let options = Options { machine, events: 300, data_accesses, ..Options::from_seed(seed) };
        let options = Options { code_base: 0x1_0000, code_span: 1 << 20, ..options };
        let items: Vec<Item> = Synthetic::new(options).unwrap().items().collect();
        let stimulus = Stimulus {
            seed,
            ready,
            bubble_percent: [0, 30, 90][turn as usize],
            flush_interval: [None, Some(77), Some(1)][turn as usize],
            ..Stimulus::default()
        };
        let report = simulate(design, &items, stimulus);
        let accesses = items.iter().filter(|item| matches!(item, Item::Access(_))).count();
        assert_eq!((report.accesses, report.blocks), (accesses as u64, 0));
    }
}

#[test]
fn every_preset_on_data_programs() {
    let presets = preset::all().map(|preset| Design::preset(preset.name).unwrap());
    let is_own = |design: &Design| matches!(design.scheme, Scheme::TalonData(_));
    let mut count = 0;
    for (seed, design) in (0..).zip(presets.filter(is_own)) {
        for (registers, encoder) in [("false", "serial"), ("true", "parallel")] {
            let mut design = design.for_machine(MACHINE).unwrap();
            design.set("encoder_registers", registers).unwrap();
            design.set("encoder", encoder).unwrap();
            simulate_programs(&design, MACHINE, seed);
        }
        let path =
            format!("{}/../workloads/rv32-synthetic-data.pet.zst", env!("CARGO_MANIFEST_DIR"));
        let reader = trace_io::open(std::path::Path::new(&path)).unwrap();
        let machine = reader.machine();
        let items: Vec<Item> = reader.items().take(20_000).collect::<Result<_, _>>().unwrap();
        let stimulus = Stimulus { ready: Ready::Bursts, ..Stimulus::default() };
        simulate(&design.for_machine(machine).unwrap(), &items, stimulus);
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn random_sizes() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for seed in 0..3 {
        let address_bits = [32, 64, 32][seed as usize];
        let machine = Machine { address_bits, ..MACHINE };
        let (alignment, address_bits) = (machine.alignment.into(), address_bits.into());
        let config = talon_data::arbitrary::config(&mut random, alignment, address_bits);
        let design = Design::new("random", Scheme::TalonData(config)).unwrap();
        simulate_programs(&design, machine, seed);
    }
}

/// The smallest and the largest value of what decides which logic there is.
#[test]
fn extreme_sizes() {
    let smallest = [
        ("stride_entries", "1"),
        ("address_regions", "2"),
        ("kept_address_bits", "1"),
        ("stride_bits", "0"),
        ("range_bits", "6"),
        ("guard_bits", "2"),
        ("most_confidence", "1"),
        ("stride_confidences", "[1, 1, 1, 1, 1, 1, 1, 1]"),
        ("escape_ones", "1"),
        ("data_address_buffer_depth", "1"),
    ];
    let largest = [
        ("stride_entries", "512"),
        ("address_regions", "16"),
        ("kept_address_bits", "31"),
        ("stride_bits", "31"),
        ("range_bits", "16"),
        ("guard_bits", "12"),
        ("most_confidence", "14"),
        ("stride_confidences", "[1, 2, 4, 6, 8, 10, 12, 14]"),
        ("escape_ones", "15"),
        ("data_address_buffer_depth", "16"),
    ];
    let whole_addresses =
        [("address_regions", "0"), ("stride_bits", "32"), ("stride_entries", "2")];
    for (seed, changes) in (0..).zip([&smallest[..], &largest[..], &whole_addresses[..]]) {
        let mut design = Design::preset("talon-d").unwrap().for_machine(MACHINE).unwrap();
        changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
        design.validate().unwrap();
        simulate_programs(&design, MACHINE, seed);
    }
}

/// Accesses of 32 instructions in turn, each with a stride of 8 bytes.
fn strided(turns: u64) -> Vec<Item> {
    let access = |at: u64| {
        let site = AccessSite {
            instructions: 1,
            program_counter: 0x1000 + 4 * (at % 32),
            store: false,
            thread: 0,
        };
        Item::Access(Access { site, address: (at % 32) << 9 | (at / 32) << 3 })
    };
    (0..32 * turns).map(access).collect()
}

/// Back to back: once the strides are learned, an access is taken in every cycle. With a register in the coder those that
/// send bits take two, which are few.
#[test]
fn predicted_accesses_come_in_every_cycle() {
    for (registers, most) in [("false", 0), ("true", 64)] {
        let mut design = Design::preset("talon-d").unwrap().for_machine(MACHINE).unwrap();
        design.set("encoder_registers", registers).unwrap();
        let stalls = |turns| {
            let stimulus = Stimulus { seed: 5, ..Stimulus::default() };
            simulate(&design, &strided(turns), stimulus).stall_cycles
        };
        let (learning, all) = (stalls(32), stalls(64));
        println!("registers {registers}: {learning} stalls among 1024 accesses, {all} among 2048");
        assert!(all - learning <= most, "registers {registers}: {learning}, {all}");
    }
}
