//! The advice in sentences.

use tracewright_exploration::advice::{By, Memories, Offer, Purpose};

use super::Advice;
use crate::pipeline::print::grouped;

/// Traces that a sentence names.
const NAMED: usize = 2;

/// A gate count as a whole number.
pub fn whole(gates: f64) -> String {
    grouped(gates.round() as u64)
}

/// The bits of a design that it is compared by.
pub fn bits(advice: &Advice<'_>, offer: &Offer) -> String {
    let number = format!("{:.4} bits per instruction", advice.bits(offer));
    match (advice.budget.by, advice.traced.paths.len()) {
        (_, 1) => number,
        (By::Total, _) => format!("{number} in total"),
        (By::Worst, _) => format!("at most {number} ({})", advice.name(offer.worst_trace())),
    }
}

/// The gates and bits of a design.
fn figures(advice: &Advice<'_>, offer: &Offer) -> String {
    let gates = whole(offer.ge(advice.budget.memories));
    let unit = match advice.budget.memories {
        Memories::Dense => "GE",
        Memories::FlipFlops => "GE as flip-flops",
    };
    format!("{gates} {unit}, {}", bits(advice, offer))
}

/// What a design is taken for.
fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Budget => "the budget",
        Purpose::Balance => "few gates and few bits together",
        Purpose::SmallArea => "small area",
        Purpose::FewBits => "few bits",
        Purpose::StandardTools => "standard tools (decoders of RISC-V E-Trace)",
    }
}

/// The recommendations, the first of which is the design that is taken.
pub fn recommendations(advice: &Advice<'_>) -> Vec<String> {
    let mut by_offer: Vec<(usize, Vec<Purpose>)> = Vec::new();
    for one in &advice.choice.recommended {
        match by_offer.iter_mut().find(|(offer, _)| *offer == one.offer) {
            Some((_, purposes)) => purposes.push(one.purpose),
            None => by_offer.push((one.offer, vec![one.purpose])),
        }
    }
    if let [only] = advice.offers.as_slice() {
        let figures = figures(advice, only);
        return vec![format!(
            "Take {}, the only design that was given: {figures}.",
            only.design.name
        )];
    }
    let sentence = |(number, (at, purposes)): (usize, (usize, Vec<Purpose>))| {
        let offer = &advice.offers[at];
        let (name, figures) = (&offer.design.name, figures(advice, offer));
        let named = purposes.iter().map(|one| purpose(*one));
        let (reason, also) = match number {
            0 => (format!("; {}", reason(advice)), named.skip(1).collect::<Vec<_>>()),
            _ => {
                return format!(
                    "For {} take {name}: {figures}.",
                    joined(&named.collect::<Vec<_>>())
                );
            }
        };
        let also = match also.is_empty() {
            true => String::new(),
            false => format!(" It is also the one for {}.", joined(&also)),
        };
        format!("Take {name}: {figures}{reason}.{also}")
    };
    let mut sentences: Vec<String> = by_offer.into_iter().enumerate().map(sentence).collect();
    if !advice.subject.is_riscv && advice.arguments.designs.is_empty() {
        sentences.push(
            "For standard tools there is no design: E-Trace is for RISC-V, and these traces are not all of it.".into(),
        );
    }
    sentences
}

/// Why a design is taken.
fn reason(advice: &Advice<'_>) -> String {
    match (advice.budget.gates, advice.budget.bits) {
        (None, None) => "the least product of gates and bits".into(),
        (Some(gates), None) => format!("the fewest bits within {} GE", whole(gates)),
        (None, Some(bits)) => format!("the fewest gates within {bits} bits per instruction"),
        (Some(gates), Some(bits)) => format!(
            "the least product of gates and bits within {} GE and {bits} bits per instruction",
            whole(gates)
        ),
    }
}

/// What else is to be known.
pub fn notes(advice: &Advice<'_>) -> Vec<String> {
    let of_design = [tuned(advice), bound(advice), stalls(advice)];
    let all = [holds(advice)].into_iter().chain(of_design).chain([cut(advice), accesses(advice)]);
    all.flatten().collect()
}

/// Whether the choice holds for other programs.
fn holds(advice: &Advice<'_>) -> Option<String> {
    let (choice, traces) = (&advice.choice, advice.traced.paths.len());
    if traces == 1 {
        return Some("There is only one trace: the choice may not hold for other programs.".into());
    }
    let others = choice.left_out.iter().filter(|one| one.offer != choice.chosen());
    let others: Vec<String> = others
        .map(|one| {
            let name = &advice.offers[one.offer].design.name;
            format!("without {} it would be {name}", advice.name(one.trace))
        })
        .collect();
    Some(match others.len() {
        0 => format!("Without any one of the {traces} traces the choice is the same."),
        count if count <= NAMED => {
            format!(
                "The choice hangs on single traces: {}.",
                joined(&others.iter().map(String::as_str).collect::<Vec<_>>())
            )
        }
        count => format!(
            "The choice hangs on single traces: {}, and {} more.",
            others[..NAMED].join(", "),
            count - NAMED
        ),
    })
}

/// What neighbours of presets are.
fn tuned(advice: &Advice<'_>) -> Option<String> {
    let neighbours = advice.offers.iter().filter(|offer| offer.is_neighbour());
    let each = neighbours.map(|offer| {
        let before = offer.of.values();
        let pairs = offer.design.values().into_iter().filter(|pair| !before.contains(pair));
        let changed = pairs.map(|(name, value)| format!("{name} = {value}"));
        let changed = changed.collect::<Vec<_>>().join(" and ");
        format!("{} is {} with {changed}", offer.design.name, offer.of.name)
    });
    let each: Vec<String> = each.collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    (!each.is_empty()).then(|| format!("Found on these traces: {}.", joined(&each)))
}

/// The most bits that the design that is taken needs, whatever the program.
fn bound(advice: &Advice<'_>) -> Option<String> {
    let design = &advice.chosen().design;
    let most = design.most_bits_of_event()?;
    let of_jumps = match most.direct_jump {
        0 => String::new(),
        bits => format!("{bits} for a direct jump, "),
    };
    Some(format!(
        "Whatever the program, {} takes at most {of_jumps}{} bits for a conditional branch, {} for an indirect one and {} \
         for an exception (docs/worst_case.md).",
        design.name, most.conditional, most.indirect, most.exception
    ))
}

/// How long the processor waits for the output of the design that is taken.
fn stalls(advice: &Advice<'_>) -> Option<String> {
    let chosen = advice.chosen();
    let load = chosen.load;
    (load.stall_cycles > 0).then(|| {
        format!(
            "With {} the processor waits in up to {:.2} % of the cycles, at one instruction per cycle; with fifo_bits = {} \
             it never waits on these traces.",
            chosen.design.name,
            100.0 * load.stall_share,
            load.needed_bits
        )
    })
}

/// Runs that were cut off.
fn cut(advice: &Advice<'_>) -> Option<String> {
    let cut = advice.traced.is_cut.iter().enumerate().filter(|(_, is_cut)| **is_cut);
    let cut: Vec<&str> = cut.map(|(trace, _)| advice.name(trace)).collect();
    (!cut.is_empty())
        .then(|| format!("Run up to the limit (--limit), not to the end: {}.", joined(&cut)))
}

/// What these designs do not trace.
fn accesses(advice: &Advice<'_>) -> Option<String> {
    advice.subject.has_data.then(|| {
        "These designs trace control flow, and no memory accesses, which traces here have; `tracewright designs` lists \
         others (stride-...)."
            .into()
    })
}

/// Words with commas and `and`.
fn joined(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
