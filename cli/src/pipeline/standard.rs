//! Dumps of other trace encoders: the standard they follow, and the file of the encoder's parameters.

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use tracewright_image::Image;
use tracewright_import::e_trace::{
    Encoder, Error, Options, PAYLOAD_BRANCHES, Receiver, Summary, decode, first_payload,
};
use tracewright_import::n_trace;
use tracewright_sim::parameter::Value;
use tracewright_sim::scheme::Design;

use super::encoder_arguments::{EncoderArgument, Known, Vendor, named};
use super::failure::usage;

/// The standards that dumps of other encoders may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Standard {
    /// RISC-V's Efficient Trace (E-Trace)
    Etrace,
    /// RISC-V's trace in messages of the Nexus standard (N-Trace)
    Ntrace,
}

impl Standard {
    /// The name as the option takes it.
    pub fn name(self) -> &'static str {
        match self {
            Standard::Etrace => "etrace",
            Standard::Ntrace => "ntrace",
        }
    }

    /// The name of the specification.
    pub fn title(self) -> &'static str {
        match self {
            Standard::Etrace => "E-Trace",
            Standard::Ntrace => "N-Trace",
        }
    }

    /// A design of the standard's scheme.
    fn example(self) -> &'static str {
        match self {
            Standard::Etrace => "etrace-base",
            Standard::Ntrace => "ntrace-htm",
        }
    }

    /// The parameters of an encoder as `--encoder` says them; without it, the defaults.
    ///
    /// # Errors
    /// When a file cannot be read, or there is a key that no parameter is called, or a value that it cannot have.
    pub fn parameters(self, said: &[EncoderArgument]) -> Result<Parameters> {
        Ok(match self {
            Standard::Etrace => {
                let known = Known { names: &Encoder::NAMES, vendors: &E_TRACE_VENDORS };
                let encoder: Encoder = known.read(said)?;
                encoder.check().with_context(|| named(said))?;
                Parameters::Etrace(encoder)
            }
            Standard::Ntrace => {
                let known = Known { names: &n_trace::Encoder::NAMES, vendors: &N_TRACE_VENDORS };
                let encoder: n_trace::Encoder = known.read(said)?;
                encoder.check().with_context(|| named(said))?;
                Parameters::Ntrace(encoder)
            }
        })
    }
}

/// Encoders of E-Trace that one word chooses.
const E_TRACE_VENDORS: [Vendor<Encoder>; 3] =
    [("rv-tracer", Encoder::rv_tracer), ("esp32", Encoder::esp32), ("siemens", Encoder::siemens)];

/// Encoders of N-Trace that one word chooses.
const N_TRACE_VENDORS: [Vendor<n_trace::Encoder>; 1] = [("sifive", n_trace::Encoder::sifive)];

/// The parameters of an encoder of a standard.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Parameters {
    /// Of E-Trace.
    Etrace(Encoder),
    /// Of N-Trace.
    Ntrace(n_trace::Encoder),
}

impl Parameters {
    /// The standard.
    pub fn standard(&self) -> Standard {
        match self {
            Parameters::Etrace(_) => Standard::Etrace,
            Parameters::Ntrace(_) => Standard::Ntrace,
        }
    }

    /// The same for a program with addresses of so many bits, where the width of an address is not given.
    #[must_use]
    pub fn for_addresses(self, bits: u8) -> Self {
        match self {
            Parameters::Etrace(encoder) => Parameters::Etrace(encoder.for_addresses(bits)),
            Parameters::Ntrace(encoder) => Parameters::Ntrace(encoder.for_addresses(bits)),
        }
    }

    /// Bits of a cause with the one that says whether it is an interrupt's; 0 where none is told.
    pub fn cause_bits(&self) -> u32 {
        match self {
            Parameters::Etrace(encoder) => (encoder.ecause_width_p + 1).min(64),
            Parameters::Ntrace(_) => 0,
        }
    }

    /// True if payloads have a source.
    pub fn has_sources(&self) -> bool {
        match self {
            Parameters::Etrace(encoder) => encoder.source_id_width > 0,
            Parameters::Ntrace(encoder) => encoder.source_bits > 0,
        }
    }

    /// True if payloads say the time; messages of N-Trace show it themselves.
    pub fn has_time(&self) -> bool {
        match self {
            Parameters::Etrace(encoder) => encoder.notime_p == 0 && encoder.time_width_p > 0,
            Parameters::Ntrace(_) => true,
        }
    }

    /// What the trace of a source begins with, before the first start: of E-Trace the support payload that says the options.
    pub fn beginning(&self, source: u32) -> Vec<u8> {
        match self {
            Parameters::Etrace(encoder) => encoder.support_payload(source),
            Parameters::Ntrace(_) => Vec::new(),
        }
    }

