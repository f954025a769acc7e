//! Counts by place in the source: what a sample profile has, with all there is and nothing sampled.

use std::collections::BTreeMap;
use std::sync::Arc;

use tracewright_view::profile::Counts;

use crate::error::Error;
use crate::flow::Place;
use crate::part::{FilePart, OfFile};
use crate::source::{Frame, Source};

/// A line counted from the first one of its function, and a discriminator.
pub type Position = (u16, u32);

/// The counts of a function, or of one that was put into another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// How often the function was entered by a branch.
    pub head: u64,
    /// How often each place of its own ran.
    pub places: BTreeMap<Position, Counted>,
    /// The functions that were put into it, by the place of the call and their names.
    pub inlined: BTreeMap<(Position, Arc<str>), Samples>,
}

/// The counts of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// How often it ran.
    pub count: u64,
    /// The functions that were called from there, and how often.
    pub targets: BTreeMap<Arc<str>, u64>,
}

impl Samples {
    /// Its counts with those of the functions in it.
    pub fn total(&self) -> u64 {
        let own: u64 = self.places.values().map(|counted| counted.count).sum();
        own + self.inlined.values().map(Samples::total).sum::<u64>()
    }

    /// The samples of the innermost function of some frames.
    fn inner(&mut self, frames: &[Frame]) -> &mut Samples {
        match frames {
            [outer, rest @ ..] if !rest.is_empty() => {
                let place = (outer.line, base(outer.discriminator));
                let key = (place, Arc::clone(&rest[0].function));
                self.inlined.entry(key).or_default().inner(rest)
            }
            _ => self,
        }
    }
}

/// The counts of every function of a file that ran, by name.
///
/// A place ran as often as the most frequent of its instructions. Where the compiler has copied code, the discriminator
/// says how often, and the counts are those of all copies.
///
/// # Errors
/// When the file has no debugging information, or nothing of it ran.
pub fn of_file(
    part: &FilePart,
    counts: &Counts,
    of_file: &OfFile,
) -> Result<BTreeMap<Arc<str>, Samples>, Error> {
    let source = Source::of_file(part.file());
    if source.is_empty() {
        return Err(Error::NoLines { path: part.file().path.clone() });
    }
    let mut all: BTreeMap<Arc<str>, Samples> = BTreeMap::new();
    for (address, count) in &counts.instructions {
        let address = part.image().instruction_set().byte_address(*address);
        let place =
            Place { program: part.program(), file: part.image().owner_at(address), address };
        let frames = part.inside(&place).and_then(|address| source.at(address));
        let Some(counted) = frames.as_deref().and_then(|frames| place_of(&mut all, frames)) else {
            continue;
        };
        let copies = frames.iter().flatten().last().map_or(1, |leaf| copies(leaf.discriminator));
        counted.count = counted.count.max(count.saturating_mul(copies));
    }
    // What did not run in a function that ran is known to be 0, which is not the same as nothing known.
    for address in source.lines_of(|name| all.contains_key(name)) {
        if let Some(frames) = source.at(address) {
            place_of(&mut all, &frames);
        }
    }
    for branch in &of_file.branches {
        let Some(function) = branch.to.and_then(|to| source.function(to)) else { continue };
        // A loop may lead back to the first instruction.
        let frames = branch.from.and_then(|from| source.at(from));
        let is_loop =
            frames.iter().flatten().next().is_some_and(|frame| frame.function == *function)
                && !branch.is_call;
        if is_loop {
            continue;
        }
        all.entry(Arc::clone(function)).or_default().head += branch.count;
        if let Some(counted) = frames.and_then(|frames| place_of(&mut all, &frames)) {
            *counted.targets.entry(Arc::clone(function)).or_default() += branch.count;
        }
    }
    match all.is_empty() {
        true => Err(Error::NothingRan { path: part.file().path.clone() }),
        false => Ok(all),
    }
}

/// The counts of the place that frames end with.
fn place_of<'a>(
    all: &'a mut BTreeMap<Arc<str>, Samples>,
    frames: &[Frame],
) -> Option<&'a mut Counted> {
    let (outer, leaf) = (frames.first()?, frames.last()?);
    let samples = all.entry(Arc::clone(&outer.function)).or_default().inner(frames);
    Some(samples.places.entry((leaf.line, base(leaf.discriminator))).or_default())
}

/// One of the numbers that a discriminator of LLVM has: which part of its line an instruction is of comes first, and then
/// how many copies of it there are. Each begins with a bit that is 1 for none, and has 5 bits or, if the sixth is 1, 12.
fn number(discriminator: u32) -> u32 {
    if discriminator & 1 == 1 {
        return 0;
    }
    let value = discriminator >> 1;
    if value & 0x20 == 0 { value & 0x1f } else { value >> 1 & 0xfe0 | value & 0x1f }
}

/// What is after the first number of a discriminator.
fn rest(discriminator: u32) -> u32 {
    match (discriminator & 1, discriminator & 0x40) {
        (1, _) => discriminator >> 1,
        (_, 0) => discriminator >> 7,
        _ => discriminator >> 14,
    }
}

/// Which part of its line an instruction is of.
fn base(discriminator: u32) -> u32 {
    number(discriminator)
}

/// How many copies of an instruction there are, one of which it is.
fn copies(discriminator: u32) -> u64 {
    u64::from(number(rest(discriminator)).max(1))
}
