//! Designs as models, and a difference explained in the design's own terms.

use std::fmt;
use std::sync::Arc;

use tracewright_hdl::Generated;
use tracewright_sim::event::Item;
use tracewright_sim::field::{Location, Locator};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::pins::module;
use tracewright_sim::scheme::{Design, Encoder};

use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::report::{Bits, Mismatch};
use crate::{BuildOptions, Direction, Library, ModelSource, Port, VerilogFile};

/// What is to be built from the Verilog of a design.
pub fn source(generated: &Generated) -> ModelSource {
    let ports = generated.ports.iter().map(|port| Port {
        name: port.name.clone(),
        direction: match port.direction {
            tracewright_hdl::Direction::Input => Direction::Input,
            tracewright_hdl::Direction::Output => Direction::Output,
        },
        width: port.width as u32,
    });
    let has_clock = generated.ports.iter().any(|port| port.name == module::CLOCK.name);
    ModelSource {
        files: generated.files.iter().map(|(name, text)| VerilogFile::new(name, text)).collect(),
        top: generated.top.clone(),
        clock: has_clock.then(|| module::CLOCK.name.into()),
        ports: ports.collect(),
    }
}

/// Generates a design and builds its model, or takes it from the cache.
///
/// # Errors
/// When the design breaks a constraint, or a tool is missing or fails.
pub fn library(design: &Design, options: &BuildOptions) -> Result<Arc<Library>> {
    let generated =
        tracewright_hdl::generate(design).map_err(|error| Error::Generate(Box::new(error)))?;
    source(&generated).build(options)
}

/// A difference in the terms of the trace: which record, which field, which instruction.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The field that differs; `None` past the end of the golden trace.
    pub location: Option<Location>,
    /// What the golden encoder sent for that piece of the field, and what the model sent.
    pub values: (Bits, Bits),
    /// The event or access whose record it is, with its number among its like; `None` for a flush
    /// record.
    pub item: Option<(u64, Item)>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(Location { record, field: Some(field), .. }) => {
                write!(f, "record {record}, {field}")?
            }
            Some(Location { record, field: None, .. }) => {
                write!(f, "the padding after record {record}")?
            }
            None => f.write_str("after the end of the trace")?,
        }
        write!(
            f,
            ": the model of the encoder sends {}, the hardware {}",
            self.values.0, self.values.1
        )?;
        match &self.item {
            Some((number, Item::Event(event))) => write!(f, "; event {number}: {event}"),
            Some((number, Item::Access(access))) => write!(f, "; access {number}: {access}"),
            Some((number, Item::State(state))) => write!(f, "; before event {number}: {state}"),
            Some((number, Item::Cycles(cycles))) => {
                write!(f, "; {cycles} cycles before event {number}")
            }
            None => f.write_str("; at a flush"),
        }
    }
}

/// Says what the differing bit of `mismatch` belongs to; for one core the items are encoded again.
///
/// `flush_interval` is the stimulus's. `items` are the same as before.
///
/// # Errors
/// When the items cannot be read or encoded again.
pub fn explain<I, T, E>(
    design: &Design,
    items: I,
    flush_interval: Option<u64>,
    mismatch: &Mismatch,
) -> Result<Explanation>
where
    I: IntoIterator<Item = std::result::Result<T, E>>,
    T: Into<Item>,
    E: Into<AnyError>,
{
    let failed = |error: AnyError| Error::Events(error);
    let traced = |item: &Item| {
        matches!(item, Item::Access(_)) == design.traces_data() && !matches!(item, Item::Cycles(_))
    };
    let mut numbered = items
        .into_iter()
        .map(|item| -> Result<Item> { Ok(item.map_err(|error| failed(error.into()))?.into()) })
        .filter(|item| !matches!(item, Ok(item) if !traced(item)))
        .zip(0u64..)
        .map(|(item, count)| Ok((count, item?)));
    let (location, item) = match mismatch.location {
        None => locate(design, numbered, flush_interval, mismatch.bit)?,
        Some(_) => {
            let place = mismatch.event.and_then(|event| usize::try_from(event).ok());
            let item = place.and_then(|place| numbered.nth(place)).transpose()?;
            (mismatch.location, item)
        }
    };
    let values = location.map_or((mismatch.expected, mismatch.actual), |found| {
        let before = (mismatch.bit - found.first_bit) as u32;
        let piece = Bits { bits: found.bits, count: found.count };
        // The bits before the first difference are equal.
        let mut actual = Bits { bits: found.bits & crate::port::mask(before), count: before };
        let sent = mismatch.actual.count.min(found.count - before);
        actual.push(mismatch.actual.bits, sent);
        (piece, actual)
    });
    Ok(Explanation { location, values, item })
}

/// An item and its number among those of its kind.
type Numbered = (u64, Item);

/// Encodes the items again to find what a bit of the trace belongs to.
fn locate(
    design: &Design,
    items: impl Iterator<Item = Result<Numbered>>,
    flush_interval: Option<u64>,
    bit: u64,
) -> Result<(Option<Location>, Option<Numbered>)> {
    let failed = |error: AnyError| Error::Events(error);
    let mut encoder = Encoder::new(design).map_err(|error| failed(error.into()))?;
    let mut locator = Locator::new(bit);
    for numbered in items {
        let (count, item) = numbered?;
        encoder.item(&item, &mut locator).map_err(|error| failed(error.into()))?;
        if locator.found.is_some() {
            return Ok((locator.found, Some((count, item))));
        }
        if flush_interval.is_some_and(|interval| interval > 0 && (count + 1) % interval == 0) {
            encoder.flush(&mut locator);
            if locator.found.is_some() {
                return Ok((locator.found, None));
            }
        }
    }
    encoder.flush(&mut locator);
    Ok((locator.found, None))
}
