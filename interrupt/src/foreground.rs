//! A child process that gets the signals instead of this process.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::registry;

/// The time after a SIGTERM or SIGHUP after which the child is killed.
const GRACE: Duration = Duration::from_secs(2);

/// A child process that shares the terminal with this process and gets the signals instead of it.
///
/// Interrupts from the terminal reach the child by themselves; other signals are passed on to it. A child that has not
/// ended two seconds after SIGTERM or SIGHUP is killed. [`received`](crate::received) then has the signal.
#[derive(Debug)]
pub struct Foreground {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Foreground {
    /// Starts the command.
    ///
    /// # Errors
    /// Those of [`Command::spawn`].
    pub fn spawn(command: &mut Command) -> io::Result<Foreground> {
        let mut registry = registry::lock();
        let child = command.spawn()?;
        registry.foreground = Some(Pid::from_child(&child));
        Ok(Foreground { child, ended: None })
    }

    /// Kills the child; [`wait`](Self::wait) then gives its status.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn kill(&mut self) -> io::Result<()> {
        if self.ended.is_some() { Ok(()) } else { self.child.kill() }
    }

    /// Waits until the child has ended; its status.
    ///
    /// # Errors
    /// When the child cannot be waited for.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.ended {
            return Ok(status);
        }
        // The child keeps its number until the registry no longer has it.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options)?;
        let mut registry = registry::lock();
        registry.foreground = None;
        let status = self.child.wait()?;
        self.ended = Some(status);
        Ok(status)
    }
}

impl Drop for Foreground {
    /// Kills a child that nobody has waited for.
    fn drop(&mut self) {
        if self.ended.is_none() {
            let _ = self.child.kill();
            let _ = self.wait();
        }
    }
}

/// Passes a signal on to the child.
pub(crate) fn pass_on(child: Pid, signal: i32, from_terminal: bool) {
    if let Some(signal) = Signal::from_named_raw(signal)
        && !from_terminal
    {
        let _ = kill_process(child, signal);
    }
    if [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP].contains(&signal) {
        thread::spawn(move || {
            thread::sleep(GRACE);
            let registry = registry::lock();
            if registry.foreground == Some(child) {
                let _ = kill_process(child, Signal::KILL);
            }
        });
    }
}
