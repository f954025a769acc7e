//! Registers and memory.

use std::sync::Arc;

use tracewright_sim::code::Code;

use super::{Debuggee, Program};
use crate::error::Error;
use crate::stack::architecture::Content;
use crate::stack::trampoline::Trampoline;
use crate::stack::{Frame, Kind, Known, lay_out};

/// Bytes of a trampoline.
const TRAMPOLINE_BYTES: u64 = 16;

/// Words of a stack that are sent with a stop.
const SENT_WORDS: usize = 128;

/// True if an address is in the trampoline that begins at another one.
fn is_in(address: u64, trampoline: u64) -> bool {
    address.wrapping_sub(trampoline) < TRAMPOLINE_BYTES
}

impl Debuggee<'_> {
    /// The frames of a thread, the innermost first.
    pub(super) fn frames(&mut self, number: usize) -> Vec<Frame> {
        let Some(address) = self.player.program_counter(number) else { return Vec::new() };
        let mut frames = vec![Frame { address, kind: Kind::Exact }];
        for call in self.player.open_calls(number) {
            if call.back == 0 {
                break;
            }
            let trampoline = if call.is_handler { self.trampoline(number) } else { None };
            match (trampoline, frames.last_mut()) {
                // The handler has returned to it.
                (Some(trampoline), Some(last)) if is_in(last.address, trampoline.address) => {
                    last.kind = trampoline.kind;
                }
                (trampoline, _) => frames.extend(trampoline),
            }
            let kind = if call.is_handler { Kind::Exact } else { Kind::Call };
            frames.push(Frame { address: call.back, kind });
        }
        frames
    }

    /// Where the handlers of a thread return to, as the frame of a debugger, if that is known.
    fn trampoline(&mut self, number: usize) -> Option<Frame> {
        let set = self.program_of(number).of.image.instruction_set();
        let candidates = self.player.recording().system_calls().to_vec();
        candidates.into_iter().find_map(|address| {
            let mut bytes = [0; 8];
            let known = self.read(number, set.byte_address(address), &mut bytes);
            let trampoline = Trampoline::of(set, &bytes[..known])?;
            Some(Frame { address, kind: Kind::Trampoline(trampoline) })
        })
    }

    /// What is known of a thread.
    pub(super) fn known(&mut self, number: usize) -> &Known {
        if !self.known.contains_key(&number) {
            let frames = self.frames(number);
            let stack = self.player.recording().stacks().get(number);
            let Program { rules, of, stack, stack_bytes, .. } =
                &mut self.programs[stack.map_or(0, |stack| stack.program)];
            let top = stack.wrapping_sub(number as u64 * *stack_bytes);
            let known = lay_out(rules, &of.image, &frames, top);
            self.known.insert(number, known);
        }
        &self.known[&number]
    }

    /// The registers of a thread in the order of GDB's packet, byte for byte; `None` for what is not known.
    ///
    /// # Errors
    /// When the run of a working set does not come there.
    pub(super) fn registers(&mut self, number: usize) -> Result<Vec<Option<u8>>, Error> {
        let program_counter = self.player.program_counter(number);
        let known = match &mut self.rerun {
            Some(rerun) => {
                rerun.go_to(self.player.position())?;
                (0..).zip(rerun.registers().integers).collect()
            }
            None => self.known(number).registers.clone(),
        };
        let program = self.program_of(number);
        let architecture = program.rules.architecture();
        let mut bytes = Vec::new();
        for slot in &architecture.slots {
            let value = match slot.content {
                Content::Register(0) if architecture.link == Some(1) => Some(0),
                Content::Register(register) => known.get(&register).copied(),
                Content::ProgramCounter => {
                    program_counter.map(|address| program.byte_address(address))
                }
                Content::Status => program_counter.map(|address| architecture.status(address)),
                Content::Unknown => None,
            };
            match value {
                Some(value) => {
                    let value = value.to_le_bytes();
                    let known = value.iter().chain(std::iter::repeat(&0)).take(slot.bytes);
                    bytes.extend(known.map(|byte| Some(*byte)));
                }
                None => bytes.extend(std::iter::repeat_n(None, slot.bytes)),
            }
        }
        Ok(bytes)
    }

    /// Reads memory as a thread finds it; gives the number of bytes that are known, up to the first that is not.
    pub(super) fn read(&mut self, number: usize, address: u64, into: &mut [u8]) -> usize {
        let run = self.read_run(address, into);
        if run > 0 {
            return run;
        }
        let code = self.read_code(number, address, into);
        if code > 0 {
            return code;
        }
        let done = self.program_of(number).memory.read(address, into);
        if done > 0 {
            return done;
        }
        self.read_stack(number, address, into)
    }

    /// Reads the memory of the run of a working set.
    fn read_run(&mut self, address: u64, into: &mut [u8]) -> usize {
        let position = self.player.position();
        let Some(rerun) = &mut self.rerun else { return 0 };
        if rerun.go_to(position).is_err() {
            return 0;
        }
        let addresses = (0..into.len() as u64).map(|at| address.wrapping_add(at));
        let bytes = addresses.map_while(|address| rerun.byte(address));
        into.iter_mut().zip(bytes).map(|(place, byte)| *place = byte).count()
    }

    /// Reads words of the stacks.
    fn read_stack(&mut self, number: usize, address: u64, into: &mut [u8]) -> usize {
        let program = self.program_of(number);
        let (top, bytes) = (program.stack, program.stack_bytes);
        let word = program.rules.architecture().word;
        let Some(below) = top.checked_sub(address) else { return 0 };
        let owner = (below / bytes) as usize;
        if owner >= self.player.recording().stacks().len() {
            return 0;
        }
        let known = self.known(owner);
        let known_bytes =
            (0..into.len() as u64).map_while(|at| known.byte(address.wrapping_add(at), word));
        into.iter_mut().zip(known_bytes).map(|(place, byte)| *place = byte).count()
    }

    /// The words at the top of a thread's stack, as pieces without gaps.
    pub(crate) fn stack_pieces(&mut self, number: usize) -> Vec<(u64, Vec<u8>)> {
        if self.rerun.is_some() {
            return Vec::new();
        }
        let bytes = self.program_of(number).rules.architecture().word;
        let mut words: Vec<(u64, u64)> =
            self.known(number).words.iter().map(|(address, word)| (*address, *word)).collect();
        words.sort_unstable();
        let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
        for (address, word) in words.into_iter().take(SENT_WORDS) {
            let word = &word.to_le_bytes()[..bytes];
            match pieces.last_mut() {
                Some((begin, piece)) if begin.wrapping_add(piece.len() as u64) == address => {
                    piece.extend(word);
                }
                _ => pieces.push((address, word.to_vec())),
            }
        }
        pieces
    }

    /// Reads code that changes.
    fn read_code(&mut self, number: usize, address: u64, into: &mut [u8]) -> usize {
        let events = self.player.place(number).map_or(0, |place| place.events);
        let image = Arc::clone(&self.program_of(number).of.image);
        let is_ahead = |known: &(usize, u64, _)| known.0 == number && known.1 <= events;
        let mut code = match self.code.take().filter(is_ahead) {
            Some((_, _, code)) => code,
            None => match u8::try_from(number).ok().and_then(|thread| image.changing(thread)) {
                Some(code) => code,
                None => return 0,
            },
        };
        code.advance(events);
        let bytes = code.read(address, into.len());
        self.code = Some((number, events, code));
        into[..bytes.len()].copy_from_slice(&bytes);
        bytes.len()
    }
}
