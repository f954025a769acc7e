//! The named systems of papers C (section 6) and E.

use super::config::Config;
use super::module::Module;
use super::sharing::Encoding;
use crate::nexus::config::{Config as Nexus, StreamLengthCoding, TargetCoding};
use crate::room::Preset;
use crate::traptor::config::Config as Traptor;

/// One of paper E's systems: its preset, cores, and whether it has time stamps.
type System = (Preset, u32, bool);

const fn system(name: &'static str, gates: Option<u32>, cores: u32, timed: bool) -> System {
    let paper_gates = match gates {
        Some(of_a_core) if !timed => Some(of_a_core * cores),
        _ => None,
    };
    (Preset { name, source: "paper E, sections 4 to 6", paper_gates }, cores, timed)
}

/// The systems of one module, of which paper E says the gates for a core (section 6.4).
macro_rules! systems {
    ($name:literal, $gates:expr) => {
        [
            system(concat!($name, "-n1"), $gates, 1, false),
            system(concat!($name, "-n2"), $gates, 2, false),
            system(concat!($name, "-n4"), $gates, 4, false),
            system(concat!($name, "-n8"), $gates, 8, false),
            system(concat!($name, "-n1-timed"), $gates, 1, true),
            system(concat!($name, "-n2-timed"), $gates, 2, true),
            system(concat!($name, "-n4-timed"), $gates, 4, true),
            system(concat!($name, "-n8-timed"), $gates, 8, true),
        ]
    };
}

const SMALL: [System; 8] = systems!("mctraptor-small", Some(2300));
const MEDIUM: [System; 8] = systems!("mctraptor-medium", Some(4800));
const LARGE: [System; 8] = systems!("mctraptor-large", Some(16500));
const NEXUS: [System; 8] = systems!("nexus", None);

/// What paper C compares T-raptor with.
const NEXS: Preset = Preset { name: "nexs", source: "paper C, section 6", paper_gates: None };

/// mcfTRaptor's: gshare counters, return addresses and targets of Small, Medium and Large (paper E,
/// section 5).
pub fn mctraptor() -> Vec<(Preset, Config<Traptor>)> {
    let sizes = [(SMALL, 512, 8, 0), (MEDIUM, 1024, 16, 16), (LARGE, 4096, 32, 64)];
    let of_size = |(systems, gshare_entries, return_addresses, targets): ([System; 8], _, _, _)| {
        systems.into_iter().map(move |(preset, cores, timed)| {
            let mut config = several::<Traptor>(cores, timed);
            config.sharing.encoding = Encoding::Variable;
            config.module = Traptor {
                gshare_entries,
                return_address_stack_depth: return_addresses,
                indirect_branch_target_buffer_entries: targets,
                elided_upper_bits: Some(12),
                ..config.module
            };
            config.module.port.fifo_bits = buffer_bits(cores);
            config.module.port.trace_port_width = cores;
            (preset, config)
        })
    };
    sizes.into_iter().flat_map(of_size).collect()
}

/// The Nexus-like ones: paper C's, and paper E's.
pub fn nexus() -> Vec<(Preset, Config<Nexus>)> {
    let of = |(preset, cores, timed)| {
        let mut config = several::<Nexus>(cores, timed);
        config.module.port.fifo_bits = buffer_bits(cores);
        config.module.port.trace_port_width = 4 * cores;
        (preset, config)
    };
    std::iter::once((NEXS, nexs())).chain(NEXUS.into_iter().map(of)).collect()
}

/// Paper E's shared buffer has 64 bits per core (section 6.4).
///
/// At one instruction per cycle, one pin per core is enough for the paper's mcfTRaptor (at most 1.01 bits
/// per cycle, for eight cores), and four are enough for its Nexus (at most 2.7 bits per instruction);
/// programs with more branches stall sometimes.
fn buffer_bits(cores: u32) -> u32 {
    64 * cores
}

fn several<M: Module>(cores: u32, time_stamps: bool) -> Config<M> {
    let mut config = Config::<M>::default();
    (config.sharing.cores, config.sharing.time_stamps) = (cores, time_stamps);
    config
}

/// Paper C, section 6: the length of a stream in 8 bits, targets by exclusive or in groups of 6 bits
/// with a header of 2. One core, and the one pin that paper C gives every module.
fn nexs() -> Config<Nexus> {
    let mut config = several::<Nexus>(1, false);
    config.module = Nexus {
        stream_length_bits: 8,
        stream_length_coding: StreamLengthCoding::Fixed,
        target_coding: TargetCoding::Xor,
        target_first_chunk: Some(6),
        target_next_chunk: Some(6),
        target_continuation_bits: 2,
        ..config.module
    };
    config
}
