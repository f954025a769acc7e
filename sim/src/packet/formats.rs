//! Packets, for docs/formats.md.

use std::fmt::Write;

use super::framing::Framing;
use super::header::format;
use crate::record_table::record;

/// Appends the chapter of packets, with the numbers of `framing`, which is that of `preset` with packets.
/// `settings` are what that sets.
pub fn describe(framing: &Framing, preset: &str, settings: &str, text: &mut String) {
    let Framing { protocol, processor, marker_ones, .. } = framing;
    let _ = write!(
        text,
        "\n## Packets\n\n\
         With `framing=packets` a trace of one core is a row of packets. The numbers are those of `{preset}` with\n\
         {settings}.\n\
         A marker begins a packet: {marker_ones} ones and a zero. A header follows, and then, except\n\
         after an end, the records of the scheme up to and with a flush record, without padding. In header and records a\n\
         zero is stuffed after {} consecutive ones; the count of ones begins anew after a marker. [packets.md](packets.md)\n\
         says more.\n",
        marker_ones - 1,
    );
    let format = format(protocol, processor);
    let records: [(_, &[&str]); 4] = [
        ("Header of the first packet after reset", &["sends_kind"]),
        (
            "Header after nothing was lost: a synchronisation",
            &["sends_kind", "sends_address", "sends_cause"],
        ),
        (
            "Header after instructions were lost",
            &["sends_kind", "sends_loss", "sends_address", "sends_cause"],
        ),
        (
            "Header of an end; the trace is then filled up with zeros to a trace word",
            &["sends_kind"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
}
