//! What hardware is shown besides blocks and a sink: what the command line says, or what is drawn from a seed.

use std::str::FromStr;

use clap::Args;
use tracewright_testbench::stimulus::Stimulus;

use crate::pipeline::count;

/// The flush interval of runs with discards where none is given.
const DISCARD_INTERVAL: u64 = 300;

/// Options that leave open what the seed of a synthetic program draws.
#[derive(Args)]
pub(super) struct Shown {
    /// Flush after this many events, or accesses where those are traced; 0 is only at the end. What this option and
    /// the next six leave open is drawn from the seed of each synthetic program, and off for traces
    #[arg(long, value_name = "EVENTS", value_parser = count::parse)]
    flush_interval: Option<u64>,
    /// Request a synchronisation in one of 1,024 cycles
    #[arg(long, value_name = "ON", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    sync_requests: Option<bool>,
    /// Discard what is in the module in some flushes that do not end the run, where it has a pin for it; without a
    /// flush interval after every 300 events
    #[arg(long, value_name = "ON", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    discards: Option<bool>,
    /// Retire nothing before the tables are clear after reset, where the trace is made of packets
    #[arg(long, value_name = "ON", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    idle_start: Option<bool>,
    /// Let a core that cannot wait mostly retire nothing while that would be lost; on for traces, too, if it is left
    /// open
    #[arg(long, value_name = "ON", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pauses: Option<bool>,
    /// Reset module and core after so many cycles, counted from the reset before, where the trace is made of packets;
    /// `none` is never
    #[arg(long, value_name = "CYCLES[,CYCLES...]")]
    resets: Option<Resets>,
    /// Hold each reset for so many clocks; 4 for traces if it is left open
    #[arg(long, value_name = "CLOCKS", value_parser = clap::value_parser!(u32).range(1..=1000))]
    reset_clocks: Option<u32>,
}

/// Cycles after which resets come.
#[derive(Clone, Debug)]
struct Resets(Vec<u64>);

impl FromStr for Resets {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            |part: &str| count::parse(part.trim()).map_err(|error| format!("`{part}`: {error}"));
        let resets: Vec<u64> = match text {
            "none" => Vec::new(),
            _ => text.split(',').map(number).collect::<Result<_, _>>()?,
        };
        if resets.contains(&0) {
            return Err("a reset after 0 cycles is none".into());
        }
        Ok(Resets(resets))
    }
}

impl Shown {
    /// Events after which the trace is flushed, as the command line says.
    pub(super) fn flush_interval(&self) -> Option<u64> {
        self.flush_interval
    }

    /// The first option that units are simulated without.
    pub(super) fn of_modules(&self) -> Option<&'static str> {
        let is_on = |option: Option<bool>| option == Some(true);
        let given = [
            ("--sync-requests", is_on(self.sync_requests)),
            ("--discards", is_on(self.discards)),
            ("--idle-start", is_on(self.idle_start)),
            ("--pauses", is_on(self.pauses)),
            ("--resets", self.resets.as_ref().is_some_and(|resets| !resets.0.is_empty())),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// What a run is shown. A synthetic program has a seed, which draws what is left open.
    pub(super) fn apply(&self, open: Stimulus, seed: Option<u64>, has_packets: bool) -> Stimulus {
        let drawn = match seed {
            None => open,
            Some(seed) if has_packets => open.varied(seed).with_resets(seed),
            Some(seed) => open.varied(seed),
        };
        let discards = self.discards.unwrap_or(drawn.discards);
        let flushes = drawn.flush_interval.or_else(|| discards.then_some(DISCARD_INTERVAL));
        let resets = self.resets.as_ref().map(|resets| resets.0.clone());
        Stimulus {
            flush_interval: self.flush_interval.or(flushes),
            sync_requests: self.sync_requests.unwrap_or(drawn.sync_requests),
            discards,
            idle_start: self.idle_start.unwrap_or(drawn.idle_start),
            pauses: self.pauses.unwrap_or(drawn.pauses),
            resets: resets.unwrap_or(drawn.resets).into_iter().filter(|_| has_packets).collect(),
            reset_clocks: self.reset_clocks.unwrap_or(drawn.reset_clocks),
            ..drawn
        }
    }
}
