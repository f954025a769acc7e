//! Dumps of other trace encoders: the standard they follow, and the file of the encoder's parameters.

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use tracewright_import::e_trace::Encoder;
use tracewright_sim::parameter::Value;
use tracewright_sim::scheme::Design;

use super::failure::usage;
use super::paths::Input;

/// The standards that dumps of other encoders may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Standard {
    /// RISC-V's Efficient Trace (E-Trace)
    Etrace,
}

impl Standard {
    /// The name as the option takes it.
    pub fn name(self) -> &'static str {
        match self {
            Standard::Etrace => "etrace",
        }
    }
}

/// The parameters of an encoder of E-Trace from their file; without one, those of the specification's defaults.
///
/// # Errors
/// When the file cannot be read, or has a key that no parameter is called, or a value that it cannot have.
pub fn encoder(file: Option<&Input>) -> Result<Encoder> {
    let Some(file) = file else { return Ok(Encoder::default()) };
    let text = file.text()?;
    let name = file.display();
    let at_line = |span: Option<std::ops::Range<usize>>, what: &str| {
        let at = span.map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        anyhow!("{name}, line {line}: {}", what.trim_end())
    };
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| at_line(error.span(), error.message()))?;
    if let Some(unknown) = table.keys().find(|key| !Encoder::NAMES.contains(&key.as_str())) {
        let likeness = |known: &&str| strsim::damerau_levenshtein(known, unknown);
        let nearest = Encoder::NAMES.into_iter().min_by_key(likeness).unwrap_or_default();
        return Err(anyhow!(
            "{name}: no parameter of an encoder is called {unknown}; the nearest is {nearest}"
        ));
    }
    let encoder: Encoder =
        toml::from_str(&text).map_err(|error| at_line(error.span(), error.message()))?;
    encoder.check().with_context(|| name.to_string())?;
    Ok(encoder)
}

/// True for a design whose scheme is that of a standard.
pub fn follows(design: &Design) -> bool {
    design.scheme.name() == Standard::Etrace.name()
}

/// The parameters of a design of E-Trace, as a decoder of the standard needs them.
///
/// # Errors
/// When the design is of another scheme, or its trace has more than the payloads of the standard.
pub fn of_design(design: &Design) -> Result<Encoder> {
    let name = &design.name;
    if !follows(design) {
        return Err(usage(format_args!(
            "--standard etrace: {name} is of the scheme {}, expected one of the scheme etrace, such as etrace-base",
            design.scheme.name()
        )));
    }
    if design.framing().is_some() {
        return Err(usage(format_args!(
            "--standard etrace: {name} has packets around its payloads, expected framing=none"
        )));
    }
    let width = design.port().trace_port_width;
    if !(width.is_multiple_of(8) || 8u32.is_multiple_of(width)) {
        return Err(usage(format_args!(
            "--standard etrace: a trace port of {width} bits has no whole bytes, expected trace_port_width=8"
        )));
    }
    let values = design.values();
    let number = |name| {
        let found = values.iter().find(|(of, _)| *of == name);
        if let Some((_, Value::Number(value))) = found { *value } else { 0 }
    };
    let logarithm = |name| number(name).checked_ilog2().unwrap_or(0);
    let protocol = design.protocol();
    let tells_context = protocol.told_state_bits() > 0 && protocol.context_bits > 0;
    let (bpred_size_p, cache_size_p) =
        (logarithm("branch_predictor_entries"), logarithm("jump_target_cache_entries"));
    Ok(Encoder {
        iaddress_width_p: design.processor().address_width,
        iaddress_lsb_p: design.processor().alignment,
        ecause_width_p: number("trap_cause_bits"),
        context_width_p: if tells_context { protocol.context_bits } else { 1 },
        nocontext_p: u32::from(!tells_context),
        return_stack_size_p: logarithm("return_stack_entries"),
        bpred_size_p,
        cache_size_p,
        f0s_width_p: Some(u32::from(bpred_size_p > 0 && cache_size_p > 0)),
        ..Encoder::default()
    })
}
