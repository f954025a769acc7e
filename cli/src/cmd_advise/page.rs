//! The advice as a page.

use std::time::{Duration, SystemTime};

use anyhow::Result;
use chrono::{DateTime, Utc};
use tracewright_exploration::advice::{By, Memories, Offer};
use tracewright_report::advice::{Design, Page, Program};

use super::Advice;
use super::shown::Shown;
use crate::pipeline::print;

/// An environment variable with the time that files say, for files that are to be the same again.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The page.
///
/// # Errors
/// Never with valid figures.
pub fn page(advice: &Advice<'_>, shown: &Shown) -> Result<String> {
    let (yosys, library, per_bit) = &advice.synthesis;
    let programs = advice.chosen().by_trace.iter().enumerate().map(|(trace, figures)| Program {
        name: print::plain(advice.file(trace)),
        instructions: figures.instructions,
    });
    let plain = |sentences: &[String]| sentences.iter().map(|one| print::plain(one)).collect();
    let page = Page {
        title: title(advice),
        programs: programs.collect(),
        date: date(),
        recommendations: plain(&shown.sentences),
        notes: plain(&shown.notes),
        designs: advice.offers.iter().map(|offer| design(advice, offer)).collect(),
        gates: match advice.budget.memories {
            Memories::Dense => format!("GE, memories at {per_bit} per bit"),
            Memories::FlipFlops => "GE, memories of flip-flops".into(),
        },
        bits: match advice.budget.by {
            By::Worst => "bits per instruction, worst program".into(),
            By::Total => "bits per instruction, all programs".into(),
        },
        storage_ge_per_bit: *per_bit,
        toml: shown.file(),
        command: shown.command.clone(),
        made_by: format!(
            "Made by tracewright {}, {yosys}, cell library {library}",
            env!("CARGO_PKG_VERSION")
        ),
    };
    Ok(tracewright_report::advice::page(&page)?)
}

fn title(advice: &Advice<'_>) -> String {
    match advice.traced.names.as_slice() {
        [one] => format!("Trace module for {}", print::plain(advice.names.name(one))),
        several => format!("Trace module for {} programs", several.len()),
    }
}

/// The day, or the one that the environment says.
fn date() -> String {
    let said = std::env::var(EPOCH).ok().and_then(|seconds| seconds.trim().parse().ok());
    let said =
        said.and_then(|seconds| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)));
    let is_shown = |time: &SystemTime| {
        // Years of four digits.
        time.duration_since(SystemTime::UNIX_EPOCH)
            .is_ok_and(|since| since.as_secs() < 253_402_300_800)
    };
    let time = said.filter(is_shown).unwrap_or_else(SystemTime::now);
    DateTime::<Utc>::from(time).format("%Y-%m-%d").to_string()
}

fn design(advice: &Advice<'_>, offer: &Offer) -> Design {
    Design {
        name: offer.design.name.clone(),
        is_chosen: offer.design.name == advice.chosen().design.name,
        total_bits: offer.total_bits(),
        worst_bits: offer.worst_bits(),
        worst_program: print::plain(advice.name(offer.worst_trace())),
        dense_ge: offer.gates.dense,
        flip_flop_ge: offer.gates.flip_flops,
        fifo_bits: offer.design.port().fifo_bits,
        fifo_needed_bits: offer.load.needed_bits,
        stall_percent: 100.0 * offer.load.stall_share,
        place: (offer.ge(advice.budget.memories), advice.bits(offer)),
    }
}
