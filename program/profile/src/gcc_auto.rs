//! Profiles for `gcc -fauto-profile`, in the form that GCC 12 reads.
//!
//! The form is words of 32 bits, numbers of 64 bits with the lower word first, and strings with their length. Lines have
//! no discriminators there: of the parts of a line the most frequent one counts.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::samples::{Counted, Samples};

/// "gcda".
const MAGIC: u32 = 0x6763_6461;

/// The version of the form.
const VERSION: u32 = 2;

const NAMES: u32 = 0xaa00_0000;
const FUNCTIONS: u32 = 0xac00_0000;
const MODULES: u32 = 0xae00_0000;

/// The kind of the targets of a call, which GCC reads and does not use.
const TARGETS: u32 = 0;

/// Writes the profile of all functions.
///
/// # Errors
/// When the file cannot be written.
pub fn write(all: &BTreeMap<Arc<str>, Samples>, into: &mut impl Write) -> Result<(), Error> {
    let mut names = Names::default();
    let mut functions = Words::default();
    functions.word(all.len() as u32);
    for (name, samples) in all {
        functions.number(samples.head);
        functions.function(name, samples, &mut names);
    }
    let mut table = Words::default();
    table.word(names.names.len() as u32);
    names.names.iter().for_each(|name| table.text(name));
    let mut file = Words::default();
    [MAGIC, VERSION, 0].into_iter().for_each(|word| file.word(word));
    file.section(NAMES, table);
    file.section(FUNCTIONS, functions);
    let mut none = Words::default();
    none.word(0);
    file.section(MODULES, none);
    into.write_all(&file.0)?;
    Ok(())
}

/// The names of functions, each once.
#[derive(Debug, Default)]
struct Names {
    names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Names {
    fn number(&mut self, name: &Arc<str>) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(Arc::clone(name)).or_insert(next);
        if number == next {
            self.names.push(Arc::clone(name));
        }
        number
    }
}

/// Bytes of a file.
#[derive(Debug, Default)]
struct Words(Vec<u8>);

impl Words {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u32 + 1);
        self.0.extend(text.as_bytes());
        self.0.push(0);
    }

    fn section(&mut self, tag: u32, of_section: Words) {
        self.word(tag);
        self.word(of_section.0.len() as u32);
        self.0.extend(of_section.0);
    }

    fn function(&mut self, name: &Arc<str>, samples: &Samples, names: &mut Names) {
        let mut lines: BTreeMap<u16, Counted> = BTreeMap::new();
        for ((line, _), counted) in &samples.places {
            let of_line = lines.entry(*line).or_default();
            of_line.count = of_line.count.max(counted.count);
            for (target, count) in &counted.targets {
                *of_line.targets.entry(Arc::clone(target)).or_default() += count;
            }
        }
        // Of several calls on a line that were replaced by the same function, the first one has a place.
        let mut inlined: BTreeMap<(u16, &Arc<str>), &Samples> = BTreeMap::new();
        for (((line, _), name), samples) in &samples.inlined {
            inlined.entry((*line, name)).or_insert(samples);
        }
        self.word(names.number(name));
        self.word(lines.len() as u32);
        self.word(inlined.len() as u32);
        for (line, counted) in lines {
            self.word(u32::from(line) << 16);
            self.word(counted.targets.len() as u32);
            self.number(counted.count);
            for (target, count) in &counted.targets {
                self.word(TARGETS);
                self.number(names.number(target).into());
                self.number(*count);
            }
        }
        for ((line, name), samples) in inlined {
            self.word(u32::from(line) << 16);
            self.function(name, samples, names);
        }
    }
}
