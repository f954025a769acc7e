//! The figures that the papers print for the sizes of modules and for their bandwidth.

/// A parameter set by name and text.
pub type Setting = (&'static str, &'static str);

/// The gate count that a paper prints for a design.
#[derive(Clone, Copy, Debug)]
pub struct PrintedGates {
    /// The paper, by its letter in docs/references.md.
    pub paper: char,
    /// The section, table or figure of the paper.
    pub place: &'static str,
    /// The paper's name of the design.
    pub name: &'static str,
    /// The preset.
    pub design: &'static str,
    /// Parameters in which the paper's processor differs from the preset's.
    pub settings: &'static [Setting],
    /// The gates.
    pub gates: u32,
    /// The unit to which the paper rounds.
    pub rounded_to: u32,
}

/// The storage of a design, line by line.
#[derive(Clone, Copy, Debug)]
pub struct PrintedStorage {
    /// The paper, by its letter in docs/references.md.
    pub paper: char,
    /// The section, table or figure of the paper.
    pub place: &'static str,
    /// The title of the table.
    pub title: &'static str,
    /// The lines of the table.
    pub lines: &'static [StorageLine],
    /// The printed total in bytes.
    pub bytes: u32,
}

/// A line of a storage table.
#[derive(Clone, Copy, Debug)]
pub struct StorageLine {
    /// The paper's name of the structure.
    pub name: &'static str,
    /// The preset that has the structure.
    pub design: &'static str,
    /// Parameters in which the paper's design differs from the preset.
    pub settings: &'static [Setting],
    /// The structure's name in the design's estimate.
    pub structure: &'static str,
    /// The paper's computation, if it is printed.
    pub complexity: &'static str,
    /// The printed bytes, if the paper prints more than the sum.
    pub bytes: Option<u32>,
}

/// Bits per instruction that a paper prints as the average of its benchmarks.
#[derive(Clone, Copy, Debug)]
pub struct PrintedBandwidth {
    /// The paper, by its letter in docs/references.md.
    pub paper: char,
    /// The section, table or figure of the paper.
    pub place: &'static str,
    /// The paper's name of the design.
    pub name: &'static str,
    /// The preset, if there is one.
    pub design: Option<&'static str>,
    /// Bits per instruction.
    pub bits_per_instruction: f64,
}

/// How the memories of a module are counted. The two are far apart, so a gate count means nothing without this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memories {
    /// 1.5 gates per bit, as the papers count.
    Dense,
    /// Flip-flops and the gates around them, about ten gates per bit.
    FlipFlops,
}

/// A module or core of another project, for comparison.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Name of the module.
    pub name: &'static str,
    /// Gate count of the module.
    pub gates: u32,
    /// How its memories are counted.
    pub memories: Memories,
    /// Source of the gate count.
    pub source: &'static str,
    /// Bits per instruction, if they are known.
    pub bits_per_instruction: Option<f64>,
    /// True for a trace module, false for a processor core.
    pub is_trace_module: bool,
}

/// Paper E measures on IA-32, which has instructions at any address.
const IA32: &[Setting] = &[("alignment", "0")];

/// Paper A does not give the depth of its stream buffer; eight streams give its totals.
const EIGHT_STREAMS: &[Setting] = &[("stream_buffer_depth", "8")];

/// Every gate count of a design that is implemented here.
pub const GATES: [PrintedGates; 7] = {
    const fn traptor(name: &'static str, design: &'static str, gates: u32) -> PrintedGates {
        let place = "section 5.4, Figure 10";
        PrintedGates { paper: 'C', place, name, design, settings: &[], gates, rounded_to: 1 }
    }
    const fn core(name: &'static str, design: &'static str, gates: u32) -> PrintedGates {
        let place = "section 6.4";
        PrintedGates { paper: 'E', place, name, design, settings: IA32, gates, rounded_to: 100 }
    }
    [
        traptor("S0", "traptor-s0", 1771),
        traptor("M4", "traptor-m4", 4846),
        traptor("B4", "traptor-b4", 6382),
        core("Small, per core", "mctraptor-small-n1", 2300),
        core("Medium, per core", "mctraptor-medium-n1", 4800),
        core("Large, per core", "mctraptor-large-n1", 16500),
        PrintedGates {
            paper: 'C',
            place: "section 5.3",
            name: "rSDC-LSP(128,128)",
            design: "stream-rbase-128",
            settings: &[],
            gates: 6100,
            rounded_to: 100,
        },
    ]
};

