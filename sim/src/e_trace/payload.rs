//! How long a payload is: whole bytes, without those that only repeat its sign.

use crate::config::mask;

/// Branches of a full map.
pub const FULL_MAP: u32 = 31;

/// The idle byte before a trap at the target of a jump, whose address was reported as that of the last instruction, where returns
/// are inferred.
pub const BEHIND_JUMP: u64 = 3;

/// Bits of the privilege level.
pub const PRIVILEGE_BITS: u32 = 2;

/// Bits of a payload before the address, by what it begins with.
pub const START_HEAD: u32 = 2 + 2 + 1 + PRIVILEGE_BITS;
/// Of a trap, without its cause: whether it is an interrupt, and whether the address is the handler's, follow; `tval` is
/// after the address.
pub const TRAP_HEAD: u32 = START_HEAD + 1 + 1;
/// The format alone.
pub const ADDRESS_HEAD: u32 = 2;
/// Format and number of branches; the map follows.
pub const BRANCHES_HEAD: u32 = 2 + 5;

/// Bytes of the payload at the end of the trace.
pub const SUPPORT_BYTES: u32 = 2;

/// The most bits after the last field's own: two that are sent as differences, a third before the depth of a stack, and 7 to
/// fill up a byte.
pub const fn most_rest_bits(depth_bits: u32) -> u32 {
    2 + if depth_bits > 0 { 1 + depth_bits } else { 0 } + 7
}

/// Bits of the map of this many branches: the smallest of 1, 3, 7, 15 and 31 that holds them.
pub fn map_bits(branches: u32) -> u32 {
    (branches + 1).next_power_of_two() - 1
}

/// Why an address is in the trace, in the last bits of its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is the target of a jump, or that of the last instruction before an exception or the end of the trace.
    Plain,
    /// It is neither (`notify`).
    Notified,
    /// It is the target of a jump, and the trace ends there (`updiscon`).
    Unfollowed,
}

/// The depth of the stack of return addresses (`irdepth`), where a payload says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Return addresses on the stack.
    pub depth: u64,
    /// Bits that say it.
    pub bits: u32,
}

/// What follows the address of a trap (`tval`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapValue {
    /// Nothing, of an interrupt.
    Nothing,
    /// Zeros, where no pin says it.
    Zero,
    /// What the exception says.
    Told {
        /// The value.
        value: u64,
        /// Bits of it.
        bits: u32,
    },
}

impl TrapValue {
    /// The value of a trap, which says so many bits of it.
    pub fn new(value: u64, bits: u32, is_interrupt: bool) -> Self {
        match (is_interrupt, bits) {
            (true, _) => TrapValue::Nothing,
            (false, 0) => TrapValue::Zero,
            (false, _) => TrapValue::Told { value, bits },
        }
    }
}

/// How many bits of a payload are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes of the payload.
    pub bytes: u32,
    /// Bits of the map before the last value.
    pub map_bits: u32,
    /// Bits of the last value, or of the address before the value of a trap.
    pub value_bits: u32,
    /// Bits of the value of a trap.
    pub trap_value_bits: u32,
    /// What follows: the bits that say why, and the sign; zero above its bits.
    pub rest: u64,
    /// Bits of that.
    pub rest_bits: u32,
}

impl Cut {
    /// Cuts a payload that ends in `value`, of `width` bits with a sign, `head` bits from its beginning.
    pub fn new(head: u32, value: u64, width: u32, ending: Ending) -> Self {
        Self::with_depth(head, value, width, ending, None)
    }

