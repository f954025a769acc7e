//! A progress bar on the terminal for work that takes longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
pub use tracewright_verification::Progress;

/// The time after which the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// True while a bar is shown: one that works at the same time is not, because they would draw over each other.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// A bar that is cleared when nothing reports to it any more.
struct Bar {
    bar: ProgressBar,
    begin: Instant,
    shown: AtomicBool,
}

impl Bar {
    fn add(&self, done: u64) {
        if self.begin.elapsed() > PATIENCE
            && !self.shown.load(Ordering::Relaxed)
            && !IS_SHOWN.swap(true, Ordering::Relaxed)
        {
            self.shown.store(true, Ordering::Relaxed);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if self.shown.load(Ordering::Relaxed) {
            IS_SHOWN.store(false, Ordering::Relaxed);
        }
    }
}

/// A bar for `total` of a `unit`, which is `bytes` or a word for what is counted; a count and a rate if `total` is 0,
/// which means that it is not known. Nothing is drawn unless standard error is a terminal.
pub fn bar(total: u64, unit: &str) -> Progress {
    let length = (total > 0).then_some(total);
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
    let template: String = match (unit, length) {
        ("bytes", Some(_)) => "{wide_bar} {percent:>3} %  {bytes}/{total_bytes}  {eta}".into(),
        ("bytes", None) => "{spinner} {bytes}  {bytes_per_sec}".into(),
        (_, Some(_)) => {
            format!("{{wide_bar}} {{percent:>3}} %  {{human_pos}}/{{human_len}} {unit}  {{eta}}")
        }
        (_, None) => format!("{{spinner}} {{human_pos}} {unit}  {{per_sec}}"),
    };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    let bar = Bar { bar, begin: Instant::now(), shown: AtomicBool::new(false) };
    Progress::new(move |done| bar.add(done))
}
