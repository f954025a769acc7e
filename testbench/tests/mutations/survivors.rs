//! The faults that no run finds, and why: `survivors.txt`.

use std::collections::BTreeSet;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutations/survivors.txt");

fn list() -> String {
    std::fs::read_to_string(LIST).unwrap()
}

/// Whether a text is one of the forms between commas, in which a `*` stands for any text.
fn is_one_of(forms: &str, text: &str) -> bool {
    forms.split(',').any(|form| has_form(form, text))
}

fn has_form(form: &str, text: &str) -> bool {
    match form.split_once('*') {
        None => form == text,
        Some((start, rest)) => text
            .strip_prefix(start)
            .is_some_and(|text| (0..=text.len()).any(|skipped| has_form(rest, &text[skipped..]))),
    }
}

/// The lines of the list that are about one bench: its name, and module, signal, kind and ordinal of faults.
pub struct Survivors {
    lines: BTreeSet<String>,
}

impl Survivors {
    /// Those of the bench of this name.
    pub fn of(bench: &str) -> Survivors {
        let list = list();
        let lines = list
            .lines()
            .filter(|line| line.split(' ').next().is_some_and(|benches| is_one_of(benches, bench)));
        Survivors { lines: lines.map(str::to_owned).collect() }
    }

    /// Whether a line means this fault.
    pub fn has(&self, fault: &str) -> bool {
        self.lines.iter().any(|line| means(line, fault))
    }

    /// The lines that mean none of these faults.
    pub fn without_any(&self, faults: impl Iterator<Item = String>) -> Vec<&String> {
        let faults: Vec<String> = faults.collect();
        let is_idle = |line: &&String| !faults.iter().any(|fault| means(line, fault));
        self.lines.iter().filter(is_idle).collect()
    }
}

/// Whether a line of the list means a fault: each of the words is one of those in the line.
fn means(line: &str, fault: &str) -> bool {
    let (words, forms) = (fault.split(' '), line.split(' '));
    words.clone().count() == forms.clone().count()
        && words.zip(forms).all(|(word, forms)| is_one_of(forms, word))
}

/// Every line of the list has five words and stands below a reason.
#[test]
fn every_survivor_has_a_reason() {
    let mut reason = false;
    for line in list().lines() {
        reason = line.starts_with("# ") || reason && !line.is_empty();
        assert!(line.is_empty() || reason, "no reason for {line}");
        assert!(!reason || line.starts_with("# ") || line.split(' ').count() == 5, "{line}");
    }
}

#[test]
fn lines_mean_what_they_say() {
    let line = "talon,talon-small coder low* inverted,dropped *";
    assert!(means(line, "talon coder lowest dropped 3"));
    assert!(means(line, "talon-small coder low inverted 12"));
    assert!(!means(line, "talon coder high dropped 3"));
    assert!(!means(line, "talon-large coder low dropped 3"));
    assert!(!means(line, "talon coder low off-by-one 3"));
}
