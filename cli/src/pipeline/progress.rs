//! A progress bar on the terminal for work that takes longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
pub use tracewright_verification::Progress;

/// The time after which the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that is cleared when nothing reports to it any more.
struct Bar {
    bar: ProgressBar,
    begin: Instant,
    shown: AtomicBool,
}

impl Bar {
    fn add(&self, done: u64) {
        if self.begin.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for `total` of a `unit`, which is `bytes` or a word for what is counted. Nothing is drawn unless standard
/// error is a terminal.
pub fn bar(total: u64, unit: &str) -> Progress {
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
    let bar = Bar { bar, begin: Instant::now(), shown: AtomicBool::new(false) };
    Progress::new(move |done| bar.add(done))
}