/// Every storage count.
pub const STORAGE: [PrintedStorage; 4] = [
    PrintedStorage {
        paper: 'A',
        place: "section III.D",
        title: "BASE, ⟨32x4, 128⟩",
        lines: &BASE,
        bytes: 771,
    },
    PrintedStorage {
        paper: 'A',
        place: "section III.D",
        title: "eBASE, ⟨32x4, 128⟩",
        lines: &EBASE,
        bytes: 775,
    },
    PrintedStorage {
        paper: 'A',
        place: "section III.D",
        title: "rBASE, ⟨32x4, 128⟩",
        lines: &RBASE,
        bytes: 582,
    },
    PrintedStorage {
        paper: 'B',
        place: "Table 5",
        title: "instruction and data address compressor",
        lines: &TABLE_5,
        bytes: 7629,
    },
];

const fn paper_a(
    name: &'static str,
    design: &'static str,
    structure: &'static str,
    complexity: &'static str,
) -> StorageLine {
    StorageLine { name, design, settings: EIGHT_STREAMS, structure, complexity, bytes: None }
}

const BASE: [StorageLine; 5] = {
    const D: &str = "stream-base-128";
    [
        paper_a("stream cache", D, "stream_cache", "128 x (30 + 8) bits"),
        paper_a("last stream predictor", D, "last_stream_predictor", "128 x 7 bits"),
        paper_a("previous index", D, "previous_index", "7 bits"),
        paper_a("stream buffer", D, "stream_buffer", "8 x (32 + 8) bits"),
        paper_a("output trace buffer", D, "output_fifo", "80 bits"),
    ]
};

const EBASE: [StorageLine; 7] = {
    const D: &str = "stream-ebase-128";
    [
        paper_a("stream cache", D, "stream_cache", "128 x (30 + 8) bits"),
        paper_a("last stream predictor", D, "last_stream_predictor", "128 x 7 bits"),
        paper_a("previous index", D, "previous_index", "7 bits"),
        paper_a("stream buffer", D, "stream_buffer", "8 x (32 + 8) bits"),
        paper_a("LVSA", D, "start_address_predictor", "14 bits"),
        paper_a("AOLC", D, "one_length_counter", "8 + 4 + 4 bits"),
        paper_a("output trace buffer", D, "output_fifo", "80 bits"),
    ]
};

const RBASE: [StorageLine; 7] = {
    const D: &str = "stream-rbase-128";
    [
        paper_a("stream cache", D, "stream_cache", "128 x (18 + 8) bits"),
        paper_a("last stream predictor", D, "last_stream_predictor", "128 x 7 bits"),
        paper_a("previous index", D, "previous_index", "7 bits"),
        paper_a("stream buffer", D, "stream_buffer", "8 x (32 + 8) bits"),
        paper_a("LVSA", D, "start_address_predictor", "12 bits"),
        paper_a("AOLC", D, "one_length_counter", "8 + 4 + 4 bits"),
        paper_a("output trace buffer", D, "output_fifo", "80 bits"),
    ]
};

const TABLE_5: [StorageLine; 7] = {
    const fn line(
        name: &'static str,
        design: &'static str,
        structure: &'static str,
        complexity: &'static str,
        bytes: u32,
    ) -> StorageLine {
        StorageLine { name, design, settings: &[], structure, complexity, bytes: Some(bytes) }
    }
    const I: &str = "ntuple-32x4";
    const D: &str = "stride-1024";
    [
        line("instruction stream buffer", I, "stream_buffer", "2x5", 10),
        line("stream detector", I, "stream_detector", "2x4", 8),
        line("stream cache", I, "stream_cache", "128x5", 640),
        line("N-tuple history buffer", I, "tuple_history_buffer", "255x8*(7/8)", 1785),
        line("data address buffer", D, "data_address_buffer", "8x8", 64),
        line("data address stride cache", D, "data_address_stride_cache", "1024x5", 5120),
        line("data repetitions state machine", D, "data_repetitions", "2", 2),
    ]
};

