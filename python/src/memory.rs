//! How much memory the package uses, and the exception when it is more than a program allows or the system has.
//!
//! An allocation of a library cannot fail without ending the process. So two things fail in its place: large arrays,
//! which grow in steps, and what looks after every part of a file or some milliseconds whether the limit is kept.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Smaller allocations are not counted: they are many, and little together.
const COUNTED: usize = 4096;

/// The most bytes that may be used.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Bytes that are used.
static USED: AtomicIsize = AtomicIsize::new(0);

/// What unwinds a function that needs more memory than there is: the sentence.
struct OutOfMemory(String);

/// Notes that so many bytes more are allocated, or fewer.
pub fn count(bytes: isize) {
    if bytes.unsigned_abs() >= COUNTED {
        USED.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Takes so many bytes for a large array; unwinds if the limit does not allow them.
pub fn claim(bytes: usize) {
    let used = USED.fetch_add(bytes as isize, Ordering::Relaxed).saturating_add(bytes as isize);
    if is_above(used) {
        USED.fetch_sub(bytes as isize, Ordering::Relaxed);
        resume_unwind(Box::new(OutOfMemory(refusal())));
    }
}

/// Gives bytes of a large array back.
pub fn release(bytes: usize) {
    USED.fetch_sub(bytes as isize, Ordering::Relaxed);
}

/// Unwinds where the system has no more memory for an array.
pub fn exhausted() -> ! {
    resume_unwind(Box::new(OutOfMemory("this needs more memory than the system gives".into())))
}

fn is_above(used: isize) -> bool {
    used > 0 && used as usize > LIMIT.load(Ordering::Relaxed)
}

fn refusal() -> String {
    let limit = LIMIT.load(Ordering::Relaxed);
    format!("this needs more than the {limit} bytes that limit_memory allows")
}

/// Checks that the limit is kept.
///
/// # Errors
/// `MemoryError` when it is not.
pub fn check() -> PyResult<()> {
    match is_above(USED.load(Ordering::Relaxed)) {
        true => Err(PyMemoryError::new_err(refusal())),
        false => Ok(()),
    }
}

/// What a function gives, or the exception if it had no more memory.
///
/// # Errors
/// Those of the function, and `MemoryError`.
pub fn guarded<T>(function: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(of_panic)
}

/// The exception of what has unwound a function, if that was for memory. Everything else goes on unwinding.
///
/// # Errors
/// `MemoryError`.
pub fn of_panic<T>(payload: Box<dyn Any + Send>) -> PyResult<T> {
    match payload.downcast::<OutOfMemory>() {
        Ok(found) => Err(PyMemoryError::new_err(found.0)),
        Err(other) => resume_unwind(other),
    }
}

/// Sets the most bytes that the package may use from now on, with what it uses now; without a number there is no limit.
#[pyfunction]
#[pyo3(signature = (bytes=None))]
pub fn limit_memory(bytes: Option<usize>) {
    LIMIT.store(bytes.unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// Bytes that the package uses, but for small allocations.
#[pyfunction]
pub fn used_memory() -> usize {
    usize::try_from(USED.load(Ordering::Relaxed)).unwrap_or(0)
}
