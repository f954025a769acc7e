//! Waves of a part of a run and of cycles after it, for what counts the changes of nets.

use tracewright_sim::event::Item;
use tracewright_sim::session::Session;

use super::Driver;
use crate::cosim::AnyError;
use crate::error::Result;
use crate::input::{Bench, Input};

/// Cycles after the end before those in which nothing happens any more.
const SETTLING_CYCLES: u64 = 1024;

impl<G, I, S> Driver<'_, G, I, S>
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
    S: Input<G, I>,
{
    /// Begins and ends the waves of activity.
    pub(super) fn activity(&mut self, is_over: bool) -> Result<()> {
        let Bench { options, model, report, .. } = &mut self.bench;
        let Some(activity) = &options.activity else { return Ok(()) };
        let cycles = report.cycles.saturating_sub(activity.warm_up);
        if report.cycles == activity.warm_up && !is_over {
            model.open_waves(&activity.running)?;
            report.activity = (0, report.instructions);
        } else if cycles == activity.cycles || is_over && (1..activity.cycles).contains(&cycles) {
            model.close_waves()?;
            report.activity = (cycles, report.instructions - report.activity.1);
        }
        Ok(())
    }

    /// Shows nothing after the end, with tracing off, and writes the activity of that.
    pub(super) fn idle(&mut self) -> Result<()> {
        let Some(activity) = &self.bench.options.activity else { return Ok(()) };
        self.activity(true)?;
        self.input.rest(&mut self.bench, 0)?;
        if let Some(enable) = self.pins.enable {
            self.bench.model.set(enable, 0);
        }
        for cycle in 0..SETTLING_CYCLES + activity.idle_cycles {
            if cycle == SETTLING_CYCLES {
                self.bench.model.open_waves(&activity.idle)?;
            }
            self.bench.model.cycle()?;
        }
        Ok(())
    }
}
