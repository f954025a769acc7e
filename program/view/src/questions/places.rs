//! Places of a program that are asked for: a function, an address or a line of source.

use std::collections::BTreeSet;
use std::ops::Range;

use tracewright_image::Image;
use tracewright_sim::code::Code;

use crate::lines::Lines;
use crate::mangling::{demangled, without_parameters};
use crate::views::OfContext;

/// A place of a program.
#[derive(Clone, Debug)]
pub struct Place {
    /// What was asked for.
    pub text: String,
    /// Its addresses without Thumb bits, each with the number of its program.
    ranges: Vec<(usize, Range<u64>)>,
    /// True for a line, which is reached only from an instruction that is not of it.
    is_line: bool,
}

/// The reasons why a place is not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// No function has this name.
    #[error("no function is called `{name}`{}", nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?")))]
    Function {
        /// The name.
        name: String,
        /// The most similar name, if one is similar.
        nearest: Option<String>,
    },
    /// The program has no code at an address.
    #[error("no instruction of the program is at {address:#x}")]
    Address {
        /// The address.
        address: u64,
    },
    /// No code comes from a line.
    #[error("no instruction comes from {file}:{line}{}", if *.has_lines { "" } else { "; the program has no debugging information (compile it with -g)" })]
    Line {
        /// The end of the path of the source file.
        file: String,
        /// The line, from 1.
        line: u32,
        /// True if the program has debugging information.
        has_lines: bool,
    },
}

impl Place {
    /// Finds a place by a function's name (`main`, `Tree::insert`), an address (`0x101e8`), an instruction of a function
    /// (`main+0x1c`), or a line of a source file (`sort.c:40`, with as much of the path as tells files apart).
    ///
    /// A name stands for all functions that have it, in all files and programs; for one of C++ or Rust the parameters may
    /// be left out.
    ///
    /// # Errors
    /// When the programs have no such place.
    pub fn find(programs: &[OfContext], text: &str) -> Result<Place, PlaceError> {
        let place = |ranges, is_line| Place { text: text.to_owned(), ranges, is_line };
        let hex = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        if let Some(address) = hex(text) {
            return Ok(place(instructions(programs, &[], address)?, false));
        }
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse()
        {
            return Ok(place(of_line(programs, file, line)?, true));
        }
        let (name, offset) = match text.rsplit_once('+') {
            Some((name, offset)) if hex(offset).is_some() => (name, hex(offset)),
            _ => (text, None),
        };
        let functions = of_functions(programs, name)?;
        match offset {
            Some(offset) => Ok(place(instructions(programs, &functions, offset)?, false)),
            None => {
                let starts = functions.into_iter().map(|(program, start)| (program, one(start)));
                Ok(place(starts.collect(), false))
            }
        }
    }

    /// Whether an address of a program, without a Thumb bit, is of the place.
    pub(super) fn has(&self, program: usize, address: u64) -> bool {
        self.ranges.iter().any(|(number, range)| *number == program && range.contains(&address))
    }

    /// True if the place is reached only from an instruction that is not of it.
    pub(super) fn is_line(&self) -> bool {
        self.is_line
    }
}

fn one(address: u64) -> Range<u64> {
    address..address.saturating_add(1)
}

/// The instructions at an offset from the beginning of functions, or at an address if there is no function.
fn instructions(
    programs: &[OfContext],
    functions: &[(usize, u64)],
    offset: u64,
) -> Result<Vec<(usize, Range<u64>)>, PlaceError> {
    let everywhere: Vec<(usize, u64)> = (0..programs.len()).map(|program| (program, 0)).collect();
    let from = if functions.is_empty() { &everywhere } else { functions };
    let address = |start: u64| start.wrapping_add(offset);
    let found: Vec<_> = from
        .iter()
        .filter(|(program, start)| has_code(&programs[*program].image, address(*start)))
        .map(|(program, start)| (*program, one(address(*start))))
        .collect();
    match found.is_empty() {
        true => Err(PlaceError::Address {
            address: address(from.first().map_or(0, |(_, start)| *start)),
        }),
        false => Ok(found),
    }
}

/// True if an image has an instruction at an address, of ARM or Thumb.
fn has_code(image: &Image, address: u64) -> bool {
    [address, address | 1].iter().any(|address| image.instruction(*address).is_some())
}

/// The functions with a name.
fn of_functions(programs: &[OfContext], name: &str) -> Result<Vec<(usize, u64)>, PlaceError> {
    let mut found = BTreeSet::new();
    let mut nearest: Option<(usize, String)> = None;
    for (number, program) in programs.iter().enumerate() {
        for symbol in program.image.functions() {
            let spoken = demangled(&symbol.name);
            let short = without_parameters(&spoken);
            if [symbol.name.as_str(), &spoken, short].contains(&name) {
                found.insert((number, symbol.address));
            }
            let distance = strsim::damerau_levenshtein(short, name);
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, short.to_owned()));
            }
        }
    }
    if found.is_empty() {
        let is_similar = |(distance, _): &(usize, String)| *distance <= name.len() / 3;
        let nearest = nearest.filter(is_similar).map(|(_, name)| name);
        return Err(PlaceError::Function { name: name.into(), nearest });
    }
    Ok(found.into_iter().collect())
}

/// The addresses of the code that comes from a line of a file.
fn of_line(
    programs: &[OfContext],
    file: &str,
    line: u32,
) -> Result<Vec<(usize, Range<u64>)>, PlaceError> {
    let mut found = Vec::new();
    let mut has_lines = false;
    for (number, program) in programs.iter().enumerate() {
        let mut lines = Lines::of_image(&program.image);
        has_lines |= !lines.is_empty();
        for region in program.image.regions() {
            let of_line = lines.ranges(region, |found, number| {
                number == line && (found == file || found.ends_with(&format!("/{file}")))
            });
            found.extend(of_line.into_iter().map(|range| (number, range)));
        }
    }
    match found.is_empty() {
        true => Err(PlaceError::Line { file: file.into(), line, has_lines }),
        false => Ok(found),
    }
}
