//! Bytes of code in several files, such as the pages of a memory: one may repeat the first bytes of the next, and an
//! instruction may be in both.

use std::sync::Arc;

use crate::file_bytes::Bytes;
use crate::image::Segment;

/// A segment with those before and after it that are of pages too, and that are taken out.
pub(crate) fn with_neighbours(
    segments: &mut Vec<Segment>,
    mut segment: Segment,
    is_page: impl Fn(usize) -> bool,
) -> Segment {
    let mut place = 0;
    while let Some(other) = segments.get(place) {
        match is_page(other.file).then(|| joined(other, &segment)).flatten() {
            Some(both) => {
                segment = both;
                segments.remove(place);
            }
            None => place += 1,
        }
    }
    segment
}

/// Both as one, if one goes on where the other ends, or they have the same bytes where both are.
fn joined(one: &Segment, other: &Segment) -> Option<Segment> {
    let is_first = one.range.start <= other.range.start;
    let (first, second) = if is_first { (one, other) } else { (other, one) };
    let both = first.range.end.min(second.range.end).checked_sub(second.range.start)? as usize;
    let before = (second.range.start - first.range.start) as usize;
    let (of_first, of_second) =
        (first.bytes.get(before..before + both)?, second.bytes.get(..both)?);
    if of_first != of_second {
        return None;
    }
    let more = if second.range.end > first.range.end { &second.bytes[both..] } else { &[] };
    let bytes: Arc<[u8]> = first.bytes.iter().chain(more).copied().collect();
    let range = first.range.start..first.range.start + bytes.len() as u64;
    let bytes = Bytes::new(&bytes, 0..bytes.len());
    Some(Segment { range, bytes, file: first.file })
}
