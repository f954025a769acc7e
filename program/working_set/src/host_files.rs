//! The host of semihosting: the console, the files of a folder, clock, command line, heap.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::capture::CaptureOptions;
use crate::devices::{Surroundings, next_byte};
use crate::host::{Answer, Call, FAILED, TICKS_PER_SECOND};
use crate::layout::Layout;
use crate::program::Program;

/// The most bytes of heap and stack together that a program is told of.
const HEAP_BYTES: u64 = 64 << 20;

/// The contents of the file that says what the host can: a status of 32 bits at the exit, and errors and output apart.
const FEATURES: &[u8] = b"SHFB\x03";

/// The most files that are open at once.
const MOST_FILES: usize = 64;

/// Numbers of errors that have no number of the host's.
const NO_FILE: i32 = 2;
const BAD_HANDLE: i32 = 9;
const DENIED: i32 = 13;
const TOO_MANY: i32 = 24;

/// What a handle stands for.
#[derive(Debug)]
enum Opened {
    Console,
    File(File),
    Features(u64),
}

/// The host.
#[derive(Debug)]
pub struct Host {
    folder: Option<PathBuf>,
    arguments: Option<String>,
    opened: BTreeMap<u64, Opened>,
    /// Heap base, heap limit, stack base, stack limit.
    heap: [u64; 4],
    word_bytes: usize,
    error: i32,
}

impl Host {
    /// The host of a program.
    pub fn new(program: &Program, layout: &Layout, options: &CaptureOptions) -> Host {
        let begin = program.end().next_multiple_of(16);
        let memory = layout.memory.iter().find(|memory| memory.contains(&begin));
        let end = memory.map_or(begin, |memory| memory.end.min(begin + HEAP_BYTES));
        // An end of 2^32 is no address of 32 bits.
        let end = end.min(u32::MAX.into()) & !15;
        let middle = begin.midpoint(end) & !15;
        Host {
            folder: options.folder.clone(),
            arguments: options.arguments.clone(),
            opened: BTreeMap::new(),
            heap: [begin, middle, end, middle],
            word_bytes: usize::from(program.address_bits / 8),
            error: 0,
        }
    }

