//! What all virtual processors share: the socket, the blocks, the signal handlers.

use std::ffi::c_uint;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewright_capture_wire::{BlockDefinition, Message, Tag, VERSION, slot};

use crate::guest::{Guest, Handler, Registers};
use crate::processor::{SLOTS, SOCKET, Slot};

/// The only instance.
pub static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The lowest file descriptor of the plugin, above those that programs use.
const DESCRIPTORS: i32 = 900;

/// Entries between sends when several processors run in parallel.
const ENTRIES_SHARED: u64 = 256;

/// What all virtual processors share.
pub struct State {
    socket: UnixStream,
    /// False after the receiver has closed the socket.
    listening: bool,
    /// True if memory accesses are captured.
    pub data: bool,
    /// The program's memory.
    pub guest: Guest,
    numbers: FxHashMap<(u64, bool, Vec<u8>, usize), u32>,
    handlers: FxHashMap<u64, Handler>,
    images: FxHashSet<(u64, u64)>,
    /// The state of each running processor.
    running: FxHashMap<c_uint, Running>,
}

#[derive(Clone, Copy)]
struct Running {
    thread: i32,
    registers: Registers,
}

/// Maps the slots, and moves the socket to a descriptor that no program uses.
///
/// # Safety
/// Both descriptors are open and belong to the caller, who no longer uses them.
unsafe fn open(socket: i32, slots: i32) -> Result<UnixStream, String> {
    // SAFETY: the mapping is new, and the descriptors are used and closed by nobody else.
    unsafe {
        let base = libc::mmap(
            std::ptr::null_mut(),
            slot::FILE_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            slots,
            0,
        );
        if base == libc::MAP_FAILED {
            return Err(format!("cannot map slots: {}", std::io::Error::last_os_error()));
        }
        SLOTS.store(base.cast(), Ordering::Relaxed);
        libc::close(slots);
        let high = libc::fcntl(socket, libc::F_DUPFD_CLOEXEC, DESCRIPTORS);
        if high < 0 {
            return Err(format!("cannot move the socket: {}", std::io::Error::last_os_error()));
        }
        libc::close(socket);
        Ok(UnixStream::from_raw_fd(high))
    }
}

impl State {
    /// Opens what the arguments name: `socket=N`, `slots=N`, `data=on`.
    pub fn new(
        target: &str,
        version: i32,
        arguments: impl Iterator<Item = String>,
    ) -> Result<State, String> {
        if version != 1 {
            return Err(format!("expected version 1 of QEMU's plugin interface, found {version}"));
        }
        let (mut socket, mut slots, mut data) = (None, None, false);
        for argument in arguments {
            match argument.split_once('=') {
                Some(("socket", number)) => socket = number.parse::<i32>().ok(),
                Some(("slots", number)) => slots = number.parse::<i32>().ok(),
                Some(("data", value)) => data = value == "on",
                _ => return Err(format!("unknown argument {argument}")),
            }
        }
        let (Some(socket), Some(slots)) = (socket, slots) else {
            return Err(
                "expected the arguments socket= and slots=, which `tracewright capture` passes"
                    .into(),
            );
        };
        let guest = Guest::new(target)?;
        // SAFETY: the descriptors are ours from the start of this process.
        let socket = unsafe { open(socket, slots) }?;
        SOCKET.store(socket.as_raw_fd(), Ordering::Relaxed);
        let mut state = State {
            socket,
            listening: true,
            data,
            guest,
            numbers: FxHashMap::default(),
            handlers: FxHashMap::default(),
            images: FxHashSet::default(),
            running: FxHashMap::default(),
        };
        let message = Message { tag: Tag::Hello, processor: 0, length: 0, value: VERSION };
        state.send(message, target.as_bytes());
        Ok(state)
    }

    /// Sends a message, unless the receiver has closed the socket.
    pub fn send(&mut self, message: Message, payload: &[u8]) {
        let header = Message { length: payload.len() as u32, ..message }.to_bytes();
        // The standard library's socket raises no SIGPIPE, which would end the program.
        self.listening = self.listening
            && self.socket.write_all(&header).is_ok()
            && self.socket.write_all(payload).is_ok();
    }

    fn bytes_each(&self) -> usize {
        if self.data { size_of::<u64>() } else { size_of::<u32>() }
    }

