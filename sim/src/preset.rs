//! Named designs, with what the papers say of each.

mod streams;

use crate::multicore::config::{Config as Multicore, Encoding};
use crate::nexus::config::{StreamLengthCoding, TargetCoding};
use crate::scheme::Scheme;
use crate::{nexus, traptor};

/// A named design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The paper and section it comes from.
    pub source: &'static str,
    /// The paper's gate count, where it prints one.
    pub paper_gates: Option<u32>,
}

/// T-raptor's 15 configurations by name, gshare entries (S, M, B) and target structures (0 to 4).
const TRAPTOR: [(Preset, u32, u32); 15] = {
    const fn entry(
        name: &'static str,
        gshare: u32,
        targets: u32,
        paper_gates: Option<u32>,
    ) -> (Preset, u32, u32) {
        (Preset { name, source: "paper C, section 5.1", paper_gates }, gshare, targets)
    }
    [
        entry("traptor-s0", 256, 0, Some(1771)),
        entry("traptor-s1", 256, 1, None),
        entry("traptor-s2", 256, 2, None),
        entry("traptor-s3", 256, 3, None),
        entry("traptor-s4", 256, 4, None),
        entry("traptor-m0", 512, 0, None),
        entry("traptor-m1", 512, 1, None),
        entry("traptor-m2", 512, 2, None),
        entry("traptor-m3", 512, 3, None),
        entry("traptor-m4", 512, 4, Some(4846)),
        entry("traptor-b0", 1024, 0, None),
        entry("traptor-b1", 1024, 1, None),
        entry("traptor-b2", 1024, 2, None),
        entry("traptor-b3", 1024, 3, None),
        entry("traptor-b4", 1024, 4, Some(6382)),
    ]
};

/// What paper C compares T-raptor with.
const NEXS: Preset = Preset { name: "nexs", source: "paper C, section 6", paper_gates: None };

/// Trace modules of paper E.
#[derive(Clone, Copy, Debug)]
enum Module {
    Small,
    Medium,
    Large,
    Nexus,
}

/// Paper E's systems by name, module, cores, and whether they have time stamps.
const MULTICORE: [[(Preset, Module, u32, bool); 8]; 4] = {
    const fn entry(
        name: &'static str,
        module: Module,
        cores: u32,
        timed: bool,
    ) -> (Preset, Module, u32, bool) {
        let paper_gates = match module {
            _ if timed => None,
            Module::Small => Some(2300 * cores),
            Module::Medium => Some(4800 * cores),
            Module::Large => Some(16500 * cores),
            Module::Nexus => None,
        };
        (Preset { name, source: "paper E, sections 4 to 6", paper_gates }, module, cores, timed)
    }
    macro_rules! systems {
        ($name:literal, $module:expr) => {
            [
                entry(concat!($name, "-n1"), $module, 1, false),
                entry(concat!($name, "-n2"), $module, 2, false),
                entry(concat!($name, "-n4"), $module, 4, false),
                entry(concat!($name, "-n8"), $module, 8, false),
                entry(concat!($name, "-n1-timed"), $module, 1, true),
                entry(concat!($name, "-n2-timed"), $module, 2, true),
                entry(concat!($name, "-n4-timed"), $module, 4, true),
                entry(concat!($name, "-n8-timed"), $module, 8, true),
            ]
        };
    }
    [
        systems!("mctraptor-small", Module::Small),
        systems!("mctraptor-medium", Module::Medium),
        systems!("mctraptor-large", Module::Large),
        systems!("nexus", Module::Nexus),
    ]
};

/// Every preset, in the order of the papers.
pub fn all() -> impl Iterator<Item = Preset> {
    let traptor = TRAPTOR.iter().map(|(preset, ..)| *preset);
    let multicore = MULTICORE.iter().flatten().map(|(preset, ..)| *preset);
    traptor.chain([NEXS]).chain(multicore).chain(streams::all())
}

/// What the preset of this name is made of.
pub fn find(name: &str) -> Option<Scheme> {
    if name == NEXS.name {
        return Some(Scheme::Nexus(nexs()));
    }
    if let Some((_, module, cores, timed)) =
        MULTICORE.iter().flatten().find(|(preset, ..)| preset.name == name)
    {
        return Some(multicore(*module, *cores, *timed));
    }
    let Some((_, gshare_entries, targets)) =
        TRAPTOR.iter().find(|(preset, ..)| preset.name == name)
    else {
        return streams::find(name);
    };
    Some(Scheme::Traptor(traptor(*gshare_entries, *targets)))
}

/// Paper C, section 5.1: (0) no target predictor, (1) an 8-entry return address stack, (2) to (4)
/// also an indirect branch target buffer of 16, 32 or 64 entries.
///
/// The chunk sizes are those with which the independent measurement's figures come out; Table 4 of
/// the paper is not readable. A configuration without target predictor needs a buffer of up to 384
/// bits (section 5.4).
fn traptor(gshare_entries: u32, targets: u32) -> traptor::config::Config {
    let mut config = traptor::config::Config {
        gshare_entries,
        return_address_stack_depth: if targets == 0 { 0 } else { 8 },
        indirect_branch_target_buffer_entries: if targets < 2 { 0 } else { 8 << (targets - 1) },
        elided_upper_bits: Some(12),
        ..Default::default()
    };
    if targets == 0 {
        config.port.fifo_bits = 384;
    }
    config
}

/// Paper C, section 6: the length of a stream in 8 bits, targets by exclusive or in groups of 6 bits
/// with a header of 2. One core, and the one pin that paper C gives every module.
fn nexs() -> Multicore<nexus::config::Config> {
    let mut config = Multicore::<nexus::config::Config>::default();
    config.sharing.cores = 1;
    config.module = nexus::config::Config {
        stream_length_bits: 8,
        stream_length_coding: StreamLengthCoding::Fixed,
        target_coding: TargetCoding::Xor,
        target_first_chunk: Some(6),
        target_next_chunk: Some(6),
        target_connect_bits: 2,
        ..config.module
    };
    config
}

/// Paper E, section 5, with a shared buffer of 64 bits a core (section 6.4).
///
/// At one instruction a clock a pin a core takes what the paper's mcfTRaptor makes (at most 1.01 bits a
/// clock, for eight cores), and four what its Nexus makes (2.7 bits an instruction at most); programs
/// with more branches stall now and then.
fn multicore(module: Module, cores: u32, timed: bool) -> Scheme {
    let (gshare_entries, return_addresses, targets) = match module {
        Module::Small => (512, 8, 0),
        Module::Medium => (1024, 16, 16),
        Module::Large => (4096, 32, 64),
        Module::Nexus => {
            let mut config = Multicore::<nexus::config::Config>::default();
            (config.sharing.cores, config.sharing.time_stamps) = (cores, timed);
            config.module.port.fifo_bits = 64 * cores;
            config.module.port.trace_port_width = 4 * cores;
            return Scheme::Nexus(config);
        }
    };
    let mut config = Multicore::<traptor::config::Config>::default();
    (config.sharing.cores, config.sharing.time_stamps) = (cores, timed);
    config.sharing.encoding = Encoding::Variable;
    config.module = traptor::config::Config {
        gshare_entries,
        return_address_stack_depth: return_addresses,
        indirect_branch_target_buffer_entries: targets,
        elided_upper_bits: Some(12),
        ..config.module
    };
    config.module.port.fifo_bits = 64 * cores;
    config.module.port.trace_port_width = cores;
    Scheme::Mctraptor(config)
}
