//! What designs cost on classes of traces that they were not chosen by, as tables.

use tracewright_exploration::{Elsewhere, Exploration, Objective, WithoutClass};

use super::print::grouped;
use super::table::{self, Table};
use super::trace_names::TraceNames;

/// The whole front for classes that were left out of the search, and one design for each class otherwise; empty without
/// classes.
pub fn shown(found: &Exploration) -> String {
    if found.without_class.is_empty() {
        return String::new();
    }
    let is_whole = found.traces.iter().any(|trace| trace.is_left_out);
    let what = match found.main_objective() {
        Objective::WorstRatio => "worst ratio of a trace's bits",
        Objective::WorstClassRatio => "ratio of a class's bits",
        Objective::WorstBitsPerInstruction => "bits per instruction of the worst trace",
        _ => "bits per instruction",
    };
    let to = match &found.baseline {
        Some(baseline) if found.main_objective().is_ratio() => {
            format!(" to those of {}", baseline.design)
        }
        _ => String::new(),
    };
    let within = match (is_whole, found.most_gates()) {
        (false, Some(most)) => format!(", of at most {} gates", grouped(most.into())),
        _ => String::new(),
    };
    let by = match is_whole {
        true => "Designs of the front on classes that were left out",
        false => "Chosen without one class, and on that class",
    };
    let text = table::sentences(&format!("\n{by}, by the {what}{to}{within}:\n\n"));
    let names = TraceNames::of(found.without_class.iter().map(|one| one.class.as_str()));
    text + &names.heading() + &rows(found, &names, is_whole)
}

fn rows(found: &Exploration, names: &TraceNames, is_whole: bool) -> String {
    let header = [
        "class left out",
        "design",
        "gates",
        "on the others",
        "on the class",
        "best there",
        "on the class",
    ];
    let mut table = Table::new(&header, 2).word(5).named_by(2);
    for WithoutClass { class, front, chosen } in &found.without_class {
        for one in front.iter().filter(|one| is_whole || one.design == *chosen) {
            let Elsewhere { design, gates, on_others, on_class, best_design, best_on_class } = one;
            table.add_row([
                names.name(class).to_owned(),
                design.clone(),
                grouped((*gates).into()),
                format!("{on_others:.4}"),
                format!("{on_class:.4}"),
                best_design.clone(),
                format!("{best_on_class:.4}"),
            ]);
        }
    }
    table.to_text()
}