    /// Sends the entries of a processor and empties its slot.
    pub fn send_slot(&mut self, processor: c_uint) {
        let Some(slot) = Slot::of(processor) else { return };
        if slot.used() != 0 {
            let entries = slot.entries(self.bytes_each());
            let tag = Tag::Entries;
            let message = Message { tag, processor: processor as u16, length: 0, value: 0 };
            self.send(message, entries);
            slot.count_sent();
            slot.set_used(0);
        }
    }

    /// Makes room for an entry, when the slot is full or the processor is new.
    pub fn make_room(&mut self, processor: c_uint, registers: *const u8) {
        // SAFETY: a system call without memory.
        let thread = unsafe { libc::gettid() };
        let is_new = self.running.get(&processor).is_none_or(|known| known.thread != thread);
        if is_new {
            let registers = Registers(registers as usize);
            self.running.insert(processor, Running { thread, registers });
        }
        self.send_slot(processor);
        let most = ((slot::BYTES - slot::HEADER) / self.bytes_each()) as u64;
        let limit = if self.running.len() > 1 { ENTRIES_SHARED } else { most };
        for processor in self.running.keys() {
            if let Some(slot) = Slot::of(*processor)
                && (is_new || limit == most)
            {
                slot.set_limit(limit);
            }
        }
    }

    /// Processors that have begun to run and not ended.
    pub fn processors_running(&self) -> usize {
        self.running.len()
    }

    /// Notes that the processor's thread has ended.
    pub fn end_thread(&mut self, processor: c_uint) {
        self.send_slot(processor);
        self.send(
            Message { tag: Tag::ThreadEnd, processor: processor as u16, length: 0, value: 0 },
            &[],
        );
        self.running.remove(&processor);
        if let Some(slot) = Slot::of(processor) {
            slot.set_limit(0);
        }
    }

    /// Notes the end of the program.
    pub fn end(&mut self) {
        let mut processors: Vec<c_uint> = self.running.keys().copied().collect();
        processors.sort_unstable();
        for processor in processors {
            self.send_slot(processor);
        }
        self.send(Message { tag: Tag::End, processor: 0, length: 0, value: 0 }, &[]);
    }

    /// True if the block being translated on this thread is Thumb code.
    pub fn is_thumb(&mut self, lengths: &[u8]) -> bool {
        // SAFETY: a system call without memory.
        let thread = unsafe { libc::gettid() };
        let registers = self.running.values().find(|running| running.thread == thread);
        self.guest.is_thumb(lengths, registers.map(|running| running.registers))
    }

    /// The number of the block, which is described if it is new.
    pub fn define(&mut self, address: u64, thumb: bool, mut block: BlockDefinition) -> u32 {
        let fresh = self.numbers.len() as u32;
        let key = (address, thumb, block.bytes.clone(), block.lengths.len());
        let number = *self.numbers.entry(key).or_insert(fresh);
        if number == fresh {
            block.number = number;
            let (tag, processor) = (Tag::Block, thumb.into());
            self.send(Message { tag, processor, length: 0, value: address }, &block.to_bytes());
        }
        number
    }

    /// Reports the file that the code at this address is from, once.
    pub fn announce_images(&mut self, address: u64) {
        let Some(image) = self.guest.image_at(address) else { return };
        if self.images.insert((image.address, image.offset)) {
            let mut payload = image.offset.to_ne_bytes().to_vec();
            payload.extend_from_slice(&image.length.to_ne_bytes());
            payload.extend_from_slice(image.path.as_bytes());
            let message =
                Message { tag: Tag::Image, processor: 0, length: 0, value: image.address };
            self.send(message, &payload);
        }
    }

    /// Notes that the program installs the handler of the `sigaction` at this address.
    pub fn handle(&mut self, action: u64, real_time: bool) {
        if let Some((address, handler)) = self.guest.handler(action, real_time) {
            self.handlers.insert(address & !u64::from(self.guest.is_arm()), handler);
        }
    }

    /// True if a signal handler begins at this address.
    pub fn is_handler(&self, address: u64) -> bool {
        self.handlers.contains_key(&address)
    }

    /// Reports a signal if the block at a handler's address begins because of one.
    pub fn signal(&mut self, processor: c_uint, registers: *const u8) {
        let any_is_information = self.handlers.values().any(|handler| handler.information);
        let registers = Registers(registers as usize);
        let Some((number, value)) = self.guest.interrupted(registers, any_is_information) else {
            return;
        };
        self.send_slot(processor);
        let message = Message { tag: Tag::Signal, processor: processor as u16, length: 0, value };
        self.send(message, &number.to_ne_bytes());
    }
}
