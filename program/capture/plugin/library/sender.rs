//! The thread that writes to the socket.
//!
//! Programs may close every descriptor that they did not open, and may be allowed only a few. So the socket is in a
//! descriptor table that only this thread has, where nothing that the program does can reach it.

use std::ffi::c_uint;
use std::io::Write;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use crate::system;

/// The way to the thread with the socket.
pub struct Sender {
    messages: mpsc::Sender<Vec<u8>>,
    /// One answer for each message: false after the receiver has closed the socket.
    answers: Receiver<bool>,
    listening: bool,
}

impl Sender {
    /// Starts the thread, and takes the socket out of the descriptor table of the program.
    ///
    /// # Safety
    /// The descriptor is an open socket and belongs to the caller, who no longer uses it.
    pub unsafe fn new(socket: i32) -> Result<Sender, String> {
        let (messages, received) = mpsc::channel::<Vec<u8>>();
        let (answer, answers) = mpsc::channel();
        let work = move || {
            // SAFETY: the thread has a table of its own, and uses and closes nothing but the socket.
            let mut socket = unsafe {
                if system::unshare(system::CLONE_FILES) != 0 {
                    _ = answer.send(false);
                    return;
                }
                close_all_but(socket);
                UnixStream::from_raw_fd(socket)
            };
            _ = answer.send(true);
            for message in received {
                // The standard library's socket raises no SIGPIPE, which would end the program.
                if answer.send(socket.write_all(&message).is_ok()).is_err() {
                    return;
                }
            }
        };
        // SAFETY: the mask is that of this thread, and is restored below.
        let started = unsafe {
            // Signals are for the threads of the program.
            let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            system::sigfillset(all.as_mut_ptr());
            system::pthread_sigmask(system::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            let started = thread::Builder::new().name("tracewright".into()).spawn(work);
            system::pthread_sigmask(system::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
            started
        };
        started.map_err(|error| format!("cannot start a thread: {error}"))?;
        if !answers.recv().unwrap_or(false) {
            return Err("cannot give a thread its own descriptors".into());
        }
        // SAFETY: the thread has its own copy.
        drop(unsafe { OwnedFd::from_raw_fd(socket) });
        Ok(Sender { messages, answers, listening: true })
    }

    /// Sends a message, unless the receiver has closed the socket. It is in the socket when this returns.
    pub fn send(&mut self, header: &[u8], payload: &[u8]) {
        self.listening = self.listening
            && self.messages.send([header, payload].concat()).is_ok()
            && self.answers.recv().unwrap_or(false);
    }
}

/// Closes what the program has open in this thread's table, so that pipes end when the program closes them.
///
/// # Safety
/// The table is not shared.
unsafe fn close_all_but(socket: i32) {
    let socket = socket as c_uint;
    // SAFETY: the caller's.
    unsafe {
        if let Some(last) = socket.checked_sub(1) {
            system::close_range(0, last);
        }
        system::close_range(socket + 1, c_uint::MAX);
    }
}
