//! General compressors on whole addresses, which paper B compares its hardware with.

use std::io::{self, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use tracewright_sim::event::{Event, Machine};

use crate::error::{Error, Result};

/// Addresses of a trace that are compressed; the levels of gzip and bzip2 take minutes for a second of a program.
pub const MOST_ADDRESSES: u64 = 1 << 22;

/// Bytes of an address.
const ADDRESS_BYTES: u64 = 4;

/// The compressors, as paper B lists them.
pub const COMPRESSORS: [&str; 4] = ["gzip -1", "gzip -6", "gzip -9", "bzip2 -9"];

/// Counts what is written to it.
#[derive(Debug, Default)]
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A compressor that is given addresses.
enum Compressor {
    Gzip(GzEncoder<Counter>),
    Bzip2(BzEncoder<Counter>),
}

impl Compressor {
    /// Those of [`COMPRESSORS`].
    fn all() -> [Compressor; COMPRESSORS.len()] {
        let gzip = |level| {
            let level = flate2::Compression::new(level);
            Compressor::Gzip(GzEncoder::new(Counter::default(), level))
        };
        let bzip2 = BzEncoder::new(Counter::default(), bzip2::Compression::best());
        [gzip(1), gzip(6), gzip(9), Compressor::Bzip2(bzip2)]
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Compressor::Gzip(encoder) => encoder.write_all(bytes),
            Compressor::Bzip2(encoder) => encoder.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<u64> {
        Ok(match self {
            Compressor::Gzip(encoder) => encoder.finish()?.0,
            Compressor::Bzip2(encoder) => encoder.finish()?.0,
        })
    }
}

/// Addresses on their way through every compressor.
pub struct Software {
    compressors: [Compressor; COMPRESSORS.len()],
    addresses: u64,
}

impl Software {
    /// Nothing compressed yet.
    pub fn new() -> Self {
        Self { compressors: Compressor::all(), addresses: 0 }
    }

    /// True once as many addresses were compressed as will be.
    pub fn is_full(&self) -> bool {
        self.addresses >= MOST_ADDRESSES
    }

    /// Compresses an address.
    ///
    /// # Errors
    /// When a compressor fails.
    pub fn address(&mut self, address: u64) -> Result<()> {
        if self.is_full() {
            return Ok(());
        }
        self.addresses += 1;
        // Paper B's addresses have 32 bits.
        let bytes = (address as u32).to_le_bytes();
        for (compressor, name) in self.compressors.iter_mut().zip(COMPRESSORS) {
            let failed = |source| Error::Compressor { compressor: name, source };
            compressor.write(&bytes).map_err(failed)?;
        }
        Ok(())
    }

    /// The compression ratios; `None` without addresses.
    ///
    /// # Errors
    /// When a compressor fails.
    pub fn finish(self) -> Result<Option<[f64; COMPRESSORS.len()]>> {
        let mut ratios = [0.0; COMPRESSORS.len()];
        for ((compressor, name), ratio) in
            self.compressors.into_iter().zip(COMPRESSORS).zip(&mut ratios)
        {
            let failed = |source| Error::Compressor { compressor: name, source };
            let bytes = compressor.finish().map_err(failed)?;
            *ratio = (ADDRESS_BYTES * self.addresses) as f64 / bytes as f64;
        }
        Ok((self.addresses > 0).then_some(ratios))
    }
}

/// The addresses of the instructions of a block, which ends at the event's.
///
/// A trace does not have the lengths of instructions; each is taken as long as the shortest of the instruction set.
pub fn instruction_addresses(event: &Event, machine: Machine) -> impl Iterator<Item = u64> + use<> {
    let last = event.program_counter;
    let shift = machine.alignment;
    (0..event.instructions).rev().map(move |before| last.wrapping_sub(before << shift))
}
