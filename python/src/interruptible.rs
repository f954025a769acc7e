//! Long functions that Ctrl-C ends.
//!
//! Only the main thread of Python learns of signals, and the libraries' functions return when they are done. So such a
//! function runs in a thread of its own, while this one waits for its end or for a signal. After a signal, the next
//! report of progress unwinds the function.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use tracewright_verification::Progress;

use crate::{memory, process};

/// How often signals are looked for.
const INTERVAL: Duration = Duration::from_millis(50);

/// What unwinds a function that was interrupted.
struct Interrupted;

/// Runs a function without the interpreter's lock. It is ended by a signal, and by a limit of memory that is not kept, at its
/// next report of progress.
///
/// # Errors
/// Those of the function, the exception that a handler of a signal has raised, and `MemoryError`.
pub fn run<T: Send>(
    py: Python<'_>,
    function: impl FnOnce(&Progress) -> PyResult<T> + Send,
) -> PyResult<T> {
    let stopped = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stopped);
    let progress = Progress::new(move |_| {
        if asked.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Interrupted));
        }
    });
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, done) = channel();
            let worker = scope.spawn(move || {
                // Dropped at the end, also where the function unwinds.
                let _sender = sender;
                process::with_own_threads(|| function(&progress))
            });
            let mut exception = None;
            // Nothing is ever sent: the channel is closed at the end.
            while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(INTERVAL) {
                if exception.is_none() {
                    exception =
                        Python::attach(|py| py.check_signals().and_then(|()| memory::check()))
                            .err();
                    stopped.store(exception.is_some(), Ordering::Relaxed);
                }
                let _: &std::sync::mpsc::Receiver<()> = &done;
            }
            match (worker.join(), exception) {
                (_, Some(exception)) => Err(exception),
                (Ok(result), None) => result,
                (Err(panic), None) => memory::of_panic(panic),
            }
        })
    })
}
