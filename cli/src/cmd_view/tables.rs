//! The tables of `view`.

use tracewright_view::ContextCount;
use tracewright_view::branches::Branches;
use tracewright_view::functions::FunctionCount;
use tracewright_view::loops::Loop;

use super::shown::{Row, Shown};
use super::{Arguments, answers, calls_of};
use crate::pipeline::gaps;
use crate::pipeline::print::{counted, grouped, ratio};
use crate::pipeline::table::{self, Table};

/// Contexts that are printed as text; JSON has all of them.
const SHOWN_CONTEXTS: usize = 20;

/// The requested tables; all of them, if neither tables nor files are requested.
pub fn text(arguments: &Arguments, shown: &Shown) -> String {
    let Arguments { functions, loops, branches, .. } = *arguments;
    let has_answers = !shown.answers.is_empty() || shown.difference.is_some();
    let has_answers = has_answers || !arguments.calls_of.is_empty();
    let is_asked = functions || loops || branches || has_answers;
    let all = !is_asked && shown.files.is_empty();
    let mut parts = vec![summary(shown)];
    parts.extend(shown.difference.as_ref().map(answers::difference));
    parts.extend(answers::text(&shown.answers));
    if functions || all {
        parts.push(of_functions(shown));
    }
    if loops || all {
        parts.push(of_loops(shown));
    }
    if branches || all {
        parts.push(of_branches(&shown.branches));
    }
    if !shown.calls_of.is_empty() {
        parts.push(calls_of::table(shown));
    }
    parts.join("\n")
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.2} %", 100.0 * ratio(part, whole))
}

fn summary(shown: &Shown) -> String {
    let threads = shown.threads.len() as u64;
    let mut text = gaps::text(&shown.gaps);
    text += &format!(
        "{}: {}, {}, {}\n",
        shown.trace,
        counted(shown.instructions, "instruction"),
        counted(shown.events, "event"),
        counted(threads, "thread"),
    );
    for ContextCount { context, instructions } in shown.contexts.iter().take(SHOWN_CONTEXTS) {
        let share = percent(*instructions, shown.instructions);
        let instructions = counted(*instructions, "instruction");
        text += &format!("context {context:#x}: {instructions}, {share}\n");
    }
    if let Some(more) = shown.contexts.len().checked_sub(SHOWN_CONTEXTS + 1) {
        text +=
            &format!("and {} more contexts; --json has all of them\n", grouped(more as u64 + 1));
    }
    if let Some(calls) = &shown.timeline {
        text += &format!(
            "calls over time: {} written, {} left out because they are too deep or too short\n",
            grouped(calls.written),
            grouped(calls.left_out)
        );
    }
    for file in &shown.files {
        text += &format!("wrote {file}\n");
    }
    text
}

fn of_functions(shown: &Shown) -> String {
    let header = ["function", "own instructions", "share", "with callees", "share", "entered"];
    let all = shown.instructions;
    let mut table = Table::new(&with_context(shown, &header), 1);
    for Row { row: function, context } in &shown.functions {
        let FunctionCount { instructions, total, entered, .. } = *function;
        let mut row = vec![
            shortened(&function.function),
            grouped(instructions),
            percent(instructions, all),
            grouped(total),
            percent(total, all),
            grouped(entered),
        ];
        row.extend(shown.has_own_programs.then(|| of_context(*context)));
        table.add_row(row);
    }
    table.to_text()
}

fn of_loops(shown: &Shown) -> String {
    let header =
        ["loop in", "line", "from", "to", "entries", "iterations", "instructions", "share"];
    let mut table = Table::new(&with_context(shown, &header), 2).named_by(2);
    for Row { row: one, context } in &shown.loops {
        let Loop { address, end, entries, iterations, instructions, .. } = *one;
        let mut row = vec![
            shortened(&one.function),
            one.line.as_deref().map_or("", last_part).into(),
            format!("{address:x}"),
            format!("{end:x}"),
            grouped(entries),
            grouped(iterations),
            grouped(instructions),
            percent(instructions, shown.instructions),
        ];
        row.extend(shown.has_own_programs.then(|| of_context(*context)));
        table.add_row(row);
    }
    table.to_text()
}

/// The header of a table, which says whose program it is if contexts have their own.
pub fn with_context<'a>(shown: &Shown, header: &[&'a str]) -> Vec<&'a str> {
    let context = shown.has_own_programs.then_some("context");
    header.iter().copied().chain(context).collect()
}

/// A context as a cell of a table.
pub fn of_context(context: Option<u64>) -> String {
    context.map_or("others".into(), |context| format!("{context:#x}"))
}

fn of_branches(branches: &Branches) -> String {
    let all = branches.instructions;
    let mut table = Table::new(&["branches", "executed", "of all", "taken", "taken", "sites"], 1);
    for class in &branches.classes {
        table.add_row([
            class.class.into(),
            grouped(class.executed),
            percent(class.executed, all),
            grouped(class.taken),
            percent(class.taken, class.executed),
            grouped(class.sites),
        ]);
    }
    let mut text = table.to_text();
    let conditional: u64 = branches.bias.iter().map(|bias| bias.executed).sum();
    let mut table = Table::new(&["conditional, taken", "sites", "executed", "share"], 1);
    for bias in &branches.bias {
        let share = percent(bias.executed, conditional);
        table.add_row([bias.taken.into(), grouped(bias.sites), grouped(bias.executed), share]);
    }
    text = text + "\n" + &table.to_text();
    let indirect: u64 = branches.targets.iter().map(|targets| targets.executed).sum();
    if indirect > 0 {
        let mut table = Table::new(
            &["indirect except returns, by number of targets", "sites", "executed", "share"],
            1,
        );
        for targets in &branches.targets {
            let share = percent(targets.executed, indirect);
            let (sites, executed) = (grouped(targets.sites), grouped(targets.executed));
            table.add_row([targets.targets.into(), sites, executed, share]);
        }
        text = text + "\n" + &table.to_text();
    }
    let calls = &branches.calls;
    text + &table::sentences(&format!(
        "\n{}, {}: {} to the last call, {} to an earlier call, {} elsewhere; at most {} deep; {}\n",
        counted(calls.calls, "call"),
        counted(calls.returns, "return"),
        grouped(calls.matched),
        grouped(calls.unwound),
        grouped(calls.unmatched),
        counted(calls.deepest, "call"),
        counted(branches.exceptions, "exception"),
    ))
}

/// A name cut to fit beside the numbers, because names of C++ templates can be very long.
pub fn shortened(name: &str) -> String {
    const MOST: usize = 48;
    if name.chars().count() <= MOST {
        return name.into();
    }
    name.chars().take(MOST - 3).chain("...".chars()).collect()
}

/// The last part of a path.
pub fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
