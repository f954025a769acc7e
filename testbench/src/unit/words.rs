//! Instruction words that do what an event says: those of a program whose words nobody has.

use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::Xlen;

/// An instruction that changes no flow, of four bytes and of two.
const NOTHING: u32 = 0x13;
const SHORT_NOTHING: u32 = 0x0001;

/// Registers: the one that has return addresses, the other one of them, and one that has none.
const LINK: u32 = 1;
const OTHER_LINK: u32 = 5;
const NO_LINK: u32 = 6;

/// What an instruction does to the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jump {
    pub(super) kind: Kind,
    pub(super) call: bool,
    pub(super) is_return: bool,
    /// From its address to that of its target.
    pub(super) offset: i64,
}

/// The word of an instruction that changes no flow.
pub(super) fn nothing(is_short: bool) -> u32 {
    if is_short { SHORT_NOTHING } else { NOTHING }
}

/// The word of a jump or branch, of two bytes if it `is_short`; `None` where RISC-V has none.
pub(super) fn word(jump: &Jump, is_short: bool, xlen: Xlen) -> Option<u32> {
    if is_short { short(jump, xlen) } else { long(jump) }
}

/// The register that an indirect jump reads.
fn source(jump: &Jump) -> u32 {
    match (jump.is_return, jump.call) {
        (false, _) => NO_LINK,
        (true, true) => OTHER_LINK,
        (true, false) => LINK,
    }
}

/// Bits of an offset, in their place.
fn bits(offset: i64, low: u32, count: u32, place: u32) -> u32 {
    ((offset >> low) as u32 & ((1 << count) - 1)) << place
}

fn reaches(offset: i64, bits: u32) -> bool {
    let end = 1 << (bits - 1);
    (-end..end).contains(&offset) && offset & 1 == 0
}

fn long(jump: &Jump) -> Option<u32> {
    let (offset, link) = (jump.offset, (u32::from(jump.call) * LINK) << 7);
    match jump.kind {
        Kind::DirectJump => reaches(offset, 21).then(|| {
            let places = [(20, 1, 31), (1, 10, 21), (11, 1, 20), (12, 8, 12)];
            placed(offset, &places) | link | 0x6f
        }),
        Kind::DirectConditional => reaches(offset, 13)
            .then(|| placed(offset, &[(12, 1, 31), (5, 6, 25), (1, 4, 8), (11, 1, 7)]) | 0x63),
        Kind::IndirectJump => Some(source(jump) << 15 | link | 0x67),
        Kind::IndirectConditional | Kind::Exception => None,
    }
}

fn short(jump: &Jump, xlen: Xlen) -> Option<u32> {
    let offset = jump.offset;
    match jump.kind {
        Kind::DirectJump => {
            let code = match (jump.call, xlen) {
                (false, _) => 0xa001,
                (true, Xlen::Rv32) => 0x2001,
                (true, Xlen::Rv64) => return None,
            };
            let places = [
                (11, 1, 12),
                (4, 1, 11),
                (8, 2, 9),
                (10, 1, 8),
                (6, 1, 7),
                (7, 1, 6),
                (1, 3, 3),
                (5, 1, 2),
            ];
            reaches(offset, 12).then(|| placed(offset, &places) | code)
        }
        Kind::DirectConditional => reaches(offset, 9).then(|| {
            placed(offset, &[(8, 1, 12), (3, 2, 10), (6, 2, 5), (1, 2, 3), (5, 1, 2)]) | 0xc001
        }),
        Kind::IndirectJump => {
            let code = if jump.call { 0x9002 } else { 0x8002 };
            Some(source(jump) << 7 | code)
        }
        Kind::IndirectConditional | Kind::Exception => None,
    }
}

fn placed(offset: i64, places: &[(u32, u32, u32)]) -> u32 {
    places.iter().fold(0, |word, (low, count, place)| word | bits(offset, *low, *count, *place))
}

#[cfg(test)]
mod tests {
    use tracewright_sim::rvfi::offset::offset;
    use tracewright_sim::rvfi::{Extensions, classify};

    use super::*;

    /// The classifier of the adapter finds in each word what it was made of.
    #[test]
    fn words_are_what_they_say() {
        let kinds = [Kind::DirectJump, Kind::DirectConditional, Kind::IndirectJump];
        for (kind, call, is_return, is_short) in kinds.into_iter().flat_map(|kind| {
            let direct = kind != Kind::IndirectJump;
            let all = [(false, false), (true, false), (false, true), (true, true)].into_iter();
            let may = move |(call, is_return): &(bool, bool)| {
                !(direct && *is_return || kind == Kind::DirectConditional && *call)
            };
            let of = move |(call, is_return)| {
                [(kind, call, is_return, false), (kind, call, is_return, true)]
            };
            all.filter(may).flat_map(of)
        }) {
            for far in [-200, -2, 2, 254, 0xffe, -0x1000] {
                let jump = Jump { kind, call, is_return, offset: far };
                let Some(word) = word(&jump, is_short, Xlen::Rv32) else { continue };
                let class = classify(word, Xlen::Rv32, Extensions::NONE);
                assert_eq!(
                    (class.kind, class.call, class.is_return),
                    (Some(kind), call, is_return)
                );
                assert_eq!(class.length, if is_short { 2 } else { 4 }, "{jump:?}");
                if kind != Kind::IndirectJump {
                    assert_eq!(offset(word), far, "{jump:?} {word:#x}");
                }
            }
        }
    }
}
