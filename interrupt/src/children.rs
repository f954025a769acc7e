//! Child processes that end when this process is interrupted.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{self, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::process::Pid;
use tempfile::TempDir;

use crate::registry::{self, end_groups};
use crate::temporary::Temporary;

/// A child process in a process group of its own, with the processes that it starts.
///
/// Its temporary files go to a folder that is removed after it, because few programs remove them when they are
/// interrupted.
#[derive(Debug)]
pub struct Child {
    child: process::Child,
    registered: Registered,
    temporary: Temporary<TempDir>,
}

/// The entry of a child in the registry.
#[derive(Debug)]
struct Registered(Pid);

impl Drop for Registered {
    fn drop(&mut self) {
        registry::lock().children.retain(|child| *child != self.0);
    }
}

impl Child {
    /// Starts the command.
    ///
    /// # Errors
    /// Those of [`Command::spawn`].
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        // A caller takes an error of the kind `NotFound` for a program that is not installed.
        let no_folder = |error| io::Error::other(format!("no temporary folder: {error}"));
        let temporary = Temporary::folder().map_err(no_folder)?;
        command.env("TMPDIR", temporary.path()).process_group(0);
        let mut registry = registry::lock();
        let child = command.spawn()?;
        let group = Pid::from_child(&child);
        registry.children.push(group);
        Ok(Child { child, registered: Registered(group), temporary })
    }

    /// The status, if the child has ended.
    ///
    /// # Errors
    /// Those of [`process::Child::try_wait`].
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// The processor time that the child's threads have taken; `None` where the system does not say it.
    pub fn processor_time(&self) -> Option<Duration> {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name of the program, in parentheses, can have blanks; user and system time are the 12th and 13th after it, in
        // hundredths of a second.
        let (_, after) = status.rsplit_once(')')?;
        let times = after.split_whitespace().skip(11).take(2);
        let ticks = times.map(|ticks| ticks.parse::<u64>().ok()).sum::<Option<u64>>()?;
        Some(Duration::from_millis(10 * ticks))
    }

    /// Ends the child and the processes that it has started.
    ///
    /// # Errors
    /// When the child cannot be waited for.
    pub fn end(mut self) -> io::Result<()> {
        // The child that has ended is in its group until it is waited for.
        let group = self.registered.0;
        let ending = std::thread::spawn(move || end_groups(&[group]));
        let waited = self.child.wait().map(|_| ());
        let _ = ending.join();
        waited
    }
}

/// Runs a command to its end without input and collects what it prints.
///
/// # Errors
/// Those of [`Command::output`].
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Child { child, registered, temporary } = Child::spawn(command)?;
    let output = child.wait_with_output();
    drop((registered, temporary));
    output
}