    /// The same where the depth of the stack of return addresses follows.
    pub fn with_depth(
        head: u32,
        value: u64,
        width: u32,
        ending: Ending,
        depth: Option<Depth>,
    ) -> Self {
        let sign = signed(value, width) < 0;
        let (least, first, others) = match ending {
            Ending::Plain => (significant(signed(value, width)), sign, sign),
            Ending::Notified => (width + 1, !sign, !sign),
            Ending::Unfollowed => (width + 2, sign, !sign),
        };
        let ones = |are_there| if are_there { u64::MAX } else { 0 };
        let (least, rest) = match depth {
            None => (least, u64::from(first) | ones(others) << 1),
            Some(Depth { depth, bits }) => {
                let depth = signed(depth, bits);
                let before = u64::from(first) | u64::from(others) << 1 | u64::from(!others) << 2;
                (width + 3 + significant(depth), before | (depth as u64) << 3)
            }
        };
        let cut = Self::of_bits(head, 0, width, least);
        Cut { rest: rest & mask(cut.rest_bits), ..cut }
    }

    /// Cuts a payload that ends in an `address` of `width` bits and zeros, `head` bits from its beginning.
    pub fn before_zeros(head: u32, address: u64, width: u32) -> Self {
        Self::of_bits(head, 0, width, 65 - address.leading_zeros())
    }

    /// Cuts a trap, which ends in the value after its address.
    pub fn of_trap(head: u32, address: u64, width: u32, value: TrapValue) -> Self {
        let (value, bits) = match value {
            TrapValue::Nothing => return Self::new(head, address, width, Ending::Plain),
            TrapValue::Zero => return Self::before_zeros(head, address, width),
            TrapValue::Told { value, bits } => (signed(value, bits), bits),
        };
        // A value that is nothing but its sign ends in the address.
        let sign = (value >> 63) as u64;
        let least = match value as u64 == sign {
            true => 65 - ((address ^ sign) & mask(width)).leading_zeros(),
            false => width + significant(value),
        };
        let cut = Self::of_bits(head, 0, width, least);
        let trap_value_bits = cut.rest_bits.min(bits);
        let rest_bits = cut.rest_bits - trap_value_bits;
        Cut { trap_value_bits, rest: sign & mask(rest_bits), rest_bits, ..cut }
    }

    /// Cuts a payload of so many branches, their map and a difference; of no difference, upper zeros of the map too.
    pub fn after_map(
        branches: u32,
        map: u64,
        value: u64,
        width: u32,
        ending: Ending,
        depth: Option<Depth>,
    ) -> Self {
        let map_bits = map_bits(branches);
        let cut = Self::with_depth(BRANCHES_HEAD + map_bits, value, width, ending, depth);
        let least = match ending {
            Ending::Plain if signed(value, width) == 0 && depth.is_none() => {
                significant(map as i64)
            }
            _ => 8 * cut.bytes - BRANCHES_HEAD,
        };
        let sent = Self::of_bits(BRANCHES_HEAD, map_bits, width, least);
        Cut { rest: cut.rest & mask(sent.rest_bits), ..sent }
    }

    /// At least so many bits after the head.
    fn of_bits(head: u32, map_bits: u32, width: u32, least: u32) -> Self {
        let bytes = (head + least).div_ceil(8);
        let sent = 8 * bytes - head;
        let map_bits = sent.min(map_bits);
        let value_bits = (sent - map_bits).min(width);
        let rest_bits = sent - map_bits - value_bits;
        Cut { bytes, map_bits, value_bits, trap_value_bits: 0, rest: 0, rest_bits }
    }
}

/// A number of `width` bits with a sign.
fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (value << unused) as i64 >> unused
}

