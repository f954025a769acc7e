//! The advice as text and as JSON.

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_exploration::advice::{By, Load, Memories, Offer, Purpose};

use super::Advice;
use super::sentences::{self, whole};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::table::{self, Table};

/// All that is printed. Its fields are those of `--json`.
#[derive(Serialize)]
pub struct Shown {
    traces: Vec<TraceShown>,
    by: &'static str,
    memories: &'static str,
    pub storage_ge_per_bit: f64,
    gates_at_most: Option<f64>,
    bits_at_most: Option<f64>,
    chosen: String,
    recommendations: Vec<RecommendedShown>,
    left_out: Vec<LeftOutShown>,
    /// The recommendations as sentences.
    pub sentences: Vec<String>,
    /// What else is to be known.
    pub notes: Vec<String>,
    designs: Vec<DesignShown>,
    /// The file of the design that is taken, without remarks.
    pub toml: String,
    /// The command that generates it.
    pub command: String,
    at_most: Option<f64>,
    is_within: Option<bool>,
}

#[derive(Serialize)]
struct TraceShown {
    trace: String,
    instructions: u64,
    /// True if the run ends at the limit.
    is_cut: bool,
}

#[derive(Serialize)]
struct RecommendedShown {
    purpose: &'static str,
    design: String,
}

#[derive(Serialize)]
struct LeftOutShown {
    trace: String,
    design: String,
}

#[derive(Serialize)]
struct DesignShown {
    design: String,
    /// The preset, design or scheme that it begins with.
    base: String,
    parameters: Map<String, Value>,
    bits_per_instruction: f64,
    worst_trace: String,
    worst_bits_per_instruction: f64,
    total_ge: f64,
    flip_flop_implementation_ge: f64,
    estimated_gates: u32,
    trace_port_width: u32,
    fifo_bits: u32,
    fifo_needed_bits: u64,
    stall_cycles: u64,
    stall_share: f64,
    worst_window_cycles: u64,
    worst_window_bits_per_cycle: f64,
    by_trace: Vec<OnTrace>,
}

#[derive(Serialize)]
struct OnTrace {
    trace: String,
    instructions: u64,
    bits: u64,
    bits_per_instruction: f64,
}

impl Shown {
    /// What an advice says.
    ///
    /// # Errors
    /// Never with designs of this version.
    pub fn new(advice: &Advice<'_>) -> Result<Shown> {
        let choice = &advice.choice;
        let design = |offer: usize| advice.offers[offer].design.name.clone();
        let chosen = advice.chosen();
        let traces = chosen.by_trace.iter().enumerate().map(|(trace, figures)| TraceShown {
            trace: advice.file(trace).into(),
            instructions: figures.instructions,
            is_cut: advice.traced.is_cut[trace],
        });
        let recommendations = choice
            .recommended
            .iter()
            .map(|one| RecommendedShown { purpose: word(one.purpose), design: design(one.offer) });
        let left_out = choice.left_out.iter().map(|one| LeftOutShown {
            trace: advice.file(one.trace).into(),
            design: design(one.offer),
        });
        let designs = advice.offers.iter().map(|offer| DesignShown::new(advice, offer));
        let at_most = advice.arguments.at_most;
        Ok(Shown {
            traces: traces.collect(),
            by: match advice.budget.by {
                By::Worst => "worst",
                By::Total => "total",
            },
            memories: match advice.budget.memories {
                Memories::Dense => "dense",
                Memories::FlipFlops => "flip_flops",
            },
            storage_ge_per_bit: advice.synthesis.2,
            gates_at_most: advice.budget.gates,
            bits_at_most: advice.budget.bits,
            chosen: chosen.design.name.clone(),
            recommendations: recommendations.collect(),
            left_out: left_out.collect(),
            sentences: sentences::recommendations(advice),
            notes: sentences::notes(advice),
            designs: designs.collect::<Result<_>>()?,
            toml: chosen.toml()?,
            command: command(advice, chosen)?,
            at_most,
            is_within: at_most.map(|most| advice.bits(chosen) <= most),
        })
    }

    /// The file of the design that is taken.
    pub fn file(&self) -> String {
        let remark = "# Chosen by `tracewright advise` on these traces:\n";
        let traces = self.traces.iter().map(|one| format!("#   {:?}\n", one.trace));
        format!("{remark}{}{}", traces.collect::<String>(), self.toml)
    }

    /// The text for a terminal.
    pub fn text(&self, advice: &Advice<'_>) -> String {
        let lines = |sentences: &[String]| table::sentences(&sentences.join("\n"));
        let written = advice.arguments.output.as_ref().filter(|output| !output.is_stdout());
        let file = match written {
            Some(path) => format!("Written to {}:\n", path.display()),
            None => "As a file (-o FILE writes it):\n".into(),
        };
        let toml: String = self.toml.lines().map(|line| format!("    {line}\n")).collect();
        format!(
            "{}\n{}\n{file}{toml}Generate it:\n    {}\n\n{}{}",
            lines(&self.sentences),
            table(advice),
            in_lines(&self.command),
            lines(&self.notes),
            legend(advice, self.storage_ge_per_bit)
        )
    }
}

