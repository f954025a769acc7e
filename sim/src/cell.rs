//! Names in tables that other programs read: a trace may be called anything.

use std::borrow::Cow;

/// What makes a spreadsheet take a cell for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A name as a cell of comma-separated values: one that a spreadsheet would take for a formula gets an apostrophe,
/// which makes it text there. It is not for numbers, whose minus sign would get one, too.
pub fn comma_separated(name: &str) -> Cow<'_, str> {
    match name.starts_with(FORMULA) {
        true => Cow::Owned(format!("'{name}")),
        false => Cow::Borrowed(name),
    }
}

/// A text as a cell of a Markdown table.
pub fn markdown(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '<' | '>' => cell.extend(['\\', character]),
            '\n' | '\r' => cell.push(' '),
            _ => cell.push(character),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        assert_eq!(comma_separated("run"), "run");
        assert_eq!(comma_separated("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(comma_separated("@run"), "'@run");
        assert_eq!(markdown("a|b_c"), "a\\|b\\_c");
    }
}
