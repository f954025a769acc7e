//! The registers of a machine's processors, by which traps, privilege levels and address spaces are known.
//!
//! QEMU's plugin interface does not give registers. Generated code keeps the address of the processor's state in a
//! host register, and in that state, of QEMU 7.2, these follow each other: privilege level, virtualisation mode,
//! `geilen`, the address at which the processor begins after reset, `mhartid`, `mstatus`, `mip`, a flag of it,
//! `miclaim`, `mie`, `mideleg`, `satp`, `stval`, `medeleg`, `stvec`, `sepc`, `scause`, `mtvec`, `mepc`, `mcause`. They
//! are searched for when the first block of the machine begins, which is at the address of reset, and are the only
//! place there that looks like them; otherwise the capture ends with an error. All instructions that change them end a
//! block, so the values at the beginnings of blocks are all that an instruction ever saw.

use std::cell::UnsafeCell;
use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::processor::{Slot, make_room};
use crate::wire::{BLOCK_END, Message, Register, Tag, slot};
use crate::{qemu, with_state};

const COUNT: usize = Register::ALL.len();

/// The distance of the address of reset from the start of a processor's state; 0 if it is not known.
static RESET: AtomicUsize = AtomicUsize::new(0);

/// The address of the block that was translated first, which is the address of reset.
pub static FIRST_BLOCK: AtomicU64 = AtomicU64::new(u64::MAX);

/// The distance for a state in which the registers were not found: nothing is traced.
const NOT_FOUND: usize = usize::MAX;

/// How far the registers are searched for; the state is larger.
const SEARCHED: usize = 16 << 10;

/// What the registers were when a processor's last block began.
struct Before(UnsafeCell<[u64; COUNT]>);

// SAFETY: only the thread that runs a processor uses its element.
unsafe impl Sync for Before {}

static BEFORE: [Before; slot::COUNT] =
    [const { Before(UnsafeCell::new([u64::MAX; COUNT])) }; slot::COUNT];

/// The callback of a block for processors with registers of 64 or 32 bits.
pub fn block_runs(is_wide: bool) -> qemu::RunCallback {
    if is_wide { entry::block_runs::<true> } else { entry::block_runs::<false> }
}

#[cfg(target_arch = "x86_64")]
mod entry {
    use std::arch::naked_asm;
    use std::ffi::{c_uint, c_void};

    /// Passes the address of the processor's state on as a third argument.
    #[unsafe(naked)]
    pub unsafe extern "C" fn block_runs<const WIDE: bool>(processor: c_uint, number: *mut c_void) {
        naked_asm!("mov rdx, rbp", "jmp {}", sym super::block_runs_with::<WIDE>)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod entry {
    use std::ffi::{c_uint, c_void};

    /// On other hosts the state is not found, and the plugin is not installed for a machine.
    pub unsafe extern "C" fn block_runs<const WIDE: bool>(_: c_uint, _: *mut c_void) {}
}

unsafe extern "C" fn block_runs_with<const WIDE: bool>(
    processor: c_uint,
    number: *mut c_void,
    state: *const u8,
) {
    let reset = match RESET.load(Ordering::Relaxed) {
        0 => find(WIDE, state),
        reset => reset,
    };
    let (Some(slot), Some(before)) = (Slot::of(processor), BEFORE.get(processor as usize)) else {
        return;
    };
    if reset == NOT_FOUND {
        return;
    }
    // SAFETY: the registers are at this place of the state, and the element is this processor's.
    let (now, before) = unsafe { (registers::<WIDE>(state.add(reset)), &mut *before.0.get()) };
    // The registers, the block and its end.
    let most = 3 * COUNT as u64 + 2;
    if slot.used() + most > slot.limit() {
        make_room(processor, state);
    }
    if now != *before {
        tell(slot, &now, before);
    }
    slot.put::<false>(slot.used(), number as u64);
}

/// The callback of the last instruction of a block.
pub unsafe extern "C" fn block_ends(processor: c_uint, _: *mut c_void) {
    if let Some(slot) = Slot::of(processor)
        && slot.used() != 0
    {
        slot.put::<false>(slot.used(), BLOCK_END.into());
    }
}

/// Puts the registers that have changed into the slot.
#[cold]
#[inline(never)]
fn tell(slot: Slot, now: &[u64; COUNT], before: &mut [u64; COUNT]) {
    for (number, (now, before)) in now.iter().zip(before).enumerate() {
        if *now != *before {
            *before = *now;
            let entries = [Register::entry(number).into(), *now & 0xffff_ffff, *now >> 32];
            for (used, entry) in (slot.used()..).zip(entries) {
                slot.put::<false>(used, entry);
            }
        }
    }
}

/// The registers, in the order of [`Register::ALL`], from where the address of reset is.
#[inline(always)]
unsafe fn registers<const WIDE: bool>(reset: *const u8) -> [u64; COUNT] {
    // SAFETY: the caller's.
    unsafe {
        if WIDE {
            let at = |word: isize| reset.cast::<u64>().offset(word).read();
            [at(-3), at(8), at(11), at(12), at(13), at(14), at(15), at(16)]
        } else {
            let at = |word: isize| u64::from(reset.cast::<u32>().offset(word).read());
            [at(-3), at(16), at(19), at(20), at(21), at(22), at(23), at(24)]
        }
    }
}

/// Finds the registers when the first block begins.
#[cold]
#[inline(never)]
fn find(is_wide: bool, state: *const u8) -> usize {
    // SAFETY: the state is larger than what is searched.
    let places =
        (64..SEARCHED).step_by(8).filter(|at| unsafe { looks_like(is_wide, state.add(*at)) });
    let mut found = None;
    let mut count = 0;
    for place in places {
        (found, count) = (Some(place), count + 1);
    }
    let reset = found.filter(|_| count == 1).unwrap_or(NOT_FOUND);
    RESET.store(reset, Ordering::Relaxed);
    if reset == NOT_FOUND {
        with_state(|state| {
            let what = format!(
                "expected the state of a processor as QEMU 7.2 has it, found {count} places that look like it"
            );
            let message = Message { tag: Tag::Failure, processor: 0, length: 0, value: 0 };
            state.send(message, what.as_bytes());
        });
    }
    reset
}

/// True if an address of reset, with what is around it, may be here: the level is that of the machine, virtualisation is
/// off, there are few processors, and of the interrupts only the one of guests is claimed, as after reset.
unsafe fn looks_like(is_wide: bool, reset: *const u8) -> bool {
    const GUEST_EXTERNAL: u64 = 1 << 12;
    // SAFETY: the caller's.
    unsafe {
        let wide = |word: isize| reset.cast::<u64>().offset(word).read();
        let narrow = |word: isize| reset.cast::<u32>().offset(word).read();
        let level = match is_wide {
            true => (wide(-3), wide(-2)) == (3, 0),
            false => (narrow(-3), narrow(-2)) == (3, 0),
        };
        let number = if is_wide { wide(1) } else { narrow(2).into() };
        let now = if is_wide { registers::<true>(reset) } else { registers::<false>(reset) };
        let is_reset = now[1] == 0 && now[4..].iter().all(|register| *register == 0);
        level
            && wide(0) == FIRST_BLOCK.load(Ordering::Relaxed)
            && number < slot::COUNT as u64
            && (wide(4), wide(5)) == (0, GUEST_EXTERNAL)
            && is_reset
    }
}
