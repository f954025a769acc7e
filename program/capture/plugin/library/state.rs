//! What all virtual processors share: the socket, the blocks, the signal handlers.

use std::collections::HashMap;
use std::ffi::c_uint;
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use crate::guest::{Guest, Handler, Image, PAGE, Registers};
use crate::processor::{CHILDREN, SLOTS, Slot};
use crate::sender::Sender;
use crate::system;
use crate::wire::{BlockDefinition, Message, NO_IMAGE, Tag, VERSION, slot};

/// The only instance.
pub static STATE: Mutex<Option<State>> = Mutex::new(None);

/// Entries between sends when several processors run in parallel.
const ENTRIES_SHARED: u64 = 256;

/// What all virtual processors share.
pub struct State {
    sender: Sender,
    /// True if memory accesses are captured.
    pub data: bool,
    /// True if QEMU emulates a machine.
    pub is_machine: bool,
    /// True if the ends of blocks are reported.
    pub marks_ends: bool,
    /// The program's memory.
    pub guest: Guest,
    numbers: HashMap<Key, u32>,
    handlers: HashMap<u64, Handler>,
    /// The numbers of the files.
    images: HashMap<Image, u32>,
    /// The file that is mapped at each page, while the mappings do not change.
    pages: HashMap<u64, u32>,
    /// The state of each running processor.
    running: HashMap<c_uint, Running>,
}

/// What makes a block one of its own: address, Thumb, code, number of instructions, file.
type Key = (u64, bool, Vec<u8>, usize, u32);

#[derive(Clone, Copy)]
struct Running {
    thread: i32,
    registers: Registers,
}

/// Maps the slots.
///
/// # Safety
/// The descriptor is open and belongs to the caller, who no longer uses it.
unsafe fn map(slots: i32) -> Result<(), String> {
    // SAFETY: the mapping is new, and the descriptor is used and closed by nobody else.
    unsafe {
        let base = system::mmap(
            std::ptr::null_mut(),
            slot::FILE_BYTES,
            system::PROT_READ | system::PROT_WRITE,
            system::MAP_SHARED,
            slots,
            0,
        );
        if base == system::MAP_FAILED {
            return Err(format!("cannot map slots: {}", std::io::Error::last_os_error()));
        }
        SLOTS.store(base.cast(), Ordering::Relaxed);
        drop(OwnedFd::from_raw_fd(slots));
    }
    Ok(())
}

impl State {
    /// Opens what the arguments name; `processors` is how many a machine has, `None` for an emulator of programs: `socket=N`, `slots=N`, `data=on`, `ends=on`, and `library=N`, the file from which QEMU has
    /// loaded this plugin and which the program is not to have.
    pub fn new(
        target: &str,
        version: i32,
        processors: Option<i32>,
        arguments: impl Iterator<Item = String>,
    ) -> Result<State, String> {
        if version != 1 {
            return Err(format!("expected version 1 of QEMU's plugin interface, found {version}"));
        }
        let (mut socket, mut slots, mut library) = (None, None, None);
        let (mut data, mut marks_ends) = (false, false);
        for argument in arguments {
            match argument.split_once('=') {
                Some(("socket", number)) => socket = number.parse::<i32>().ok(),
                Some(("slots", number)) => slots = number.parse::<i32>().ok(),
                Some(("library", number)) => library = number.parse::<i32>().ok(),
                Some(("data", value)) => data = value == "on",
                Some(("ends", value)) => marks_ends = value == "on",
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
        if processors.is_some() {
            guest.check_machine()?;
        }
        // SAFETY: the descriptors are ours from the start of this process.
        let sender = unsafe {
            drop(library.map(|library| OwnedFd::from_raw_fd(library)));
            map(slots)?;
            Sender::new(socket)?
        };
        let mut state = State {
            sender,
            data,
            is_machine: processors.is_some(),
            marks_ends,
            guest,
            numbers: HashMap::default(),
            handlers: HashMap::default(),
            images: HashMap::default(),
            pages: HashMap::default(),
            running: HashMap::default(),
        };
        let processor = processors.unwrap_or(0) as u16;
        let message = Message { tag: Tag::Hello, processor, length: 0, value: VERSION };
        state.send(message, target.as_bytes());
        Ok(state)
    }

    /// Sends a message, unless the receiver has closed the socket.
    pub fn send(&mut self, message: Message, payload: &[u8]) {
        let header = Message { length: payload.len() as u32, ..message }.to_bytes();
        self.sender.send(&header, payload);
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
        let thread = unsafe { system::gettid() };
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
        let value = CHILDREN.load(Ordering::Relaxed);
        self.send(Message { tag: Tag::End, processor: 0, length: 0, value }, &[]);
    }

    /// True if the block being translated on this thread is Thumb code.
    pub fn is_thumb(&mut self, lengths: &[u8]) -> bool {
        // SAFETY: a system call without memory.
        let thread = unsafe { system::gettid() };
        let registers = self.running.values().find(|running| running.thread == thread);
        self.guest.is_thumb(lengths, registers.map(|running| running.registers))
    }

    /// The number of the block, which is described if it is new.
    pub fn define(&mut self, address: u64, thumb: bool, mut block: BlockDefinition) -> u32 {
        let fresh = self.numbers.len() as u32;
        let key = (address, thumb, block.bytes.clone(), block.lengths.len(), block.image);
        let number = *self.numbers.entry(key).or_insert(fresh);
        if number == fresh {
            block.number = number;
            let (tag, processor) = (Tag::Block, thumb.into());
            self.send(Message { tag, processor, length: 0, value: address }, &block.to_bytes());
        }
        number
    }

    /// The number of the file that is mapped at this address, which is reported if it is new.
    pub fn image_of(&mut self, address: u64) -> u32 {
        if let Some(number) = self.pages.get(&(address / PAGE)) {
            return *number;
        }
        let number = match self.guest.image_at(address) {
            Some(image) => self.announce(image),
            None => NO_IMAGE,
        };
        self.pages.insert(address / PAGE, number);
        number
    }

    fn announce(&mut self, image: Image) -> u32 {
        // Parts of one mapping have their own lines in QEMU's list of mappings; they are at the same distance from it.
        let address = image.address.wrapping_sub(image.offset);
        let whole = Image { address, offset: 0, path: image.path };
        let fresh = self.images.len() as u32;
        if let Some(number) = self.images.get(&whole) {
            return *number;
        }
        let message = Message { tag: Tag::Image, processor: 0, length: 0, value: whole.address };
        self.send(message, whole.path.as_bytes());
        self.images.insert(whole, fresh);
        fresh
    }

    /// Drops the known mappings, because they change.
    pub fn forget_maps(&mut self) {
        self.guest.forget_maps();
        self.pages.clear();
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
