//! Words in lines.

use super::width;

/// Sentences in lines of the width of standard output, each line of the text for itself.
pub fn sentences(text: &str) -> String {
    let width = width();
    let wrapped = text.lines().flat_map(|line| {
        let words: Vec<&str> = line.split_inclusive(' ').collect();
        if words.is_empty() { vec![String::new()] } else { lines(&words, width) }
    });
    wrapped.map(|line| line + "\n").collect()
}

/// The characters of a text.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Words with what separates them, in lines of at most this length; a longer word has a line of its own.
pub(super) fn lines(words: &[&str], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if length(line) + length(word.trim_end()) <= most => line.push_str(word),
            _ => lines.push((*word).to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}