/// Average bits per instruction: MiBench on ARM for papers A, B and C, Splash2 on IA-32 for paper E.
pub const BANDWIDTH: [PrintedBandwidth; 18] = {
    const fn printed(
        (paper, place): (char, &'static str),
        name: &'static str,
        design: Option<&'static str>,
        bits_per_instruction: f64,
    ) -> PrintedBandwidth {
        PrintedBandwidth { paper, place, name, design, bits_per_instruction }
    }
    const A2: (char, &str) = ('A', "Table 2");
    const A3D: (char, &str) = ('A', "section III.D");
    const B31: (char, &str) = ('B', "section 3.1");
    const C1: (char, &str) = ('C', "section 1");
    const C53: (char, &str) = ('C', "section 5.3");
    const E5: (char, &str) = ('E', "Table 5");
    [
        printed(A2, "BASE 32", Some("stream-base-32"), 0.426),
        printed(A2, "BASE 64", Some("stream-base-64"), 0.272),
        printed(A2, "BASE 128", Some("stream-base-128"), 0.174),
        printed(A2, "BASE 256", Some("stream-base-256"), 0.142),
        printed(A2, "BASE 512", Some("stream-base-512"), 0.136),
        printed(A2, "BASE 1024", Some("stream-base-1024"), 0.135),
        printed(A3D, "eBASE 32", Some("stream-ebase-32"), 0.35),
        printed(A3D, "eBASE 128", Some("stream-ebase-128"), 0.146),
        printed(A3D, "eBASE 512", Some("stream-ebase-512"), 0.11),
        printed(A3D, "rBASE 128", Some("stream-rbase-128"), 0.15),
        printed(B31, "SC.I+Ntup 32x4", Some("ntuple-32x4"), 0.25),
        printed(C53, "NEXS", Some("nexs"), 0.907),
        printed(C53, "TSLZ, 256 entries", None, 0.446),
        printed(C53, "eDMTF(192,4)", None, 0.118),
        printed(C53, "S1", Some("traptor-s1"), 0.0748),
        printed(C1, "M4", Some("traptor-m4"), 0.0292),
        printed(C53, "B4", Some("traptor-b4"), 0.0261),
        printed(E5, "TR_e Large, N = 1", Some("mctraptor-large-n1"), 0.033),
    ]
};

/// Gate counts of other modules and cores, for comparison.
pub const PEERS: [Peer; 7] = {
    const SAME_WEIGHTS: &str = "measured: Yosys with the same cell weights";
    const E_TRACE: &str = "gates measured like the others; bits of E-Trace's base format, by another \
                           encoder, on 17 MiBench programs for RV64";
    const fn module(name: &'static str, gates: u32, bits: Option<f64>, from: &'static str) -> Peer {
        let (source, is_trace_module) = (from, true);
        let memories = Memories::FlipFlops;
        Peer { name, gates, memories, source, bits_per_instruction: bits, is_trace_module }
    }
    const fn of_paper(name: &'static str, gates: u32, bits: f64, from: &'static str) -> Peer {
        let (memories, bits) = (Memories::Dense, Some(bits));
        Peer { memories, ..module(name, gates, bits, from) }
    }
    const fn core(name: &'static str, gates: u32) -> Peer {
        let (source, is_trace_module) = (SAME_WEIGHTS, false);
        Peer { is_trace_module, ..module(name, gates, None, source) }
    }
    [
        module("rv_tracer RV32 (E-Trace, no FIFO)", 16415, None, SAME_WEIGHTS),
        module("rv_tracer RV64 (E-Trace, no FIFO)", 28003, Some(0.566), E_TRACE),
        module("pulp trace_debugger RV32 (with FIFO)", 10923, None, SAME_WEIGHTS),
        of_paper(
            "TSLZ, 256 entries",
            51678,
            0.446,
            "printed in paper C (paper A: 0.47 bits/instruction)",
        ),
        of_paper("eDMTF(192,4)", 24600, 0.118, "printed in paper C"),
        core("picorv32 core", 20874),
        core("ibex core", 20683),
    ]
};

/// The programs of MiBench that papers A, B and C have figures of.
const PROGRAMS: [&str; 17] = [
    "adpcm_c",
    "bf_e",
    "cjpeg",
    "djpeg",
    "fft",
    "ghostscript",
    "gsm_d",
    "lame",
    "mad",
    "rijndael_e",
    "rsynth",
    "sha",
    "stringsearch",
    "tiff2bw",
    "tiff2rgba",
    "tiffdither",
    "tiffmedian",
];

/// The program of the papers that a trace is of, by its name: `stringsearch` and `arm-stringsearch` are stringsearch,
/// and `arm-fft-head`, a part of a run, is not fft.
pub fn program_of(trace: &str) -> Option<&'static str> {
    let last = trace.rsplit('-').next();
    PROGRAMS.iter().find(|name| last == Some(name)).copied()
}

/// True if a trace is of a program of papers A, B and C on their architecture: `arm-sha`, but not `rv64-sha`.
pub fn is_of_papers(trace: &str) -> bool {
    let prefix = program_of(trace).and_then(|program| trace.strip_suffix(program));
    prefix.is_some_and(|prefix| prefix.is_empty() || prefix.starts_with("arm"))
}

/// The gates that a paper prints for a preset.
pub fn gates_of(design: &str) -> Option<&'static PrintedGates> {
    GATES.iter().find(|printed| printed.design == design)
}

#[cfg(test)]
mod tests {
    use tracewright_sim::preset;

    use super::*;

    #[test]
    fn programs_of_the_papers() {
        assert!(["sha", "arm-sha", "armhf-cjpeg"].into_iter().all(is_of_papers));
        assert!(!["rv64-sha", "arm-fft-head", "gzip", "arm-gzip"].into_iter().any(is_of_papers));
    }

    #[test]
    fn presets_say_the_same() {
        for preset in preset::all() {
            let Some(gates) = preset.paper_gates.filter(|_| !preset.name.contains("-n")) else {
                continue;
            };
            assert_eq!(gates_of(preset.name).map(|printed| printed.gates), Some(gates));
        }
    }
}
