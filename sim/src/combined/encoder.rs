//! The encoders of both designs, and the funnel after them.

use std::collections::VecDeque;

use super::{Combined, CombinedError};
use crate::encode::bit_packer::BitPacker;
use crate::event::Item;
use crate::funnel::Funnel;
use crate::golden_encoder::GoldenEncoder;
use crate::scheme::{self, EncodeError};

/// What went into a combined trace, and what came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Events.
    pub events: u64,
    /// Instructions.
    pub instructions: u64,
    /// Memory accesses.
    pub accesses: u64,
    /// Bytes of control flow.
    pub flow_bytes: u64,
    /// Bytes of data addresses.
    pub data_bytes: u64,
    /// Bytes of frames.
    pub frame_bytes: u64,
}

/// Encodes an execution as a combined trace.
///
/// What each design sends is what its hardware sends. How the bytes of the two alternate depends in hardware on when they
/// come; here a design hands on 8 bytes at a time, which leave at once.
#[derive(Clone, Debug)]
pub struct Encoder {
    encoders: [scheme::Encoder; 2],
    packers: [BitPacker; 2],
    waiting: [VecDeque<u8>; 2],
    funnel: Funnel,
    frames: Vec<u8>,
    totals: Totals,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When a design breaks a constraint.
    pub fn new(combined: &Combined) -> Result<Self, CombinedError> {
        Ok(Self {
            encoders: [
                scheme::Encoder::new(&combined.flow)?,
                scheme::Encoder::new(&combined.data)?,
            ],
            packers: Default::default(),
            waiting: Default::default(),
            funnel: Funnel::new(&combined.funnel)?,
            frames: Vec::new(),
            totals: Totals::default(),
        })
    }

    /// Encodes an event, a memory access, or a state.
    ///
    /// # Errors
    /// When one of the designs cannot trace it.
    pub fn item(&mut self, item: &Item) -> Result<(), EncodeError> {
        match item {
            Item::Event(event) => {
                self.totals.events += 1;
                let instructions = &mut self.totals.instructions;
                *instructions = instructions.saturating_add(event.instructions);
            }
            Item::Access(_) => self.totals.accesses += 1,
            Item::State(_) | Item::Cycles(_) => {}
        }
        for (encoder, packer) in self.encoders.iter_mut().zip(&mut self.packers) {
            encoder.item(item, packer)?;
        }
        self.send(false);
        Ok(())
    }

    /// The bytes of frames since the last call.
    pub fn take_frames(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.frames)
    }

    /// Ends the trace; gives the last frames, and what there was in all.
    pub fn finish(mut self) -> (Vec<u8>, Totals) {
        for (encoder, packer) in self.encoders.iter_mut().zip(&mut self.packers) {
            encoder.flush(packer);
        }
        self.send(true);
        (self.frames, self.totals)
    }

    /// Sends the finished bytes of both designs; at the end of the trace all of them.
    fn send(&mut self, ends: bool) {
        let counts = [&mut self.totals.flow_bytes, &mut self.totals.data_bytes];
        for ((packer, waiting), count) in self.packers.iter_mut().zip(&mut self.waiting).zip(counts)
        {
            let bytes = match ends {
                true => std::mem::take(packer).finish(),
                false => packer.take_bytes(),
            };
            *count += bytes.len() as u64;
            waiting.extend(bytes);
        }
        let waits = |waiting: &[VecDeque<u8>; 2]| waiting.iter().any(|bytes| !bytes.is_empty());
        while waits(&self.waiting) || ends && !self.funnel.is_empty() {
            let offered = [0, 1].map(|source| self.waiting[source].front().copied());
            let flushes = ends && !waits(&self.waiting);
            if let Some(byte) = self.funnel.offered_byte() {
                self.frames.push(byte);
                self.totals.frame_bytes += 1;
            }
            for (source, bytes) in self.waiting.iter_mut().enumerate() {
                if self.funnel.is_ready(source) {
                    bytes.pop_front();
                }
            }
            self.funnel.clock(&offered, flushes, true);
        }
    }
}
