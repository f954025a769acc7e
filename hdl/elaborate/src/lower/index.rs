//! The names of kernels: `lanes[i + 1].d` arrives from RustHDL as the text `lanes[i+1]$d`.

use super::Lowering;
use crate::error::Error;

impl Lowering<'_> {
    /// The key of a kernel's name, its indexes computed: `lanes$2$d`.
    pub(super) fn key(&self, name: &str) -> Result<String, Error> {
        let mut key = String::new();
        let mut rest = name;
        while let Some(open) = rest.find('[') {
            key.push_str(&rest[..open]);
            let bad = || Error::VectorIndex {
                block: self.table.path.clone(),
                name: name.replace('$', "."),
            };
            let mut depth = 0;
            let close = rest
                .char_indices()
                .skip(open)
                .find(|(_, character)| {
                    match character {
                        '[' => depth += 1,
                        ']' => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                })
                .map(|(position, _)| position)
                .ok_or_else(bad)?;
            let index = self.index(&rest[open + 1..close]).ok_or_else(bad)?;
            key.push_str(&format!("${index}"));
            rest = &rest[close + 1..];
        }
        key.push_str(rest);
        Ok(key)
    }

    /// The value of an index made of integers, loop indexes, `+ - * / %` and parentheses.
    fn index(&self, text: &str) -> Option<usize> {
        let mut parser = Parser { rest: text, lowering: self };
        let value = parser.sum()?;
        parser.rest.is_empty().then_some(value)
    }
}

struct Parser<'a> {
    rest: &'a str,
    lowering: &'a Lowering<'a>,
}

impl Parser<'_> {
    fn sum(&mut self) -> Option<usize> {
        let mut total = self.product()?;
        loop {
            if self.eat("+") {
                total = total.checked_add(self.product()?)?;
            } else if self.eat("-") {
                total = total.checked_sub(self.product()?)?;
            } else {
                return Some(total);
            }
        }
    }

    fn product(&mut self) -> Option<usize> {
        let mut total = self.atom()?;
        loop {
            if self.eat("*") {
                total = total.checked_mul(self.atom()?)?;
            } else if self.eat("/") {
                total = total.checked_div(self.atom()?)?;
            } else if self.eat("%") {
                total = total.checked_rem(self.atom()?)?;
            } else {
                return Some(total);
            }
        }
    }

    fn atom(&mut self) -> Option<usize> {
        if self.eat("(") {
            let value = self.sum()?;
            return self.eat(")").then_some(value);
        }
        let length =
            self.rest.find(|character: char| !character.is_alphanumeric() && character != '_');
        let (word, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        self.rest = rest;
        self.lowering.loop_index(word).or_else(|| integer(word))
    }

    fn eat(&mut self, symbol: &str) -> bool {
        match self.rest.strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn loop_index(&self, name: &str) -> Option<usize> {
        self.loops.iter().rev().find(|(index, _)| index == name).map(|(_, turn)| *turn)
    }
}

/// An integer as Rust spells it: `12`, `1_000usize`, `0xff`, `0b101`.
pub(super) fn integer(text: &str) -> Option<usize> {
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0o") => (&text[2..], 8),
        Some("0b") => (&text[2..], 2),
        _ => (&text[..], 10),
    };
    let suffixes = ["usize", "u128", "u64", "u32", "u16", "u8", "i32"];
    let digits = suffixes.iter().find_map(|suffix| digits.strip_suffix(suffix)).unwrap_or(digits);
    usize::from_str_radix(digits, radix).ok()
}