    /// Answers a call.
    pub fn answer(&mut self, call: Call, around: &mut Surroundings) -> Answer {
        match call {
            Call::Write { handle, bytes } => self.write(handle, bytes),
            Call::Read { handle, address, length } => self.read(handle, address, length, around),
            Call::ReadCharacter => next_byte(around).into(),
            Call::Clock => {
                around.clock_reads += 1;
                (around.time / (TICKS_PER_SECOND / 100)).into()
            }
            Call::Time => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH);
                since.map_or(0, |since| since.as_secs()).into()
            }
            Call::ErrorNumber => (self.error as u64).into(),
            Call::CommandLine { block, address, room } => self.command_line(block, address, room),
            Call::Heap { address } => {
                let words = self.heap.iter().flat_map(|word| self.word(*word)).collect();
                Answer { blocks: vec![(address, words)], ..Answer::default() }
            }
            Call::Elapsed { address } => {
                around.clock_reads += 1;
                let ticks = around.time.to_le_bytes().to_vec();
                Answer { blocks: vec![(address, ticks)], ..Answer::default() }
            }
            call => self
                .file(call)
                .unwrap_or_else(|error| {
                    self.error = error.raw_os_error().unwrap_or(DENIED);
                    FAILED
                })
                .into(),
        }
    }

    fn word(&self, value: u64) -> Vec<u8> {
        value.to_le_bytes()[..self.word_bytes].to_vec()
    }

    /// Calls on files whose answer is a number.
    fn file(&mut self, call: Call) -> io::Result<u64> {
        match call {
            Call::Open { name, mode } => self.open(&name, mode),
            Call::Close(handle) => match self.opened.remove(&handle) {
                Some(_) => Ok(0),
                None => Err(io::Error::from_raw_os_error(BAD_HANDLE)),
            },
            Call::IsTerminal(handle) => {
                self.opened(handle).map(|opened| u64::from(matches!(opened, Opened::Console)))
            }
            Call::Seek { handle, place } => match self.opened(handle)? {
                Opened::File(file) => file.seek(SeekFrom::Start(place)).map(|_| 0),
                Opened::Features(at) => {
                    *at = place;
                    Ok(0)
                }
                Opened::Console => Err(io::Error::from_raw_os_error(BAD_HANDLE)),
            },
            Call::Length(handle) => match self.opened(handle)? {
                Opened::File(file) => file.metadata().map(|metadata| metadata.len()),
                Opened::Features(_) => Ok(FEATURES.len() as u64),
                Opened::Console => Ok(0),
            },
            Call::Remove(name) => fs::remove_file(self.path(&name)?).map(|()| 0),
            Call::Rename { from, to } => fs::rename(self.path(&from)?, self.path(&to)?).map(|()| 0),
            _ => Ok(FAILED),
        }
    }

    fn opened(&mut self, handle: u64) -> io::Result<&mut Opened> {
        self.opened.get_mut(&handle).ok_or_else(|| io::Error::from_raw_os_error(BAD_HANDLE))
    }

    fn open(&mut self, name: &[u8], mode: u64) -> io::Result<u64> {
        let free = (1..).find(|handle| !self.opened.contains_key(handle)).unwrap_or(FAILED);
        if self.opened.len() >= MOST_FILES {
            return Err(io::Error::from_raw_os_error(TOO_MANY));
        }
        let opened = match name {
            b":tt" => Opened::Console,
            b":semihosting-features" => Opened::Features(0),
            name => Opened::File(options(mode).open(self.path(name)?)?),
        };
        self.opened.insert(free, opened);
        Ok(free)
    }

    /// The path of a name, which may not lead out of the folder.
    fn path(&self, name: &[u8]) -> io::Result<PathBuf> {
        let denied = || io::Error::from_raw_os_error(DENIED);
        let folder = self.folder.as_ref().ok_or_else(|| io::Error::from_raw_os_error(NO_FILE))?;
        let name = Path::new(std::str::from_utf8(name).map_err(|_| denied())?);
        let is_inside =
            name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let path = folder.join(name);
        // A link may lead out as well.
        let real = path.canonicalize().or_else(|_| match path.parent() {
            Some(parent) => parent.canonicalize(),
            None => Err(denied()),
        });
        match is_inside && real?.starts_with(folder.canonicalize()?) && !path.is_symlink() {
            true => Ok(path),
            false => Err(denied()),
        }
    }

    fn write(&mut self, handle: u64, bytes: Vec<u8>) -> Answer {
        let count = bytes.len() as u64;
        match self.opened.get_mut(&handle) {
            Some(Opened::File(file)) => match file.write_all(&bytes) {
                Ok(()) => 0.into(),
                Err(error) => {
                    self.error = error.raw_os_error().unwrap_or(DENIED);
                    count.into()
                }
            },
            Some(Opened::Console) => Answer { printed: bytes, ..Answer::default() },
            Some(Opened::Features(_)) => count.into(),
            // The usual handles of output, which need no call to open them.
            None if handle <= 2 => Answer { printed: bytes, ..Answer::default() },
            None => {
                self.error = BAD_HANDLE;
                count.into()
            }
        }
    }

    fn read(
        &mut self,
        handle: u64,
        address: u64,
        length: u64,
        around: &mut Surroundings,
    ) -> Answer {
        let bytes = match self.opened.get_mut(&handle) {
            Some(Opened::File(file)) => {
                let mut bytes = Vec::new();
                if let Err(error) = Read::by_ref(file).take(length).read_to_end(&mut bytes) {
                    self.error = error.raw_os_error().unwrap_or(DENIED);
                }
                bytes
            }
            Some(Opened::Features(at)) => {
                let rest = FEATURES.get(*at as usize..).unwrap_or_default();
                let bytes = rest[..rest.len().min(length as usize)].to_vec();
                *at += bytes.len() as u64;
                bytes
            }
            _ => {
                let count = around.input.len().min(length as usize);
                around.input.drain(..count).collect()
            }
        };
        Answer { value: bytes.len() as u64, blocks: vec![(address, bytes)], ..Answer::default() }
    }

    fn command_line(&mut self, block: u64, address: u64, room: u64) -> Answer {
        let Some(arguments) = &self.arguments else { return FAILED.into() };
        let length = arguments.len() as u64;
        if length >= room {
            return FAILED.into();
        }
        let mut text = arguments.clone().into_bytes();
        text.push(0);
        let length_at = block + self.word_bytes as u64;
        let blocks = vec![(address, text), (length_at, self.word(length))];
        Answer { blocks, ..Answer::default() }
    }
}

/// How a file is opened, by its mode: four modes each of reading, of writing and of appending, of which the last two
/// do both.
fn options(mode: u64) -> OpenOptions {
    let mut options = File::options();
    let both = mode & 2 != 0;
    match mode >> 2 {
        0 => options.read(true).write(both),
        1 => options.read(both).write(true).create(true).truncate(true),
        _ => options.read(both).append(true).create(true),
    };
    options
}
