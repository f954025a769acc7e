//! Cell libraries: the areas of their cells.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The library of gate equivalents.
const GENERIC: &str = include_str!("../liberty/generic_ge.lib");

/// A Liberty file.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// The library's name.
    pub(crate) name: String,
    /// The whole file.
    pub(crate) text: String,
    /// The area of every cell.
    pub(crate) areas: BTreeMap<String, f64>,
    /// The path of the file, unless it is the generic library.
    pub(crate) path: Option<PathBuf>,
}

impl Library {
    /// The library in a file, or the generic one.
    pub(crate) fn load(path: Option<&Path>) -> Result<Library> {
        let text = match path {
            Some(path) => fs::read_to_string(path).map_err(Error::file(path))?,
            None => GENERIC.to_owned(),
        };
        let (name, areas) = scan(&text).map_err(|reason| liberty_error(path, reason))?;
        Ok(Library { name, text, areas, path: path.map(Path::to_path_buf) })
    }

    /// An error of this library.
    pub(crate) fn error(&self, reason: impl Into<String>) -> Error {
        liberty_error(self.path.as_deref(), reason.into())
    }
}

fn liberty_error(path: Option<&Path>, reason: String) -> Error {
    Error::Liberty { path: path.unwrap_or(Path::new("generic_ge.lib")).to_path_buf(), reason }
}

/// A word, a string without its quotes, or a mark of punctuation; with its line.
struct Token<'a> {
    line: usize,
    text: &'a str,
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").ok_or(format!(
                "line {line}: expected the end of the comment, found the end of the file"
            ))? + 4
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(string) = rest.strip_prefix('"') {
            let end = string.find('"').ok_or(format!(
                "line {line}: expected the end of the string, found the end of the file"
            ))?;
            tokens.push(Token { line, text: &string[..end] });
            end + 2
        } else if first.is_whitespace() || first == '\\' {
            first.len_utf8()
        } else {
            let ends = |c: char| c.is_whitespace() || "(){};:,\"".contains(c);
            let length = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
            tokens.push(Token { line, text: &rest[..length] });
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// The library's name and the areas of its cells.
fn scan(text: &str) -> Result<(String, BTreeMap<String, f64>), String> {
    let tokens = tokens(text)?;
    let word = |index: usize| tokens.get(index).map_or("", |token| token.text);
    if word(0) != "library" || word(1) != "(" {
        return Err("expected `library (NAME)` at the beginning".into());
    }
    let mut areas = BTreeMap::new();
    let mut depth = 0u32;
    let mut cell = None;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => {
                depth = depth.checked_sub(1).ok_or(format!(
                    "line {}: expected no further `}}`, found one too many",
                    token.line
                ))?
            }
            "cell" if depth == 1 && word(index + 1) == "(" => {
                cell = Some(word(index + 2).to_owned());
            }
            "area" if depth == 2 && word(index + 1) == ":" => {
                let area = word(index + 2).parse::<f64>().ok().filter(|area| *area >= 0.0);
                let area =
                    area.ok_or(format!("line {}: expected the area to be a number", token.line))?;
                areas.extend(cell.take().map(|cell| (cell, area)));
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(format!("{depth} `{{` without a `}}`: the file may be cut off"));
    }
    if areas.values().all(|area| *area == 0.0) {
        return Err("no cell in it has an area".into());
    }
    Ok((word(2).to_owned(), areas))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generic_cells() {
        let library = Library::load(None).expect("it is a library");
        assert_eq!(library.name, "tracewright_generic_ge");
        let expected = [
            ("AND2", 1.33),
            ("AOI21", 1.33),
            ("BUF", 1.0),
            ("DFF", 5.67),
            ("DFFR", 6.67),
            ("DFFS", 6.67),
            ("INV", 0.67),
            ("MUX2", 2.33),
            ("NAND2", 1.0),
            ("NAND3", 1.33),
            ("NOR2", 1.0),
            ("NOR3", 1.33),
            ("OAI21", 1.33),
            ("OR2", 1.33),
            ("XNOR2", 2.33),
            ("XOR2", 2.33),
        ];
        let areas: Vec<(&str, f64)> =
            library.areas.iter().map(|(name, area)| (name.as_str(), *area)).collect();
        assert_eq!(areas, expected);
    }

    #[test]
    fn what_is_no_library() {
        for (text, reason) in [
            ("", "begin"),
            ("module x; endmodule", "begin"),
            ("library (x) { cell (A) { area : 1; }", "cut off"),
            ("library (x) { } }", "too many"),
            ("library (x) { cell (A) { area : wide; } }", "line 1"),
            ("library (x) { cell (A) { pin (Y) { } } }", "no cell"),
            ("library (x) { /* cell", "comment"),
            ("library (x) { a : \"cell", "string"),
        ] {
            let error = scan(text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
