//! The allocator of the module: that of the command, which counts what it uses, while the command runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use tracewright::Counted;

use crate::memory;

/// True once this process is the command.
static IS_COMMAND: AtomicBool = AtomicBool::new(false);

#[global_allocator]
static ALLOCATOR: Chosen = Chosen;

/// The system's allocator in a program of Python, and the counted one in the command.
///
/// The command ends where its memory ends. A program of Python must not: what it uses is counted, and looked at where an
/// exception can be raised.
struct Chosen;

/// Counts what is allocated from now on.
pub fn count() {
    IS_COMMAND.store(true, Ordering::Relaxed);
}

fn is_command() -> bool {
    IS_COMMAND.load(Ordering::Relaxed)
}

// SAFETY: every call is passed on unchanged to one of two allocators, which give out and take back the same memory,
// that of the system.
unsafe impl GlobalAlloc for Chosen {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_command() {
            memory::count(layout.size() as isize);
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { if is_command() { Counted.alloc(layout) } else { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_command() {
            memory::count(layout.size() as isize);
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe {
            if is_command() { Counted.alloc_zeroed(layout) } else { System.alloc_zeroed(layout) }
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_command() {
            memory::count(-(layout.size() as isize));
            memory::count(size as isize);
        }
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe {
            if is_command() {
                Counted.realloc(pointer, layout, size)
            } else {
                System.realloc(pointer, layout, size)
            }
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if !is_command() {
            memory::count(-(layout.size() as isize));
        }
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe {
            if is_command() {
                Counted.dealloc(pointer, layout);
            } else {
                System.dealloc(pointer, layout);
            }
        }
    }
}
