//! The text of a Liberty file: its groups and attributes, each with its place.

/// A word, a string without its quotes, or a mark of punctuation.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    line: usize,
    /// Bytes before it.
    start: usize,
    text: &'a str,
}

/// A group with braces, `KIND (ARGUMENTS) { ... }`, or an attribute, `KIND : VALUE ;` or `KIND (ARGUMENTS) ;`.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) line: usize,
    pub(crate) kind: &'a str,
    /// What is in its parentheses, or its value.
    pub(crate) arguments: Vec<&'a str>,
    /// What is in its braces, of which attributes have none.
    pub(crate) items: Option<Vec<Item<'a>>>,
    /// Its bytes in the file.
    pub(crate) bytes: std::ops::Range<usize>,
}

impl<'a> Item<'a> {
    /// The first argument, or nothing of it.
    pub(crate) fn argument(&self) -> &'a str {
        self.arguments.first().copied().unwrap_or_default()
    }

    /// The groups and attributes of this kind in it.
    pub(crate) fn all(&self, kind: &'a str) -> impl Iterator<Item = &Item<'a>> {
        self.items.iter().flatten().filter(move |item| item.kind == kind)
    }

    /// The value of an attribute in it.
    pub(crate) fn value(&self, kind: &'a str) -> Option<&'a str> {
        self.all(kind).next().map(Item::argument)
    }
}

/// Groups in groups: library, cell, pin.
pub(crate) const PINS: usize = 3;

/// The same down to the tables of power in a pin, and their indices.
pub(crate) const TABLES: usize = 6;

/// The library of a file. What is in groups deeper than `depth` is passed over.
///
/// # Errors
/// What is expected at which line.
pub(crate) fn library(text: &str, depth: usize) -> Result<Item<'_>, String> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, most: depth };
    let library = reader.item(0)?;
    let library = library.filter(|item| item.kind == "library" && !item.arguments.is_empty());
    let library = library.ok_or("expected `library (NAME)` at the beginning")?;
    if let Some(token) = reader.tokens.get(reader.at).filter(|token| token.text == "}") {
        return Err(format!("line {}: expected no further `}}`, found one too many", token.line));
    }
    Ok(library)
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let (mut start, mut line) = (0, 1);
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let unended = |what| {
            format!("line {line}: expected the end of the {what}, found the end of the file")
        };
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").ok_or_else(|| unended("comment"))? + 4
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(string) = rest.strip_prefix('"') {
            let end = string.find('"').ok_or_else(|| unended("string"))?;
            tokens.push(Token { line, start, text: &string[..end] });
            end + 2
        } else if first.is_whitespace() || first == '\\' {
            first.len_utf8()
        } else {
            let ends = |c: char| c.is_whitespace() || "(){};:,\"".contains(c);
            let length = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
            tokens.push(Token { line, start, text: &rest[..length] });
            length
        };
        line += rest[..length].matches('\n').count();
        start += length;
    }
    Ok(tokens)
}

struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    /// Groups in groups that are kept.
    most: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| token.text)
    }

    /// The group or attribute that begins here, at `depth` groups; nothing at the end of what is around it.
    fn item(&mut self, depth: usize) -> Result<Option<Item<'a>>, String> {
        while matches!(self.peek(), ";" | ",") {
            self.at += 1;
        }
        let Some(first) = self.tokens.get(self.at).copied().filter(|token| token.text != "}")
        else {
            return Ok(None);
        };
        self.at += 1;
        let mut arguments = Vec::new();
        if self.peek() == "(" {
            self.at += 1;
            while !matches!(self.peek(), ")" | "" | "{" | "}") {
                arguments.extend(Some(self.peek()).filter(|text| *text != ","));
                self.at += 1;
            }
            self.at += usize::from(self.peek() == ")");
        } else if self.peek() == ":" {
            self.at += 1;
            arguments.extend(self.tokens.get(self.at).map(|token| token.text));
            self.at += 1;
        }
        let items = if self.peek() == "{" { Some(self.group(first, depth)?) } else { None };
        let last = self.tokens[self.at.min(self.tokens.len()) - 1];
        let bytes = first.start..last.start + last.text.len();
        let Token { line, text: kind, .. } = first;
        Ok(Some(Item { line, kind, arguments, items, bytes }))
    }

    /// What is in the braces that begin here.
    fn group(&mut self, first: Token<'a>, depth: usize) -> Result<Vec<Item<'a>>, String> {
        self.at += 1;
        let mut items = Vec::new();
        if depth < self.most {
            while let Some(item) = self.item(depth + 1)? {
                items.push(item);
            }
        } else {
            self.pass_over();
        }
        if self.peek() != "}" {
            let Token { line, text, .. } = first;
            return Err(format!(
                "line {line}: expected the `}}` of this {text}, found the end of the file: it may be cut off"
            ));
        }
        self.at += 1;
        Ok(items)
    }

    /// Goes to the brace that ends the group here, or to the end.
    fn pass_over(&mut self) {
        let mut depth = 0u32;
        while let Some(token) = self.tokens.get(self.at) {
            match token.text {
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }
}
