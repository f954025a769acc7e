//! The checksum of a packet, bit by bit.

/// A cyclic redundancy check of 0, 8 or 16 bits.
///
/// Of 8 bits it is CRC-8/ROHC, x^8 + x^2 + x + 1; of 16 bits CRC-16/IBM-SDLC, also called X-25, x^16 + x^12 + x^5 + 1,
/// as HDLC has it. Both begin with all ones and take the bits in the order of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    register: u64,
    polynomial: u64,
    ones: u64,
    inverted: bool,
}

impl Checksum {
    /// The checksum of no bits.
    pub fn new(bits: u32) -> Self {
        let (polynomial, ones, inverted) = match bits {
            0 => (0, 0, false),
            8 => (0xe0, 0xff, false),
            _ => (0x8408, 0xffff, true),
        };
        Self { register: ones, polynomial, ones, inverted }
    }

    /// The register before the first bit.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The polynomial, reflected.
    pub fn polynomial(&self) -> u64 {
        self.polynomial
    }

    /// The checksum is the inverse of the register.
    pub fn is_inverted(&self) -> bool {
        self.inverted
    }

    /// Begins again.
    pub fn restart(&mut self) {
        self.register = self.ones;
    }

    /// Takes the lowest `count` bits of `bits`, the lowest one first.
    #[inline]
    pub fn add(&mut self, bits: u64, count: u32) {
        if self.polynomial == 0 {
            return;
        }
        for place in 0..count {
            let feedback = (self.register ^ (bits >> place)) & 1;
            self.register = (self.register >> 1) ^ (self.polynomial * feedback);
        }
    }

    /// The checksum of the bits so far.
    pub fn value(&self) -> u64 {
        if self.inverted { self.register ^ self.ones } else { self.register }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values of the catalogue of CRC algorithms: those of the characters 123456789.
    #[test]
    fn published_values() {
        for (bits, expected) in [(0, 0), (8, 0xd0), (16, 0x906e)] {
            let mut checksum = Checksum::new(bits);
            b"123456789".iter().for_each(|byte| checksum.add((*byte).into(), 8));
            assert_eq!(checksum.value(), expected, "{bits} bits");
        }
    }
}