/// The fewest bits that a number with a sign has.
fn significant(number: i64) -> u32 {
    65 - (number ^ number >> 63).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_ends_where_the_rest_is_its_sign() {
        let cut = |value: i64, ending| Cut::new(2, value as u64, 31, ending);
        let plain = |bytes, value_bits, rest| {
            let (map_bits, trap_value_bits, rest_bits) = (0, 0, 0);
            Cut { bytes, map_bits, value_bits, trap_value_bits, rest, rest_bits }
        };
        assert_eq!(cut(0, Ending::Plain), plain(1, 6, 0));
        assert_eq!(cut(31, Ending::Plain), plain(1, 6, 0));
        assert_eq!(cut(32, Ending::Plain), plain(2, 14, 0));
        assert_eq!(cut(-32, Ending::Plain), plain(1, 6, 0));
        assert_eq!(cut(-33, Ending::Plain), plain(2, 14, 0));
        // 33 bits do not fill the fifth byte.
        let rest = |rest| Cut { rest, rest_bits: 7, ..plain(5, 31, 0) };
        assert_eq!(cut(1 << 29, Ending::Plain), rest(0));
        assert_eq!(cut(0, Ending::Notified), rest(0x7f));
        assert_eq!(cut(-1, Ending::Unfollowed), rest(1));
        assert_eq!(Cut::new(7, 1, 64, Ending::Unfollowed).rest_bits, most_rest_bits(0));
    }

    #[test]
    fn without_a_difference_the_map_ends_where_the_rest_is_zero() {
        let cut = |map, value| Cut::after_map(20, map, value, 31, Ending::Plain, None);
        let bits = |bytes, map_bits, value_bits| Cut {
            bytes,
            map_bits,
            value_bits,
            trap_value_bits: 0,
            rest: 0,
            rest_bits: 0,
        };
        assert_eq!(cut(0, 0), bits(1, 1, 0));
        assert_eq!(cut(1, 0), bits(2, 9, 0));
        assert_eq!(cut(1 << 30, 0), bits(5, 31, 2));
        assert_eq!(cut(1, 1), bits(5, 31, 2));
    }

    #[test]
    fn a_trap_ends_where_the_rest_is_the_sign_of_its_value() {
        let cut = |address, value: i64| {
            let value = TrapValue::Told { value: value as u64 & mask(32), bits: 32 };
            let cut = Cut::of_trap(16, address, 31, value);
            (cut.bytes, cut.value_bits, cut.trap_value_bits, cut.rest_bits, cut.rest)
        };
        assert_eq!(cut(0x7f, 0), (3, 8, 0, 0, 0));
        assert_eq!(cut(0x80, 0), (4, 16, 0, 0, 0));
        assert_eq!(cut(mask(31) & !0x7f, -1), (3, 8, 0, 0, 0));
        // The highest bit of an address is no sign.
        assert_eq!(cut(mask(31) & !0x7f, 0), (6, 31, 1, 0, 0));
        assert_eq!(cut(0, -1), (6, 31, 1, 0, 0));
        assert_eq!(cut(0, 1), (7, 31, 9, 0, 0));
        assert_eq!(cut(0, -257), (8, 31, 17, 0, 0));
        // 16 + 31 + 32 bits fill all but one of the tenth byte.
        assert_eq!(cut(0, -1 << 31), (10, 31, 32, 1, 1));
        assert_eq!(cut(0, (1 << 31) - 1), (10, 31, 32, 1, 0));
    }

    #[test]
    fn the_depth_of_the_stack_comes_last() {
        let cut = |depth, ending| {
            let depth = Some(Depth { depth, bits: 4 });
            let cut = Cut::with_depth(2, 1, 31, ending, depth);
            (cut.bytes, cut.rest_bits, cut.rest)
        };
        // 33 bits, then 7 of the fifth byte: `notify` and `updiscon` as the sign, `irreport` not, and four of depth.
        assert_eq!(cut(1, Ending::Plain), (5, 7, 0b000_1100));
        assert_eq!(cut(7, Ending::Plain), (5, 7, 0b011_1100));
        // The sign of the depth is its highest bit.
        assert_eq!(cut(8, Ending::Plain), (5, 7, 0b100_0100));
        assert_eq!(cut(5, Ending::Unfollowed), (5, 7, 0b010_1010));
    }

    #[test]
    fn a_map_has_one_bit_less_than_a_power_of_two() {
        let bits: Vec<u32> = [1, 2, 3, 4, 7, 8, 15, 16, 31].map(map_bits).into();
        assert_eq!(bits, [1, 3, 3, 7, 7, 15, 15, 31, 31]);
    }
}
