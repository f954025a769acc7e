//! What of the Verilog was exercised: the counts that models built with
//! [`coverage`](crate::BuildOptions::coverage) write, added up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

/// What a point counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Lines that ran.
    Line,
    /// A side of a decision that was taken; its lines ran too.
    Branch,
    /// A bit that changed.
    Toggle,
}

/// A place in a module that was reached or not; all instances of the module count together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The module.
    pub module: String,
    /// What is counted.
    pub kind: Kind,
    /// The line of the file where it is, from 1.
    pub line: u32,
    /// Which of several in a line.
    pub column: u32,
    /// `if`, `else`, or the bit that changes.
    pub what: String,
    /// The lines that run with it.
    pub lines: Vec<u32>,
}

/// Some out of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Reached.
    pub covered: u64,
    /// There are.
    pub all: u64,
}

impl Share {
    /// One more.
    pub fn count(&mut self, covered: bool) {
        self.all += 1;
        self.covered += u64::from(covered);
    }

    /// Those of another too.
    pub fn add(&mut self, other: Share) {
        self.all += other.all;
        self.covered += other.covered;
    }

    /// 0 to 100; 100 of nothing.
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.all as f64 }
    }
}

/// A module's shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines of code that ran.
    pub lines: Share,
    /// Sides of decisions that were taken.
    pub branches: Share,
    /// Bits that changed.
    pub toggles: Share,
}

/// Counts of any number of runs of one design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    points: BTreeMap<Point, u64>,
}

impl Coverage {
    /// Adds the counts of a file that [`Model::write_coverage`](crate::Model::write_coverage) wrote.
    ///
    /// # Errors
    /// When the file cannot be read or is not one of these.
    pub fn add(&mut self, path: &Path) -> Result<()> {
        let failed = |message: String| Error::Coverage { path: path.to_path_buf(), message };
        let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        for (line, number) in text.lines().zip(1..) {
            if line.starts_with('#') {
                continue;
            }
            let (point, count) =
                point(line).ok_or_else(|| failed(format!("line {number} is no point")))?;
            *self.points.entry(point).or_default() += count;
        }
        Ok(())
    }

    /// Every point, and how often it was reached.
    pub fn points(&self) -> impl Iterator<Item = (&Point, u64)> {
        self.points.iter().map(|(point, count)| (point, *count))
    }

    /// The shares of every module.
    pub fn modules(&self) -> BTreeMap<&str, Summary> {
        let mut modules: BTreeMap<&str, Summary> = BTreeMap::new();
        let (mut all, mut ran) = (BTreeSet::new(), BTreeSet::new());
        for (point, count) in self.points() {
            let module = modules.entry(&point.module).or_default();
            match point.kind {
                Kind::Line => {}
                Kind::Branch => module.branches.count(count > 0),
                Kind::Toggle => module.toggles.count(count > 0),
            }
            let lines = point.lines.iter().map(|line| (point.module.as_str(), *line));
            all.extend(lines.clone());
            if count > 0 {
                ran.extend(lines);
            }
        }
        for line in &all {
            let module = modules.entry(line.0).or_default();
            module.lines.count(ran.contains(line));
        }
        modules
    }
}

/// A line of the file: `C '` keys and values, marked by the characters 1 and 2, `' ` and the count.
fn point(line: &str) -> Option<(Point, u64)> {
    let (keys, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let keys: BTreeMap<&str, &str> =
        keys.split('\u{1}').filter_map(|pair| pair.split_once('\u{2}')).collect();
    let (kind, module) = keys.get("page")?.split_once('/')?;
    let kind = match kind {
        "v_line" => Kind::Line,
        "v_branch" => Kind::Branch,
        "v_toggle" => Kind::Toggle,
        _ => return None,
    };
    let point = Point {
        module: module.into(),
        kind,
        line: keys.get("l")?.parse().ok()?,
        column: keys.get("n")?.parse().ok()?,
        what: (*keys.get("o")?).into(),
        lines: lines(keys.get("S").copied().unwrap_or_default())?,
    };
    Some((point, count.parse().ok()?))
}

/// `12-14,17` as numbers.
fn lines(text: &str) -> Option<Vec<u32>> {
    let mut lines = Vec::new();
    for piece in text.split(',').filter(|piece| !piece.is_empty()) {
        let (first, last) = piece.split_once('-').unwrap_or((piece, piece));
        lines.extend(first.parse().ok()?..=last.parse::<u32>().ok()?);
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# SystemC::Coverage-3
C '\u{1}f\u{2}a.v\u{1}l\u{2}4\u{1}n\u{2}5\u{1}page\u{2}v_line/a\u{1}o\u{2}block\u{1}S\u{2}4-5,9\u{1}h\u{2}TOP.a' 7
C '\u{1}f\u{2}a.v\u{1}l\u{2}6\u{1}n\u{2}5\u{1}page\u{2}v_branch/a\u{1}o\u{2}if\u{1}S\u{2}6\u{1}h\u{2}TOP.a' 0
C '\u{1}f\u{2}a.v\u{1}l\u{2}6\u{1}n\u{2}6\u{1}page\u{2}v_branch/a\u{1}o\u{2}else\u{1}h\u{2}TOP.a' 7
C '\u{1}f\u{2}a.v\u{1}l\u{2}2\u{1}n\u{2}5\u{1}page\u{2}v_toggle/a\u{1}o\u{2}b[3]\u{1}h\u{2}TOP.a.x' 0
C '\u{1}f\u{2}a.v\u{1}l\u{2}2\u{1}n\u{2}5\u{1}page\u{2}v_toggle/a\u{1}o\u{2}b[3]\u{1}h\u{2}TOP.a.y' 2
";

    #[test]
    fn a_file_is_added_up() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("coverage.dat");
        fs::write(&path, FILE).expect("written");
        let mut coverage = Coverage::default();
        coverage.add(&path).expect("a good file");
        coverage.add(&path).expect("a good file");
        let share = |covered, all| Share { covered, all };
        let expected = Summary { lines: share(3, 4), branches: share(1, 2), toggles: share(1, 1) };
        assert_eq!(coverage.modules(), BTreeMap::from([("a", expected)]));
        let counts: Vec<u64> = coverage.points().map(|(_, count)| count).collect();
        assert_eq!(counts, [14, 0, 14, 4]);
    }

    #[test]
    fn another_file_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("coverage.dat");
        fs::write(&path, "# \nnothing\n").expect("written");
        let error = Coverage::default().add(&path).expect_err("no coverage");
        assert!(error.to_string().ends_with("line 2 is no point"), "{error}");
    }
}
