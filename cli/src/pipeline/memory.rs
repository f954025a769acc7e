//! The bound on the memory of the command, and the one sentence when it is reached.
//!
//! Every allocation of every reader is counted, also those in libraries, so that no input can make the command use more
//! than `--memory` allows. Nothing can be reported where an allocation fails, so another thread ends the command
//! ([`tracewright_interrupt::fail`]), which also removes what is unfinished.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;

use super::failure::FAILED;
use super::print;

/// Bytes that are allocated, but for what threads have not added yet.
static USED: AtomicIsize = AtomicIsize::new(0);

/// A thread adds what it has allocated and freed when that is so many bytes: a counter that every allocation of every
/// thread changes makes a command of two threads half as fast.
const UNIT: isize = 256 * 1024;

/// The most bytes that may be allocated.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// True when the command is being ended.
static ENDING: AtomicBool = AtomicBool::new(false);

/// True if the limit was reached, and not what the system has.
static REACHED: AtomicBool = AtomicBool::new(false);

/// The file that was opened last.
static INPUT: Mutex<Option<PathBuf>> = Mutex::new(None);

thread_local! {
    /// True for the thread that ends the command, which must not wait for itself.
    static REPORTS: Cell<bool> = const { Cell::new(false) };

    /// Bytes that this thread has allocated, less those that it has freed, since it last added them to `USED`.
    static PENDING: Cell<isize> = const { Cell::new(0) };
}

/// Sets the most bytes that may be allocated.
pub fn limit(bytes: ByteSize) {
    LIMIT.store(usize::try_from(bytes.as_u64()).unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// Notes the file that is read, for the error of the limit.
pub fn reading(path: &Path) {
    if let Ok(mut input) = INPUT.lock() {
        *input = Some(path.into());
    }
}

/// Reports that the limit is reached, or that the system has no more memory; the exit status.
pub fn report() -> u8 {
    REPORTS.set(true);
    let mut sentence = String::from("error: ");
    if let Ok(input) = INPUT.try_lock()
        && let Some(input) = &*input
    {
        let _ = write!(sentence, "{}: ", input.display());
    }
    sentence += &match REACHED.load(Ordering::Relaxed) {
        true => format!(
            "this needs more than the {} of memory that --memory allows\n",
            ByteSize::b(LIMIT.load(Ordering::Relaxed) as u64)
        ),
        false => "this needs more memory than the system gives\n".into(),
    };
    print::remark(sentence);
    FAILED
}

/// The system's allocator, counted.
pub struct Counted;

/// Notes that this many bytes more are allocated, or fewer. No allocation is above `isize::MAX`.
fn count(bytes: isize) {
    let pending = PENDING.get().saturating_add(bytes);
    if pending.unsigned_abs() < UNIT.unsigned_abs() {
        PENDING.set(pending);
        return;
    }
    PENDING.set(0);
    limited(USED.fetch_add(pending, Ordering::Relaxed).saturating_add(pending));
}

/// Ends the command if so many bytes are more than it may use.
fn limited(used: isize) {
    if used > 0 && used as usize > LIMIT.load(Ordering::Relaxed) {
        REACHED.store(true, Ordering::Relaxed);
        end();
    }
}

/// Does not return if the limit is reached. It is asked before a file gets its name and before a result is printed, so
/// that a command that fails at the limit has neither.
pub fn check() {
    let pending = PENDING.replace(0);
    limited(USED.fetch_add(pending, Ordering::Relaxed).saturating_add(pending));
    finish();
}

/// Does not return if the command is being ended: whatever it has done meanwhile is not its result.
pub fn finish() {
    if ENDING.load(Ordering::Relaxed) {
        wait();
    }
}

fn wait() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn end() {
    if !ENDING.swap(true, Ordering::Relaxed) {
        tracewright_interrupt::fail();
    }
}

/// Waits for the end of the command if the system had no memory; the thread that ends it gets the null pointer.
fn or_end(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() && !REPORTS.get() {
        end();
        wait();
    }
    pointer
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `realloc`.
        or_end(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) };
        count(-(layout.size() as isize));
    }
}
