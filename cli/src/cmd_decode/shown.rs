//! What is said of a dump of another encoder that was decoded.

use serde::Serialize;
use tracewright_import::e_trace::Gap;

use crate::pipeline::parts::Written;
use crate::pipeline::print::{counted, grouped};

/// Gaps that are printed as text; JSON has all of them.
const PRINTED_GAPS: usize = 20;

/// The result of the command.
#[derive(Serialize)]
pub(super) struct Done {
    pub(super) standard: &'static str,
    pub(super) file: String,
    pub(super) program: String,
    pub(super) output: String,
    pub(super) payloads: u64,
    pub(super) events: u64,
    pub(super) instructions: u64,
    pub(super) exceptions: u64,
    pub(super) left_out: u64,
    pub(super) sources: Vec<u32>,
    pub(super) parts: Vec<Written>,
    pub(super) gaps: Vec<ShownGap>,
}

/// A gap.
#[derive(Serialize)]
pub(super) struct ShownGap {
    pub(super) first_byte: u64,
    pub(super) end_byte: u64,
    pub(super) reason: &'static str,
    pub(super) says: String,
    pub(super) trailing_instructions: u64,
    pub(super) goes_on: Option<String>,
}

impl ShownGap {
    /// A gap of a dump whose first bytes, so many, are of no whole payload.
    pub(super) fn new(gap: &Gap, first: u64) -> Self {
        ShownGap {
            first_byte: first + gap.offset,
            end_byte: first + gap.end,
            reason: gap.reason.name(),
            says: gap.reason.to_string(),
            trailing_instructions: gap.trailing_instructions,
            goes_on: gap.goes_on.map(|address| format!("{address:#x}")),
        }
    }

    fn sentence(&self) -> String {
        let goes_on =
            self.goes_on.as_ref().map_or(String::new(), |place| format!("; goes on at {place}"));
        format!("gap at byte {}: {}{goes_on}\n", grouped(self.first_byte), self.says)
    }
}

/// What is said to a reader.
pub(super) fn text(done: &Done) -> String {
    let shown = done.gaps.iter().take(PRINTED_GAPS).map(ShownGap::sentence);
    let mut text: String = shown.collect();
    if let Some(more) = done.gaps.len().checked_sub(PRINTED_GAPS + 1) {
        text += &format!("and {} more; --json has all of them\n", grouped(more as u64 + 1));
    }
    if done.parts.len() > 1 {
        let names = done.parts.iter().map(|part| &*part.output);
        text += &format!("written: {}\n", names.collect::<Vec<_>>().join(", "));
    }
    if done.left_out > 0 {
        let are = if done.left_out == 1 { "is" } else { "are" };
        let count = counted(done.left_out, "instruction");
        text += &format!("{count} after the last event of a part {are} not in the trace\n");
    }
    text + &format!(
        "{}: {} -> {}, {}, {}\n",
        done.standard,
        counted(done.payloads, "payload"),
        counted(done.events, "event"),
        counted(done.instructions, "instruction"),
        counted(done.exceptions, "taken exception"),
    )
}
