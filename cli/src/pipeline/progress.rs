//! A progress bar on the terminal for work that takes longer than a second.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time after which the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of a command. Nothing is drawn unless standard error is a terminal.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bar: ProgressBar,
    begin: Instant,
    shown: AtomicBool,
}

impl Progress {
    /// Starts at 0 of `total`; `unit` is `bytes` or a word for what is counted.
    pub fn new(total: u64, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let counts = if unit == "bytes" {
            "{bytes}/{total_bytes}".into()
        } else {
            format!("{{pos}}/{{len}} {unit}")
        };
        let template = format!("{{wide_bar}} {{percent:>3}} %  {counts}  {{eta}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        Self(Arc::new(Inner { bar, begin: Instant::now(), shown: AtomicBool::new(false) }))
    }

    /// Adds to what is done.
    pub fn add(&self, done: u64) {
        if self.0.begin.elapsed() > PATIENCE && !self.0.shown.swap(true, Ordering::Relaxed) {
            self.0.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.0.bar.inc(done);
    }

    /// Wraps a reader so that its bytes are added to the progress.
    pub fn reader<R: Read>(&self, source: R) -> Counting<R> {
        Counting { source, progress: self.clone() }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A reader that counts its bytes.
#[derive(Debug)]
pub struct Counting<R> {
    source: R,
    progress: Progress,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(into)?;
        self.progress.add(count as u64);
        Ok(count)
    }
}