    /// The byte at which the first whole payload begins, in a dump that may begin in the middle of one.
    pub fn first(&self, dump: &[u8], image: &Image, options: &Options) -> usize {
        match self {
            _ if !options.begins_in_the_middle => 0,
            Parameters::Etrace(encoder) => first_payload(dump, encoder, image, options),
            Parameters::Ntrace(_) => n_trace::first_message(dump),
        }
    }

    /// Decodes a dump.
    ///
    /// # Errors
    /// When nothing of the dump can be decoded, its sources do not fit into a trace, or the receiver fails.
    pub fn decode(
        &self,
        dump: &[u8],
        image: &Image,
        options: &Options,
        receiver: &mut dyn Receiver,
    ) -> Result<Summary, Error> {
        match self {
            Parameters::Etrace(encoder) => decode(dump, encoder, image, options, receiver),
            Parameters::Ntrace(encoder) => n_trace::decode(dump, encoder, image, options, receiver),
        }
    }
}

/// The standard whose scheme a design is of.
pub fn of_scheme(design: &Design) -> Option<Standard> {
    let standards = Standard::value_variants().iter().copied();
    standards.into_iter().find(|standard| design.scheme.name() == standard.name())
}

/// The parameters of a design of a standard, as a decoder of the standard needs them.
///
/// # Errors
/// When the design is of another scheme, or its trace has more than the payloads of the standard.
pub fn of_design(design: &Design, standard: Standard) -> Result<Parameters> {
    let (name, option) = (&design.name, standard.name());
    if of_scheme(design) != Some(standard) {
        return Err(usage(format_args!(
            "--standard {option}: {name} is of the scheme {}, expected one of the scheme {option}, such as {}",
            design.scheme.name(),
            standard.example(),
        )));
    }
    if design.framing().is_some() {
        return Err(usage(format_args!(
            "--standard {option}: {name} has packets around its payloads, expected framing=none"
        )));
    }
    if standard == Standard::Ntrace && design.processor().alignment == 0 {
        return Err(usage(format_args!(
            "--standard {option}: addresses of N-Trace are multiples of 2, expected alignment=1 or 2"
        )));
    }
    let width = design.port().trace_port_width;
    if !(width.is_multiple_of(8) || 8u32.is_multiple_of(width)) {
        return Err(usage(format_args!(
            "--standard {option}: a trace port of {width} bits has no whole bytes, expected trace_port_width=8"
        )));
    }
    Ok(match standard {
        Standard::Etrace => Parameters::Etrace(of_etrace(design)),
        // With compressed instructions and without exact lengths the encoder knows no length of a taken branch or jump but
        // that of calls.
        Standard::Ntrace => Parameters::Ntrace(n_trace::Encoder {
            source_bits: design.protocol().source_bits,
            time_bits: design.protocol().told_time_bits() % 64,
            taken_half_words: u32::from(
                design.processor().alignment == 1 && !design.reads_lengths(),
            ),
            ..n_trace::Encoder::default()
        }),
    })
}

fn of_etrace(design: &Design) -> Encoder {
    let values = design.values();
    let number = |name| {
        let found = values.iter().find(|(of, _)| *of == name);
        if let Some((_, Value::Number(value))) = found { *value } else { 0 }
    };
    let logarithm = |name| number(name).checked_ilog2().unwrap_or(0);
    let protocol = design.protocol();
    let time_bits = protocol.told_time_bits();
    let tells_context = protocol.told_state_bits() > 0 && protocol.context_bits > 0;
    let (bpred_size_p, cache_size_p) =
        (logarithm("branch_predictor_entries"), logarithm("jump_target_cache_entries"));
    Encoder {
        iaddress_width_p: design.processor().address_width,
        iaddress_lsb_p: design.processor().alignment,
        ecause_width_p: number("trap_cause_bits"),
        context_width_p: if tells_context { protocol.context_bits } else { 1 },
        nocontext_p: u32::from(!tells_context),
        time_width_p: time_bits.max(1),
        notime_p: u32::from(time_bits == 0),
        return_stack_size_p: logarithm("return_stack_entries"),
        bpred_size_p,
        cache_size_p,
        f0s_width_p: Some(u32::from(bpred_size_p > 0 && cache_size_p > 0)),
        source_id_width: protocol.source_bits,
        // As many as the counter of predicted branches, and a map before them.
        payload_branches: PAYLOAD_BRANCHES.max((1 << number("branch_count_bits")) + 32),
        ..Encoder::default()
    }
}
