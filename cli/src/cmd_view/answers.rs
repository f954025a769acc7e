//! The answers of `view` as text.

use super::difference;
use super::questions::{Answer, OfPlace, OfThread, ShownCall, ShownJump, ShownMoment, ShownSpan};
use crate::pipeline::print::grouped;
use crate::pipeline::table::{self, Table};

/// The answers, each after an empty line.
pub fn text(answers: &[Answer]) -> Vec<String> {
    answers.iter().map(of_answer).collect()
}

fn of_answer(answer: &Answer) -> String {
    match answer {
        Answer::First(place) => moment_of(place, "first"),
        Answer::Last(place) => moment_of(place, "last"),
        Answer::When(place) => when(place),
        Answer::Between { from, to, count: 0, .. } => {
            format!("{to} never ran after {from}\n")
        }
        Answer::Between { from, to, count, shortest, median, longest, instructions, spans } => {
            let text = format!(
                "from {from} to {to}: {}, {} to {} instructions, the median {}; {} in total\n",
                times(*count),
                grouped(*shortest),
                grouped(*longest),
                grouped(*median),
                grouped(*instructions)
            );
            table::sentences(&text) + &longest_spans(spans)
        }
        Answer::PathTo { moment, branches } => {
            let calls = format!("{}{}", spoken(moment), open_calls(moment));
            format!("{calls}\n{}", last_branches(branches))
        }
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{} times", grouped(count)) }
}

fn never(place: &str) -> String {
    format!("{place} never ran\n")
}

fn moment_of(OfPlace { place, count, moments }: &OfPlace, which: &str) -> String {
    let Some(moment) = moments.first() else { return never(place) };
    let text = format!("{place} ran {}; the {which} time was {}", times(*count), spoken(moment));
    table::sentences(&text) + &open_calls(moment)
}

fn when(OfPlace { place, count, moments }: &OfPlace) -> String {
    if *count == 0 {
        return never(place);
    }
    let mut text = format!("{place} ran {}", times(*count));
    if moments.len() < *count as usize {
        text += &format!("; the first {} times", grouped(moments.len() as u64));
    }
    let mut table = Table::new(&["instruction", "event", "in", "called from", "line"], 0);
    table = table.word(2).word(3).word(4);
    for moment in moments {
        let call = moment.calls.iter().filter(|call| call.at.is_some()).nth(1);
        let of_call =
            |part: fn(&ShownCall) -> Option<&str>| call.and_then(part).unwrap_or("").into();
        table.add_row([
            grouped(moment.instruction),
            grouped(moment.event),
            of_thread(moment.thread),
            of_call(|call| call.at.as_deref()),
            of_call(|call| call.line.as_deref().map(short)),
        ]);
    }
    format!("{text}:\n{}", table.to_text())
}

fn spoken(moment: &ShownMoment) -> String {
    let ShownMoment { instruction, event, thread, address, .. } = moment;
    format!(
        "instruction {} (event {}, {}) at {address:#x}\n",
        grouped(*instruction),
        grouped(*event),
        of_thread(*thread)
    )
}

fn of_thread(thread: OfThread) -> String {
    match thread {
        OfThread::Thread(number) => format!("thread {number}"),
        OfThread::Context(context) => format!("context {context:#x}"),
    }
}

fn open_calls(moment: &ShownMoment) -> String {
    let has_lines = moment.calls.iter().any(|call| call.line.is_some());
    let header = &["open calls", "at", "line"][..if has_lines { 3 } else { 2 }];
    let mut table = Table::new(header, header.len());
    for call in &moment.calls {
        let line = call.line.as_deref().map_or("", short);
        let row = [&call.function, call.at.as_deref().unwrap_or(""), line];
        table.add_row(row.map(String::from).into_iter().take(header.len()));
    }
    let mut text = table.to_text();
    if moment.more_calls > 0 {
        text += &format!("and {} further out\n", grouped(moment.more_calls as u64));
    }
    text
}

fn longest_spans(spans: &[ShownSpan]) -> String {
    let header = ["the longest", "from instruction", "to instruction", "in"];
    let mut table = Table::new(&header, 0).word(3);
    for span in spans {
        let numbers = [span.instructions, span.from, span.to].map(grouped);
        table.add_row(numbers.into_iter().chain([of_thread(span.thread)]));
    }
    table.to_text()
}

fn last_branches(branches: &[ShownJump]) -> String {
    if branches.is_empty() {
        return "no branch was taken before it\n".into();
    }
    let header = ["instruction", "taken branch before", "to", "kind", "line"];
    // Without debugging information no column is kept for it.
    let has_lines = branches.iter().any(|branch| branch.line.is_some());
    let header = &header[..if has_lines { 5 } else { 4 }];
    let mut table = (1..header.len()).fold(Table::new(header, 0), Table::word).spare(3);
    for branch in branches {
        let ShownJump { instruction, from, to, kind, line } = branch;
        let line = line.as_deref().map_or("", short);
        let row = [&grouped(*instruction), from, to, kind, line];
        table.add_row(row.map(String::from).into_iter().take(header.len()));
    }
    table.to_text()
}

/// A line without the folders of its file and without what it is inlined into.
fn short(line: &str) -> &str {
    let line = line.split(" in ").next().unwrap_or(line);
    line.rsplit('/').next().unwrap_or(line)
}

/// A difference of executions.
pub fn difference(shown: &difference::Shown) -> String {
    let difference::Shown { base, instructions, partings, functions, lines, branches } = shown;
    let mut text = format!("first: {base}, {} instructions\n", grouped(*instructions));
    if partings.is_empty() {
        return text + "the executions are equal\n";
    }
    for parting in partings {
        text += &table::sentences(&parted(parting));
    }
    let header = ["function", "own first", "own second", "difference", "entered first", "second"];
    text += "\n";
    text += &twice(&header, functions);
    if !lines.is_empty() {
        text += "\n";
        text += &twice(&["line", "ran first", "ran second", "difference"], lines);
    }
    let header = ["branch", "taken first", "taken second", "difference", "ran first", "ran second"];
    text += "\n";
    text + &twice(&header, branches)
}

fn parted(parting: &difference::ShownParting) -> String {
    let difference::ShownParting { thread, instructions, at, line, first, second, .. } = parting;
    let mut text = format!("thread {thread} parts after {} instructions", grouped(*instructions));
    if let Some(at) = at {
        text += &format!(", at {at}");
    }
    if let Some(line) = line {
        text += &format!(", {}", short(line));
    }
    text += "\n";
    for (which, event) in [("first", first), ("second", second)] {
        text += &match event {
            Some(event) => {
                format!("  {which}: instruction {}, {}\n", grouped(event.instruction), event.says)
            }
            None => format!("  {which}: ends there\n"),
        };
    }
    text
}

/// A table of counts of both executions, with as many columns as the header.
fn twice(header: &[&str], rows: &[difference::ShownTwice]) -> String {
    let mut table = Table::new(header, 1);
    for difference::ShownTwice { what, first, second, first_runs, second_runs } in rows {
        let change = match second.checked_sub(*first) {
            Some(0) => "0".into(),
            Some(more) => format!("+{}", grouped(more)),
            None => format!("-{}", grouped(first - second)),
        };
        let counts = [*first, *second, *first_runs, *second_runs].map(grouped);
        let [first, second, first_runs, second_runs] = counts;
        let what = short(what).to_owned();
        let row = [what, first, second, change, first_runs, second_runs];
        table.add_row(row.into_iter().take(header.len()));
    }
    table.to_text()
}
