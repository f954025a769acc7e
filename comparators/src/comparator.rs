//! The list of comparators.

use std::fmt;
use std::io::Read;

use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::Event;
use tracewright_sim::field::Sink;
use tracewright_sim::program::Program;

use crate::scheme::Format;
use crate::software::{self, Compressor, Layout};
use crate::{Core, DecodeError, Encode, EncodeError, Unknown, dmtf, limit, tslz};

/// What the bits of a comparator are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// An encoder that is in use, by its own implementation.
    RealEncoder,
    /// A model that was written for this comparison from a description or a specification.
    Model,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Basis::RealEncoder => "real encoder",
            Basis::Model => "model",
        })
    }
}

/// A comparator's cost in hardware, as its source states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gates {
    /// Logic gates or gate equivalents.
    pub gates: u32,
    /// Where the figure is from.
    pub source: &'static str,
}

/// Bits per instruction that a paper states, on its own programs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Average of the paper's programs.
    pub bits_per_instruction: f64,
    /// The paper.
    pub source: &'static str,
}

type MakeEncoder = fn(&Core) -> Result<Box<dyn Encode>, EncodeError>;

type Decode =
    fn(&Core, &Program, &mut dyn Read, u64, &mut dyn FnMut(Event)) -> Result<Summary, DecodeError>;

/// Another encoder of a processor's control flow.
#[derive(Clone, Copy, Debug)]
pub struct Comparator {
    /// Its name in commands and tables.
    pub name: &'static str,
    /// One sentence.
    pub description: &'static str,
    /// What its bits are.
    pub basis: Basis,
    /// Its cost in logic gates, where a source states one.
    pub gates: Option<Gates>,
    /// The gate equivalents of an implementation with memories of flip-flops, where one was synthesized.
    pub flip_flop_implementation_ge: Option<Gates>,
    /// Storage by structure in bits, of a hardware design.
    pub storage: &'static [(&'static str, u32)],
    /// What a paper states, where one does.
    pub published: Option<Published>,
    encoder: MakeEncoder,
    decode: Option<Decode>,
}

const NO_HARDWARE: Comparator = Comparator {
    name: "",
    description: "",
    basis: Basis::RealEncoder,
    gates: None,
    flip_flop_implementation_ge: None,
    storage: &[],
    published: None,
    encoder: |core| software::encoder(core, Compressor::Gzip, Layout::LengthTarget),
    decode: None,
};

macro_rules! compressed {
    ($name:literal, $description:literal, $compressor:ident, $layout:ident) => {
        Comparator {
            name: $name,
            description: $description,
            encoder: |core| software::encoder(core, Compressor::$compressor, Layout::$layout),
            decode: Some(|core, program, bytes, most, take| {
                let (compressor, layout) = (Compressor::$compressor, Layout::$layout);
                software::decode(core, compressor, layout, program, bytes, most, take)
            }),
            ..NO_HARDWARE
        }
    };
}

/// A format of a standard, by the model of a preset; the changes are names and values of parameters.
macro_rules! standard {
    ($name:literal, $description:literal, $preset:literal, $changes:expr) => {{
        const FORMAT: Format = Format { preset: $preset, changes: $changes };
        Comparator {
            name: $name,
            description: $description,
            basis: Basis::Model,
            encoder: |core| FORMAT.encoder(core),
            decode: Some(|core, program, bytes, most, take| {
                FORMAT.decode(core, program, bytes, most, take)
            }),
            ..NO_HARDWARE
        }
    }};
}

/// E-Trace with implicit return, a jump target cache of 64 entries, and a branch predictor of this many.
macro_rules! predicting {
    ($name:literal, $description:literal, $entries:literal) => {
        standard!($name, $description, "etrace-full", &[("branch_predictor_entries", $entries)])
    };
}

