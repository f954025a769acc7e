//! The threads of a process that was forked.
//!
//! The pool of rayon is one for a process, and its threads do not go with a fork: what a child gives to that pool is
//! never done. So a child, such as one of `multiprocessing.Pool`, gets a pool of its own.

use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// The process that has used the pool of rayon first; 0 before.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// The pool of another process and its number. A lock could be held by a thread that a fork left over.
static OWN: AtomicPtr<(u32, ThreadPool)> = AtomicPtr::new(ptr::null_mut());

/// Runs a function so that its threads are those of this process.
///
/// # Errors
/// Those of the function, and when threads cannot be started.
pub fn with_own_threads<T: Send>(function: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let id = process::id();
    match FIRST.compare_exchange(0, id, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => function(),
        Err(first) if first == id => function(),
        Err(_) => own_pool(id)?.install(function),
    }
}

/// The pool of this process, which stays to its end.
fn own_pool(id: u32) -> PyResult<&'static ThreadPool> {
    let known = OWN.load(Ordering::Acquire);
    // SAFETY: what the pointer is set to is never freed.
    if let Some((of, pool)) = unsafe { known.as_ref() }
        && *of == id
    {
        return Ok(pool);
    }
    let pool = ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| Error::new_err(format!("cannot start threads: {error}")))?;
    let made: &'static mut (u32, ThreadPool) = Box::leak(Box::new((id, pool)));
    let pointer = ptr::from_mut(made);
    // Another thread may have made one meanwhile. Either will do.
    OWN.store(pointer, Ordering::Release);
    // SAFETY: it was leaked just now.
    Ok(unsafe { &(*pointer).1 })
}
