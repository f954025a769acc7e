//! What a page of docs/ asks its reader to do: files to write and commands to run, in their order.

use std::fmt;

/// A part of a page that is run.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// The line of the page on which it begins.
    pub line: usize,
    pub action: Action,
    pub when: When,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// A file of this name and content.
    File(String, String),
    /// A script whose output the page does not show.
    Script(String),
    /// A command, and the lines that it prints.
    Shown(String, Vec<String>),
}

/// What the comment before a block says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// Nothing: it runs in every test.
    Always,
    /// `<!-- slow: why -->`: it runs in `make docs-check` only.
    Slow,
    /// `<!-- not run: why -->`.
    Never(String),
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.action {
            Action::File(name, _) => name,
            Action::Script(command) | Action::Shown(command, _) => command,
        };
        write!(out, "line {}: {what}", self.line)
    }
}

/// The steps of a page. A block of `sh` is a script; one whose first line begins with `$` shows commands and their
/// output; one with a name after its language is a file.
pub fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut when = When::Always;
    let mut lines = (1..).zip(page.lines());
    while let Some((line, text)) = lines.next() {
        let Some(kind) = text.strip_prefix("```") else {
            when = condition(text).unwrap_or(When::Always);
            continue;
        };
        let block: Vec<&str> =
            lines.by_ref().map(|(_, text)| text).take_while(|text| *text != "```").collect();
        let step = |action| Step { line, action, when: when.clone() };
        match (kind.split_once(' '), kind) {
            (Some((_, name)), _) => {
                steps.push(step(Action::File(name.into(), block.join("\n") + "\n")));
            }
            (None, "sh") => steps.push(step(Action::Script(block.join("\n")))),
            (None, _) if block.first().is_some_and(|first| first.starts_with("$ ")) => {
                steps.extend(shown(&block).into_iter().map(step));
            }
            (None, _) => {}
        }
        when = When::Always;
    }
    steps
}

/// What a comment says of the block after it.
fn condition(text: &str) -> Option<When> {
    let comment = text.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    if let Some(reason) = comment.strip_prefix("not run:") {
        return Some(When::Never(reason.trim().into()));
    }
    comment.starts_with("slow:").then_some(When::Slow)
}

/// The commands of a transcript, each with what it prints.
fn shown(block: &[&str]) -> Vec<Action> {
    let mut shown: Vec<(String, Vec<String>)> = Vec::new();
    let mut goes_on = false;
    for line in block {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(command), _) => shown.push((command.into(), Vec::new())),
            (None, Some((command, _))) if goes_on => *command += &format!("\n{line}"),
            (None, Some((_, output))) => output.push((*line).into()),
            (None, None) => {}
        }
        goes_on = line.ends_with('\\') && (goes_on || line.starts_with("$ "));
    }
    shown.into_iter().map(|(command, output)| Action::Shown(command, output)).collect()
}

/// True if lines are what a page shows: a line `...` stands for any number of lines, and `...` in a line for any text.
/// Blanks at the end of a line do not count.
pub fn agrees(expected: &[String], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=found.len()).any(|skipped| agrees(rest, &found[skipped..]))
        }
        Some((first, rest)) => found
            .split_first()
            .is_some_and(|(line, others)| line_agrees(first, line) && agrees(rest, others)),
    }
}

fn line_agrees(expected: &str, found: &str) -> bool {
    let (expected, found) = (expected.trim_end(), found.trim_end());
    let mut parts = expected.split("...");
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.is_empty()
}

#[test]
fn blocks_are_steps() {
    let page = "text\n```c a.c\nint a;\n```\n<!-- slow: why -->\n```sh\nmake\n```\n```\n$ a \\\n  b\nc...d\n$ e\n```\n\
                <!-- not run: a board -->\n```sh\nx\n```\n```\nplain\n```\n";
    let step = |line, action, when| Step { line, action, when };
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        steps(page),
        [
            step(2, Action::File("a.c".into(), "int a;\n".into()), When::Always),
            step(6, Action::Script("make".into()), When::Slow),
            step(9, Action::Shown("a \\\n  b".into(), lines(&["c...d"])), When::Always),
            step(9, Action::Shown("e".into(), lines(&[])), When::Always),
            step(16, Action::Script("x".into()), When::Never("a board".into())),
        ]
    );
}

#[test]
fn what_varies_is_left_out() {
    let agrees = |expected: &[&str], found: &[&str]| {
        agrees(&expected.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>(), found)
    };
    assert!(agrees(&["a ... s, ... MIPS", "..."], &["a 0.1 s, 5 MIPS", "b", "c"]));
    assert!(agrees(&["...", "c"], &["a", "b", "c  "]));
    assert!(!agrees(&["a ... s"], &["a 0.1 m"]));
    assert!(!agrees(&["a", "..."], &["b"]));
    assert!(!agrees(&["a"], &["a", "b"]));
    assert!(!agrees(&["a", "b"], &["a"]));
}
