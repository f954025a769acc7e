//! Where in the source the instructions of a file are, as compilers look for it in a profile: lines counted from the
//! first one of their function, discriminators, and the functions that were put into others.

mod reader;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::File;

/// The debugging information of a file.
#[derive(Debug, Default)]
pub struct Source {
    functions: Vec<Function>,
    scopes: Vec<Scope>,
    /// The functions that were not put into others, by the first address of each of their ranges: its end, the scope.
    outer: BTreeMap<u64, (u64, usize)>,
    /// Functions by the address of their first instruction.
    entries: FxHashMap<u64, usize>,
    /// Ranges of instructions of one line, by their first address.
    rows: Vec<Row>,
}

/// A function of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    /// The name, as linkers have it.
    name: Arc<str>,
    /// The line on which it is declared.
    line: u32,
}

/// A function in the code, or one that was put into another.
#[derive(Clone, Debug)]
struct Scope {
    function: usize,
    ranges: Vec<Range<u64>>,
    /// The line and the discriminator of the call that was replaced.
    call: (u32, u32),
    children: Vec<usize>,
}

/// Instructions of one line.
#[derive(Clone, Copy, Debug)]
struct Row {
    begin: u64,
    end: u64,
    line: u32,
    discriminator: u32,
}

/// A place in a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// The name of the function, as linkers have it.
    pub function: Arc<str>,
    /// The line, counted from that on which the function is declared, modulo 2^16.
    pub line: u16,
    /// The discriminator, which tells parts of a line apart.
    pub discriminator: u32,
}

impl Source {
    /// The debugging information of a file; none if it has none or it is damaged.
    pub fn of_file(file: &File) -> Source {
        reader::read(file).unwrap_or_default()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() || self.rows.is_empty()
    }

    /// The name of the function that begins at an address of the file.
    pub fn function(&self, address: u64) -> Option<&Arc<str>> {
        self.entries.get(&address).map(|function| &self.functions[*function].name)
    }

    /// The places of an instruction at an address of the file, from the outermost function; all but the last are those of
    /// calls that were replaced. `None` for code without a line.
    pub fn at(&self, address: u64) -> Option<Vec<Frame>> {
        let place = self.rows.partition_point(|row| row.begin <= address).checked_sub(1)?;
        let row = self.rows[place];
        if address >= row.end || row.line == 0 {
            return None;
        }
        let (end, mut scope) = *self.outer.range(..=address).next_back()?.1;
        if address >= end {
            return None;
        }
        let mut frames = Vec::new();
        loop {
            let inner = self.scopes[scope].children.iter().find(|child| {
                self.scopes[**child].ranges.iter().any(|range| range.contains(&address))
            });
            let function = &self.functions[self.scopes[scope].function];
            let (line, discriminator) = match inner {
                Some(inner) => self.scopes[*inner].call,
                None => (row.line, row.discriminator),
            };
            let line = line.wrapping_sub(function.line) as u16;
            frames.push(Frame { function: Arc::clone(&function.name), line, discriminator });
            match inner {
                Some(inner) => scope = *inner,
                None => return Some(frames),
            }
        }
    }

    /// An address of each line in the functions with these names, in their code in the file.
    pub fn lines_of(&self, is_one: impl Fn(&str) -> bool) -> Vec<u64> {
        let of_scope = |scope: usize| &*self.functions[self.scopes[scope].function].name;
        let ranges = self.outer.iter().filter(|(_, (_, scope))| is_one(of_scope(*scope)));
        let mut addresses = Vec::new();
        for (begin, (end, _)) in ranges {
            let first = self.rows.partition_point(|row| row.end <= *begin);
            let rows = self.rows[first..].iter().take_while(|row| row.begin < *end);
            addresses.extend(rows.map(|row| row.begin.max(*begin)));
        }
        addresses
    }
}