/// The designs, by gates.
fn table(advice: &Advice<'_>) -> String {
    let has_several = advice.traced.names.len() > 1;
    let mut header = vec!["design", "bits total"];
    if has_several {
        header.extend(["bits worst", "of program"]);
    }
    header.extend(["GE", "GE as flip-flops"]);
    header.extend(common_fifo(advice).is_none().then_some("FIFO bits"));
    header.extend(["FIFO needed", "stall cycles"]);
    let mut table = Table::new(&header, 1).spare(header.len() - 1);
    if has_several {
        table = table.word(3);
    }
    for offer in &advice.offers {
        let mut row = vec![offer.design.name.clone(), format!("{:.4}", offer.total_bits())];
        if has_several {
            row.push(format!("{:.4}", offer.worst_bits()));
            row.push(advice.name(offer.worst_trace()).into());
        }
        row.extend([whole(offer.gates.dense), whole(offer.gates.flip_flops)]);
        if common_fifo(advice).is_none() {
            row.push(grouped(offer.design.port().fifo_bits.into()));
        }
        row.extend([grouped(offer.load.needed_bits), grouped(offer.load.stall_cycles)]);
        table.add_row(row);
    }
    table.to_text()
}

/// The bits of every design's output FIFO, if all have the same.
fn common_fifo(advice: &Advice<'_>) -> Option<u32> {
    let mut each = advice.offers.iter().map(|offer| offer.design.port().fifo_bits);
    let first = each.next()?;
    each.all(|one| one == first).then_some(first)
}

/// What the columns are.
fn legend(advice: &Advice<'_>, storage_ge_per_bit: f64) -> String {
    let fifos = match common_fifo(advice) {
        Some(bits) => format!("; these have {bits}"),
        None => String::new(),
    };
    table::sentences(&format!(
        "Bits: per instruction. GE: gate equivalents, memories at {storage_ge_per_bit} per bit, or of flip-flops. FIFO \
         needed: bits of an output FIFO that never stalls the processor{fifos}."
    ))
}

impl DesignShown {
    fn new(advice: &Advice<'_>, offer: &Offer) -> Result<DesignShown> {
        let parameters = offer.parameters()?.into_iter();
        let json = |(name, value): (&str, _)| Ok((name.to_owned(), serde_json::to_value(value)?));
        let port = offer.design.port();
        let by_trace = offer.by_trace.iter().enumerate().map(|(trace, figures)| OnTrace {
            trace: advice.file(trace).into(),
            instructions: figures.instructions,
            bits: figures.bits,
            bits_per_instruction: figures.bits_per_instruction(),
        });
        Ok(DesignShown {
            design: offer.design.name.clone(),
            base: match offer.base()? {
                (base, true) => base.name,
                (base, false) => base.scheme.name().into(),
            },
            parameters: parameters.map(json).collect::<Result<_>>()?,
            bits_per_instruction: offer.total_bits(),
            worst_trace: advice.file(offer.worst_trace()).into(),
            worst_bits_per_instruction: offer.worst_bits(),
            total_ge: offer.gates.dense,
            flip_flop_implementation_ge: offer.gates.flip_flops,
            estimated_gates: offer.estimated_gates,
            trace_port_width: port.trace_port_width,
            fifo_bits: port.fifo_bits,
            fifo_needed_bits: offer.load.needed_bits,
            stall_cycles: offer.load.stall_cycles,
            stall_share: offer.load.stall_share,
            worst_window_cycles: Load::WINDOW_CYCLES,
            worst_window_bits_per_cycle: offer.load.worst_bits_per_cycle,
            by_trace: by_trace.collect(),
        })
    }
}

/// A purpose in JSON.
fn word(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Budget => "budget",
        Purpose::Balance => "balance",
        Purpose::SmallArea => "small_area",
        Purpose::FewBits => "few_bits",
        Purpose::StandardTools => "standard_tools",
    }
}

/// The command that generates a design.
fn command(advice: &Advice<'_>, offer: &Offer) -> Result<String> {
    let written = advice.arguments.output.as_ref().filter(|output| !output.is_stdout());
    if let Some(path) = written {
        return Ok(format!(
            "tracewright generate {} -o build",
            print::quoted(&path.display().to_string())
        ));
    }
    let (base, is_preset) = offer.base()?;
    if !is_preset {
        return Ok("tracewright generate FILE -o build".into());
    }
    let mut command = format!("tracewright generate {}", base.name);
    if offer.design.name != base.name {
        command += &format!(" --set name={}", offer.design.name);
    }
    for (name, value) in offer.parameters()? {
        command += &format!(" --set {}", print::quoted(&format!("{name}={value}")));
    }
    Ok(command + " -o build")
}

/// A command in lines that a shell takes as one, if it is too long for a line.
fn in_lines(command: &str) -> String {
    match command.chars().count() + 4 > table::width() {
        true => command.replace(" --set", " \\\n        --set"),
        false => command.to_owned(),
    }
}
