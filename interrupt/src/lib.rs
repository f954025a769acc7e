//! The one place that ends child processes, removes temporary files and exits when the process is interrupted.
//!
//! A program calls [`handle`] once, at its start. From then on a thread waits for SIGINT, SIGTERM, SIGHUP and SIGQUIT.
//! When one arrives, this thread ends the child processes that were started by [`output`] or [`Child::spawn`], removes
//! every [`Temporary`], and exits with the conventional status, 128 plus the number of the signal.
//!
//! Hidden files and folders that a killed process has left are removed by a later one that makes something temporary
//! with the same prefix in the same folder, once they are a minute old: each process holds a lock on what it has made
//! as long as it lives.
//!
//! A program in the foreground ([`Foreground`]) gets the signals instead, and the process that started it goes on when
//! it has ended.
//!
//! Children and temporary files are made and registered under one lock, which the thread takes before it begins and
//! never releases. So nothing is made that it does not know, at whatever moment the signal arrives.
//!
//! ```
//! use std::process::Command;
//! use tracewright_interrupt::{Temporary, output};
//!
//! let folder = Temporary::folder_in(&std::env::temp_dir(), "example-")?;
//! let listed = output(Command::new("ls").current_dir(folder.path()))?;
//! assert!(listed.status.success() && listed.stdout.is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

mod children;
mod foreground;
mod left;
mod registry;
mod signals;
mod temporary;

pub use children::{Child, output};
pub use foreground::Foreground;
pub use registry::{finish, uninterrupted};
pub use signals::{fail, handle, received};
pub use temporary::Temporary;
