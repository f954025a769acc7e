//! Gaps of a trace of packets as commands print them.

use serde::Serialize;
use tracewright_sim::packet::part::{Gap, Reason, Recovered};

use super::encoded::Packets;
use super::failure::{incomplete, with_gaps};
use super::print::{counted, grouped};

/// Gaps that are printed as text; JSON has all of them.
const PRINTED_GAPS: usize = 20;

/// A gap.
#[derive(Debug, Serialize)]
pub struct ShownGap {
    first_bit: u64,
    end_bit: u64,
    reason: &'static str,
    says: String,
    /// Instructions before the gap that have no event.
    trailing_instructions: u64,
    /// Events before the gap of a packet in which the trace ends, which nothing confirms.
    unverified_events: u64,
    /// Instructions that the hardware says were lost, or did not pass the filter.
    lost_instructions: Option<u64>,
    /// Packets that are missing at least, by the numbers of those around the gap.
    missing_packets: u64,
    /// Where the execution goes on.
    goes_on: Option<String>,
}

impl ShownGap {
    /// What is printed of a gap.
    pub fn new(gap: &Gap) -> Self {
        let goes_on = gap.goes_on.map(|place| place.to_string());
        let lost = if let Reason::Lost(loss) = gap.reason { Some(loss.instructions) } else { None };
        Self {
            first_bit: gap.bits.start,
            end_bit: gap.bits.end,
            reason: gap.reason.name(),
            says: gap.reason.to_string(),
            trailing_instructions: gap.trailing_instructions,
            unverified_events: gap.unverified_events,
            lost_instructions: lost,
            missing_packets: gap.missing_packets,
            goes_on,
        }
    }

    fn sentence(&self) -> String {
        let Self { first_bit, end_bit, says, goes_on, .. } = self;
        let bits = match end_bit - first_bit {
            0 => format!("at bit {}", grouped(*first_bit)),
            _ => format!("bits {} to {}", grouped(*first_bit), grouped(end_bit - 1)),
        };
        let goes_on =
            goes_on.as_ref().map_or(String::new(), |place| format!("; goes on at {place}"));
        let unverified = match self.unverified_events {
            0 => String::new(),
            1 => "; the event before it is unverified".into(),
            count => format!("; the {} events before it are unverified", grouped(count)),
        };
        format!("gap {bits}: {says}{unverified}{goes_on}\n")
    }
}

/// The first gaps, one a line.
pub fn text(gaps: &[ShownGap]) -> String {
    let mut text: String = gaps.iter().take(PRINTED_GAPS).map(ShownGap::sentence).collect();
    if let Some(more) = gaps.len().checked_sub(PRINTED_GAPS + 1) {
        text += &format!("and {} more; --json has all of them\n", grouped(more as u64 + 1));
    }
    text
}

/// What a command says at its end of a result with gaps or from a damaged file, with exit status 3; if the gaps are
/// `allowed`, those of a file that is not damaged do not change it.
pub fn failure(file: &str, packets: &Packets, allowed: bool) -> Option<anyhow::Error> {
    let Packets { recovered: Recovered { gaps, filtered_gaps, events, .. }, damage, .. } = packets;
    // What the filter left out was not to be traced.
    let gaps = &(gaps - filtered_gaps);
    let what = match damage {
        // It names the file.
        Some(damage) => damage,
        None if *gaps > 0 && !allowed => file,
        None => return None,
    };
    let doubt = match &packets.doubt {
        Some(doubt) if *events == 0 => return Some(incomplete(doubt.of_all(what, "no packet"))),
        Some(doubt) => doubt.of_some(),
        None => String::new(),
    };
    let separator = if damage.is_some() { ";" } else { ":" };
    let (gaps, events) = (counted(*gaps, "gap"), counted(*events, "event"));
    Some(with_gaps(format_args!("{what}{separator} {gaps}, {events} decoded{doubt}")))
}
