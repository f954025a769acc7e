//! Runs a program and writes its trace.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use tracewright_capture_plugin::wire::{BlockDefinition, Message, Tag, VERSION, slot};
use tracewright_image::changes::Changes;
use tracewright_interrupt::Foreground;
use tracewright_sim::trace_io::{Extensions, Problem, Writer};

use crate::Error;
use crate::block::{Block, end_where_it_waits};
use crate::contexts::ContextCode;
use crate::emulator::{Inherited, Target};
use crate::error::instead_of_linux;
use crate::follow::Follower;
use crate::images::{CodeRange, LoadedImage};
use crate::retire::{RAISED, Signal};

/// Bytes read from the plugin at once.
const BUFFER: usize = 256 << 10;

/// Options of a capture.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program's arguments.
    pub arguments: Vec<OsString>,
    /// The folder used instead of `/` where the program searches for its libraries.
    pub sysroot: Option<PathBuf>,
    /// The extensions of the trace; memory accesses are captured if it has data.
    pub extensions: Extensions,
    /// Instructions to skip, rounded up to a block.
    pub skip: u64,
    /// Instructions to trace, rounded up to a few blocks.
    pub limit: u64,
    /// True if the program is ended where the trace ends, instead of running on without being traced.
    pub stop: bool,
    /// The only processor of a machine that is traced, if it is not each of them.
    pub hart: Option<usize>,
    /// True if what the program writes to standard output goes to standard error.
    pub output_to_error: bool,
}

impl Options {
    /// True if blocks of a machine may end before their last instruction without a trap.
    pub(crate) fn marks_ends(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "-icount")
    }
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program exited with this status.
    Exit(i32),
    /// A signal ended the program.
    Signal(i32),
}

/// The result of a capture.
#[derive(Clone, Debug)]
pub struct Captured {
    /// Number of threads in the trace.
    pub threads: usize,
    /// Instructions skipped before the trace.
    pub skipped: u64,
    /// Number of signals.
    pub signals: u64,
    /// Number of traps of a machine.
    pub traps: u64,
    /// Number of contexts in which a machine with one processor ran; 0 for other programs.
    pub contexts: u64,
    /// Number of unexplained jumps.
    pub unexplained: u64,
    /// Blocks and accesses of threads that are not traced, because there are too many.
    pub left_out: u64,
    /// Number of child processes, which are not in the trace; 0 if the trace ends before the program.
    pub children: u64,
    /// How the program ended.
    pub ending: Ending,
    /// False if the trace ends before the program: at the limit, or because the program executed another one.
    pub is_whole: bool,
    /// True if the program has executed another one, which is not traced.
    pub executed: bool,
    /// True if the program was ended because the trace had reached its limit.
    pub is_stopped: bool,
    /// The files that code ran from first, the program first of all.
    pub images: Vec<LoadedImage>,
    /// Bits of the largest address of code.
    pub address_bits: u32,
    /// Code that ran from no file, as ranges of memory.
    pub loose_code: Vec<CodeRange>,
    /// The code that replaced other code, by thread and event.
    pub changes: Changes,
    /// The code of a machine, by context; the first of it is that of context 0.
    pub context_code: Vec<ContextCode>,
}

/// Runs a program and writes its trace. `progress` is called with the number of instructions so far.
///
/// # Errors
/// When QEMU cannot be run with the plugin, or the trace cannot be written; the program is then ended.
pub fn capture<W: Write>(
    target: &Target,
    options: &Options,
    writer: Writer<W>,
    progress: impl FnMut(u64),
) -> Result<(Captured, Writer<W>), Error> {
    target.check_linker(options.sysroot.as_deref())?;
    let (ours, theirs) = UnixStream::pair()?;
    let inherited = Inherited::new(OwnedFd::from(theirs), target)?;
    let data = options.extensions.data;
    let mut command =
        target.command(options.sysroot.as_deref(), (data, options.marks_ends()), &inherited);
    command.args(&options.arguments);
    if options.output_to_error {
        command.stdout(Stdio::from(std::io::stderr()));
    }
    let start = |source| Error::Start { path: target.emulator.clone(), source };
    // It gets the signals. If this function fails, it ends when it is dropped: the rest of the run is not needed.
    let mut child = Foreground::spawn(&mut command).map_err(start)?;
    let slots = inherited.keep_slots();
    let mut session = Session {
        target,
        data,
        has_states: options.extensions.states,
        hart: options.hart,
        follower: Follower::new(writer, target, options),
        received: vec![0; slot::COUNT],
        heard: false,
        executed: false,
        children: 0,
        progress,
    };
    let ended = session.listen(ours);
    let mut is_stopped = false;
    let whole = ended.and_then(|end| match end {
        Listened::Whole => Ok(true),
        Listened::Full if options.stop => {
            is_stopped = true;
            Ok(child.kill().map(|()| false)?)
        }
        Listened::Full => Ok(false),
        // Entries that were not sent are in the slots after QEMU has ended.
        Listened::Cut => {
            child.wait()?;
            session.leftovers(&slots)?;
            Ok(false)
        }
    });
    let (captured, writer) = session.finish(&mut child, whole?)?;
    Ok((Captured { is_stopped, ..captured }, writer))
}