/// Every comparator, in the order of tables.
pub static ALL: &[Comparator] = &[
    Comparator {
        name: "tslz",
        description: "Paper C's TSLZ: addresses of taken branches and their targets, as differences, then \
                      Lempel-Ziv in hardware with a window of 256 entries of 12 bits.",
        basis: Basis::Model,
        gates: Some(Gates { gates: 51_678, source: "paper C, section 5.3" }),
        flip_flop_implementation_ge: None,
        storage: tslz::STORAGE,
        published: Some(Published { bits_per_instruction: 0.446, source: "paper C, section 5.3" }),
        encoder: tslz::encoder,
        decode: Some(tslz::decode),
    },
    Comparator {
        name: "dmtf",
        description: "Paper C's eDMTF(192,4): two history tables of streams with move to front, the last upper \
                      address bits and an adaptive run counter.",
        basis: Basis::Model,
        gates: Some(Gates { gates: 24_600, source: "paper C, section 1" }),
        flip_flop_implementation_ge: None,
        storage: dmtf::STORAGE,
        published: Some(Published { bits_per_instruction: 0.118, source: "paper C, section 5.3" }),
        encoder: dmtf::encoder,
        decode: Some(dmtf::decode),
    },
    Comparator {
        flip_flop_implementation_ge: Some(Gates {
            gates: 16_415,
            source: "rv_tracer for RV32 without its FIFO and transport, synthesized with Yosys at the same weights",
        }),
        ..standard!(
            "e-trace",
            "RISC-V E-Trace without optional extensions, by the model of etrace-base.",
            "etrace-base",
            &[]
        )
    },
    standard!(
        "e-trace-return",
        "E-Trace with implicit return, by a stack of 8 addresses.",
        "etrace-returns",
        &[]
    ),
    predicting!(
        "e-trace-predict-64",
        "E-Trace with implicit return, branch prediction of 64 entries and a jump target cache of 64.",
        "64"
    ),
    predicting!(
        "e-trace-predict-512",
        "E-Trace with implicit return, branch prediction of 512 entries and a jump target cache of 64.",
        "512"
    ),
    predicting!(
        "e-trace-predict-1024",
        "E-Trace with implicit return, branch prediction of 1,024 entries and a jump target cache of 64.",
        "1024"
    ),
    standard!(
        "n-trace",
        "RISC-V N-Trace: branch history messages with a call stack of 8 addresses and repeat counts, by the model of \
         ntrace-htm.",
        "ntrace-htm",
        &[("return_stack_entries", "8"), ("repeat_bits", "16")]
    ),
    compressed!(
        "gzip",
        "gzip -9 in software over the bytes <SL, TA/-> of every stream.",
        Gzip,
        LengthTarget
    ),
    compressed!(
        "xz",
        "xz -9 in software over the bytes <SL, TA/-> of every stream.",
        Xz,
        LengthTarget
    ),
    compressed!(
        "zstd",
        "zstd -19 in software over the bytes <SL, TA/-> of every stream.",
        Zstd,
        LengthTarget
    ),
    compressed!(
        "gzip-descriptors",
        "gzip -9 in software over the bytes (SA, SL) of every stream.",
        Gzip,
        StartLength
    ),
    compressed!(
        "xz-descriptors",
        "xz -9 in software over the bytes (SA, SL) of every stream.",
        Xz,
        StartLength
    ),
    compressed!(
        "zstd-descriptors",
        "zstd -19 in software over the bytes (SA, SL) of every stream.",
        Zstd,
        StartLength
    ),
    Comparator {
        name: "limit",
        description: "The length of an ideal adaptive code, from a model with megabytes of tables.",
        basis: Basis::Model,
        encoder: limit::encoder,
        ..NO_HARDWARE
    },
];

impl Comparator {
    /// The comparator of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Comparator, Unknown> {
        ALL.iter().find(|one| one.name == name).ok_or_else(|| Unknown {
            name: name.into(),
            known: ALL.iter().map(|one| one.name).collect::<Vec<_>>().join(", "),
        })
    }

    /// An encoder at the start of a trace, which refuses what the format cannot carry.
    ///
    /// # Errors
    /// When the format is not for this core.
    pub fn encoder(&self, core: &Core) -> Result<Box<dyn Encode>, EncodeError> {
        Ok(Box::new(Checked::new((self.encoder)(core)?, core)))
    }

    /// True if [`decode`](Self::decode) decodes its traces; a model of the number of bits has no decoder.
    pub fn has_decoder(&self) -> bool {
        self.decode.is_some()
    }

    /// Decodes a whole trace of at most `most_instructions`.
    ///
    /// # Errors
    /// When the bytes or the program are not what was traced.
    pub fn decode(
        &self,
        core: &Core,
        program: &Program,
        bytes: &mut dyn Read,
        most_instructions: u64,
        take: &mut dyn FnMut(Event),
    ) -> Result<Summary, DecodeError> {
        match self.decode {
            Some(decode) => decode(core, program, bytes, most_instructions, take),
            None => Err(DecodeError::NoDecoder { name: self.name }),
        }
    }
}

/// Refuses what no comparator can encode.
pub(crate) struct Checked {
    encoder: Box<dyn Encode>,
    width: u32,
    events: u64,
}

impl Checked {
    /// An encoder that has encoded nothing yet.
    pub(crate) fn new(encoder: Box<dyn Encode>, core: &Core) -> Self {
        Self { encoder, width: core.address_width, events: 0 }
    }
}

impl Encode for Checked {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let address = event.program_counter | event.target;
        if self.width < 64 && address >> self.width != 0 {
            let address = event.program_counter.max(event.target);
            return Err(EncodeError::Address { event: self.events, address, width: self.width });
        }
        if event.thread != 0 {
            return Err(EncodeError::Thread { event: self.events, thread: event.thread });
        }
        self.events += 1;
        self.encoder.event(event, sink)
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.encoder.finish(sink)
    }
}
