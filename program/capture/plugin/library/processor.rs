//! The callbacks of blocks and accesses, which put entries into the slot of the virtual processor.

use std::arch::naked_asm;
use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use crate::wire::{Access, slot};

use crate::{qemu, system, with_state};

/// True in a forked child, which is not traced.
pub static FORKED: AtomicBool = AtomicBool::new(false);

/// Child processes that the program has forked, which are not traced.
pub static CHILDREN: AtomicU64 = AtomicU64::new(0);

/// The shared file in memory.
pub static SLOTS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// The slot of a virtual processor.
#[derive(Clone, Copy)]
pub struct Slot(*mut u64);

impl Slot {
    /// The slot of the processor; `None` for one that has none.
    #[inline(always)]
    pub fn of(processor: c_uint) -> Option<Slot> {
        let index = processor as usize;
        // SAFETY: the file has this many slots; it is in memory before any callback is asked for.
        (index < slot::COUNT)
            .then(|| unsafe { Slot(SLOTS.load(Ordering::Relaxed).add(index * slot::BYTES).cast()) })
    }

    /// Number of entries in the slot.
    #[inline(always)]
    pub fn used(self) -> u64 {
        // SAFETY: slots are aligned and mapped; only their own processor writes, but for `limit`.
        unsafe { self.0.read_volatile() }
    }

    #[inline(always)]
    pub fn set_used(self, used: u64) {
        // SAFETY: as in `used`.
        unsafe { self.0.write_volatile(used) }
    }

    /// Number of entries at which the slot is sent. Another processor may lower it.
    #[inline(always)]
    pub fn limit(self) -> u64 {
        // SAFETY: as in `used`.
        unsafe { self.0.add(1).read_volatile() }
    }

    pub fn set_limit(self, limit: u64) {
        // SAFETY: as in `used`.
        unsafe { self.0.add(1).write_volatile(limit) }
    }

    /// Counts one more send.
    pub fn count_sent(self) {
        // SAFETY: as in `used`.
        unsafe { self.0.add(2).write_volatile(self.0.add(2).read_volatile() + 1) }
    }

    /// The bytes of its entries.
    pub fn entries(self, bytes_each: usize) -> &'static [u8] {
        let bytes = (self.used() as usize * bytes_each).min(slot::BYTES - slot::HEADER);
        // SAFETY: the slot is mapped for as long as the process lives.
        unsafe { std::slice::from_raw_parts(self.0.cast::<u8>().add(slot::HEADER), bytes) }
    }

    #[inline(always)]
    pub fn put<const DATA: bool>(self, used: u64, entry: u64) {
        // SAFETY: `used` is below the limit, which is at most what the slot holds.
        unsafe {
            let entries = self.0.cast::<u8>().add(slot::HEADER);
            if DATA {
                entries.cast::<u64>().add(used as usize).write(entry);
            } else {
                entries.cast::<u32>().add(used as usize).write(entry as u32);
            }
        }
        self.set_used(used + 1);
    }
}

/// The callback of a block.
///
/// Generated code keeps the address of the emulated processor's registers in a host register, from
/// which the interface (version 1) does not read for us. It is passed on as a third argument.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub unsafe extern "C" fn block_runs<const DATA: bool>(processor: c_uint, number: *mut c_void) {
    naked_asm!("mov rdx, rbp", "jmp {}", sym block_runs_with::<DATA>)
}

/// The callback of a block at the address of a signal handler.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub unsafe extern "C" fn handler_runs<const DATA: bool>(processor: c_uint, number: *mut c_void) {
    naked_asm!("mov rdx, rbp", "jmp {}", sym handler_runs_with::<DATA>)
}

/// On other hosts the registers are not found.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe extern "C" fn block_runs<const DATA: bool>(processor: c_uint, number: *mut c_void) {
    // SAFETY: no registers are passed.
    unsafe { block_runs_with::<DATA>(processor, number, std::ptr::null()) }
}

/// On other hosts the registers are not found.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe extern "C" fn handler_runs<const DATA: bool>(processor: c_uint, number: *mut c_void) {
    // SAFETY: no registers are passed.
    unsafe { handler_runs_with::<DATA>(processor, number, std::ptr::null()) }
}

unsafe extern "C" fn block_runs_with<const DATA: bool>(
    processor: c_uint,
    number: *mut c_void,
    registers: *const u8,
) {
    append::<DATA>(processor, number as u64, registers);
}

unsafe extern "C" fn handler_runs_with<const DATA: bool>(
    processor: c_uint,
    number: *mut c_void,
    registers: *const u8,
) {
    with_state(|state| state.signal(processor, registers));
    append::<DATA>(processor, number as u64, registers);
}

#[inline(always)]
fn append<const DATA: bool>(processor: c_uint, entry: u64, registers: *const u8) {
    let Some(slot) = Slot::of(processor) else { return };
    let mut used = slot.used();
    if used >= slot.limit() {
        make_room(processor, registers);
        used = slot.used();
    }
    slot.put::<DATA>(used, entry);
}

#[cold]
#[inline(never)]
pub fn make_room(processor: c_uint, registers: *const u8) {
    with_state(|state| state.make_room(processor, registers));
    if FORKED.load(Ordering::Relaxed)
        && let Some(slot) = Slot::of(processor)
    {
        slot.set_used(0);
        slot.set_limit(((slot::BYTES - slot::HEADER) / size_of::<u64>()) as u64);
    }
}

/// The callback of a memory access.
pub unsafe extern "C" fn accessed(processor: c_uint, info: u32, address: u64, tag: *mut c_void) {
    // SAFETY: the function only looks at the bits of `info`.
    let store = unsafe { qemu::qemu_plugin_mem_is_store(info) };
    append::<true>(processor, Access::entry(tag as u64, store, address), std::ptr::null());
}

/// Runs in the program after it has forked a child.
pub unsafe extern "C" fn in_parent() {
    CHILDREN.fetch_add(1, Ordering::Relaxed);
}

/// Runs in a forked child: maps private slots. The socket is in the descriptor table of another thread, which the
/// child does not have.
pub unsafe extern "C" fn in_child() {
    FORKED.store(true, Ordering::Relaxed);
    // SAFETY: the mapping replaces that of the shared file, which nobody holds a reference into.
    unsafe {
        system::mmap(
            SLOTS.load(Ordering::Relaxed).cast(),
            slot::FILE_BYTES,
            system::PROT_READ | system::PROT_WRITE,
            system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_FIXED | system::MAP_NORESERVE,
            -1,
            0,
        );
    }
}
