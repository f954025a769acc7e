//! The thread that waits for signals.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use rustix::process::Signal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::origin::WithOrigin;
use signal_hook::low_level::siginfo::Cause;

use crate::{foreground, registry};

/// The signals that end the process.
const SIGNALS: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];

/// What a shell adds to the number of a signal for the status of a process that it ended.
const STATUS: i32 = 128;

/// True once [`fail`] was called: SIGUSR1 then comes from this process.
static FAILING: AtomicBool = AtomicBool::new(false);

/// The signal that was passed on last, 0 for none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// Handles signals from now on. A signal that the parent has set to be ignored stays ignored, as by `nohup`.
///
/// After [`fail`], `failure` reports why, and the process exits with the status that it returns.
///
/// # Errors
/// When the signals cannot be handled.
pub fn handle(failure: fn() -> u8) -> io::Result<()> {
    // A write beyond the limit on the size of files then fails, and what it writes is reported.
    signal_hook::flag::register(Signal::XFSZ.as_raw(), Arc::new(AtomicBool::new(false)))?;
    let ignored = ignored();
    let signals = SIGNALS.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = SignalsInfo::<WithOrigin>::new(signals.chain([SIGUSR1]))?;
    let wait = move || {
        for origin in signals.forever() {
            if origin.signal == SIGUSR1 && FAILING.load(Ordering::SeqCst) {
                registry::end(failure().into());
            }
            let foreground = registry::lock().foreground;
            match foreground {
                None => registry::end(STATUS + origin.signal),
                Some(child) => {
                    RECEIVED.store(origin.signal, Ordering::SeqCst);
                    foreground::pass_on(child, origin.signal, origin.cause == Cause::Kernel);
                }
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait).map(|_| ())
}

/// Ends the process soon, from a place that cannot do so itself, such as an allocator. The caller may go on until then.
pub fn fail() {
    FAILING.store(true, Ordering::SeqCst);
    // The only error is an invalid signal.
    let _ = signal_hook::low_level::raise(SIGUSR1);
}

/// The signal that was last passed on to a program in the foreground.
pub fn received() -> Option<i32> {
    Some(RECEIVED.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// The set of ignored signals, bit 0 for signal 1.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