enum Listened {
    /// The plugin reported the end.
    Whole,
    /// The limit is reached.
    Full,
    /// The plugin's socket was closed without a report of the end.
    Cut,
}

struct Session<'a, W: Write, P: FnMut(u64)> {
    target: &'a Target,
    data: bool,
    has_states: bool,
    hart: Option<usize>,
    follower: Follower<W>,
    /// Number of entry messages from each processor.
    received: Vec<u64>,
    heard: bool,
    executed: bool,
    children: u64,
    progress: P,
}

impl<W: Write, P: FnMut(u64)> Session<'_, W, P> {
    fn listen(&mut self, socket: UnixStream) -> Result<Listened, Error> {
        let mut socket = BufReader::with_capacity(BUFFER, socket);
        let mut payload = Vec::new();
        while let Some(message) = Message::read(&mut socket, &mut payload)? {
            let processor = usize::from(message.processor);
            match message.tag {
                Tag::Hello if message.value != VERSION => {
                    return Err(Error::Version { expected: VERSION, found: message.value });
                }
                Tag::Hello => {
                    self.check_processors(processor)?;
                    self.heard = true;
                }
                Tag::Failure => {
                    let (emulator, what) = (self.target.emulator_name(), text(&payload));
                    return Err(Error::Machine { emulator, what });
                }
                Tag::Block => self.define(message, &payload)?,
                Tag::Image => {
                    let mapped = self.follower.history.images.map(message.value, &payload);
                    mapped.ok_or(Error::Damaged("a file without a name"))?;
                }
                Tag::Entries => {
                    if let Some(received) = self.received.get_mut(processor) {
                        *received += 1;
                    }
                    self.executed = false;
                    self.entries(processor, &payload)?;
                    (self.progress)(self.follower.writer().instructions());
                    if self.follower.is_full() {
                        return Ok(Listened::Full);
                    }
                }
                Tag::Signal => {
                    let number = payload.first_chunk().copied().map(u64::from_ne_bytes);
                    let number = number.ok_or(Error::Damaged("a signal without a number"))?;
                    self.follower
                        .signal(processor, Signal { number, program_counter: message.value });
                }
                // The next thread on the processor takes its number in the trace.
                Tag::ThreadEnd => {}
                Tag::Execute => self.executed = true,
                Tag::End => {
                    self.children = message.value;
                    return Ok(Listened::Whole);
                }
            }
        }
        Ok(Listened::Cut)
    }

    /// A trace with states is of one processor.
    fn check_processors(&self, processors: usize) -> Result<(), Error> {
        match self.hart {
            Some(hart) if hart >= processors => Err(Error::Hart { hart, processors }),
            None if self.has_states && processors != 1 => Err(Error::Processors(processors)),
            _ => Ok(()),
        }
    }

    fn define(&mut self, message: Message, payload: &[u8]) -> Result<(), Error> {
        let mut definition = BlockDefinition::from_bytes(payload)
            .filter(|block| block.number as usize == self.follower.blocks())
            .ok_or(Error::Damaged("an invalid block"))?;
        if self.target.is_machine {
            end_where_it_waits(&mut definition);
        }
        let thumb = message.processor != 0;
        let instruction_set = self.target.instruction_set;
        let block = Block::new(instruction_set, message.value, thumb, &definition)?;
        self.follower.add(block, message.value, definition);
        Ok(())
    }

    fn entries(&mut self, processor: usize, entries: &[u8]) -> Result<(), Error> {
        if self.target.is_machine {
            self.follower.run_in_machine(processor, entries)
        } else if self.data {
            self.follower.run_with_data(processor, entries)
        } else {
            self.follower.run(processor, entries)
        }
    }

    /// What a QEMU that is gone had not sent.
    fn leftovers(&mut self, slots: &File) -> Result<(), Error> {
        let bytes_each: usize = if self.data { 8 } else { 4 };
        for processor in 0..slot::COUNT {
            let begin = (processor * slot::BYTES) as u64;
            let mut words = [0; 24];
            slots.read_exact_at(&mut words, begin)?;
            let word = |index: usize| {
                words[8 * index..].first_chunk().map_or(0, |word| u64::from_ne_bytes(*word))
            };
            let (used, sent) = (word(0), word(2));
            let room = slot::BYTES - slot::HEADER;
            // One that was received but not yet counted there is not left over.
            if used == 0 || sent != self.received[processor] {
                continue;
            }
            let bytes = (used as usize).saturating_mul(bytes_each).min(room);
            let mut entries = vec![0; bytes];
            slots.read_exact_at(&mut entries, begin + slot::HEADER as u64)?;
            unless_cut_off(self.entries(processor, &entries))?;
        }
        Ok(())
    }

    /// Fails if QEMU ended by itself before a program's first block, as it does where it cannot load the program.
    fn check_loaded(&self, status: ExitStatus) -> Result<(), Error> {
        let Target { program: path, instruction_set, is_machine, .. } = self.target;
        let is_ended = matches!(ending(status), Ending::Exit(_));
        if *is_machine || self.follower.blocks() > 0 || !is_ended || interrupted() {
            return Ok(());
        }
        let advice = match self.target.is_dynamic() {
            true => String::new(),
            false => instead_of_linux(path, *instruction_set),
        };
        let (emulator, status) = (self.target.emulator_name(), status.to_string());
        Err(Error::NotLoaded { emulator, status, path: path.clone(), advice })
    }

    fn finish(
        mut self,
        child: &mut Foreground,
        is_whole: bool,
    ) -> Result<(Captured, Writer<W>), Error> {
        let (threads, contexts) = (self.follower.threads(), self.follower.contexts());
        match is_whole {
            true => self.follower.finish(true)?,
            false => unless_cut_off(self.follower.finish(false))?,
        }
        let status = child.wait()?;
        let is_silent = !self.heard || self.target.is_machine && self.follower.blocks() == 0;
        if is_silent && !interrupted() {
            let (emulator, status) = (self.target.emulator.clone(), status.to_string());
            let version = self.target.version();
            return Err(match self.target.is_machine {
                true => Error::SilentMachine { emulator, version, status },
                false if self.target.has_plugins() => Error::Silent { emulator, version, status },
                false => Error::NoPlugins { emulator, version },
            });
        }
        self.check_loaded(status)?;
        let counts = self.follower.counts();
        if !self.target.is_machine
            && let Ending::Signal(signal) = ending(status)
            && RAISED.contains(&(signal as u64))
            && (counts.system_calls, counts.skipped) == (0, 0)
            && !self.target.is_dynamic()
        {
            let (path, isa) = (self.target.program.clone(), self.target.instruction_set);
            return Err(Error::BareMetal { path, signal, isa });
        }
        let address_bits = self.follower.address_bits();
        let (writer, history, machine_code) = self.follower.into_parts();
        let (mut images, loose_code, changes) = history.finish();
        // A dynamic linker runs before the program.
        let program = self.target.program.canonicalize();
        images.sort_by_key(|image| program.as_ref().ok() != Some(&image.path));
        let captured = Captured {
            threads,
            skipped: counts.skipped,
            signals: counts.signals,
            traps: counts.traps,
            contexts,
            unexplained: counts.unexplained,
            left_out: counts.left_out,
            children: self.children,
            ending: ending(status),
            is_whole,
            executed: self.executed,
            is_stopped: false,
            images,
            address_bits,
            loose_code,
            changes,
            context_code: machine_code.finish(),
        };
        Ok((captured, writer))
    }
}

/// The result, unless it is what a program that is killed leaves: blocks whose definition was not sent, or the accesses of
/// a block that did not run to its end. The trace ends before them.
fn unless_cut_off(taken: Result<(), Error>) -> Result<(), Error> {
    match taken {
        Err(Error::Damaged(_)) => Ok(()),
        Err(Error::Trace(error)) if matches!(error.problem(), Problem::Invalid(_)) => Ok(()),
        taken => taken,
    }
}

fn interrupted() -> bool {
    tracewright_interrupt::received().is_some()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
    }
}
