//! Plots of a trace in time: bursts, lengths of records, bandwidth, and the level of the buffer.

use tracewright_sim::encode::dynamics::{BURST_CYCLES, Dynamics};

use super::Plot;
use super::chart::{Chart, Series};
use crate::figures::grouped;

/// Parts of a run in the plots over time.
const PARTS: usize = 96;

/// Share of the records, in percent, at which the plot of their lengths ends.
const MOST_RECORDS: f64 = 99.9;

/// The most designs in a plot, which has a colour for each.
const MOST_DESIGNS: usize = 12;

/// One design on one trace.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Name of the design.
    pub design: String,
    /// Name of the trace.
    pub trace: String,
    /// Its bits in time.
    pub dynamics: Dynamics,
}

/// All plots; empty without a measured design. Of more than a dozen designs the first are drawn.
pub fn plots(all: &[Timed]) -> Vec<Plot> {
    let mut designs: Vec<&str> = Vec::new();
    for timed in all {
        if !designs.contains(&timed.design.as_str()) && designs.len() < MOST_DESIGNS {
            designs.push(&timed.design);
        }
    }
    let Some(busiest) = busiest(all, &designs) else { return Vec::new() };
    let on_busiest: Vec<&Timed> = all
        .iter()
        .filter(|timed| timed.trace == busiest && designs.contains(&timed.design.as_str()))
        .collect();
    vec![
        bursts(all, &designs),
        record_lengths(all, &designs),
        bandwidth(&on_busiest, busiest),
        buffer_level(&on_busiest, busiest),
    ]
}

/// The trace on which the first design has its worst long burst.
fn busiest<'a>(all: &'a [Timed], designs: &[&str]) -> Option<&'a str> {
    let of_first = all.iter().filter(|timed| Some(&timed.design.as_str()) == designs.first());
    let worst = |timed: &Timed| timed.dynamics.worst_bits_per_cycle()[2];
    let busiest = of_first.max_by(|one, other| worst(one).total_cmp(&worst(other)))?;
    Some(&busiest.trace)
}

fn series(name: &str, values: impl Iterator<Item = f64>) -> Series {
    Series {
        name: name.into(),
        is_total: false,
        here: values.map(Some).collect(),
        paper: Vec::new(),
    }
}

fn bursts(all: &[Timed], designs: &[&str]) -> Plot {
    let of_design = |design: &&str| {
        let mut worst = [0.0f64; BURST_CYCLES.len()];
        for timed in all.iter().filter(|timed| timed.design == **design) {
            for (worst, here) in worst.iter_mut().zip(timed.dynamics.worst_bits_per_cycle()) {
                *worst = worst.max(here);
            }
        }
        series(design, worst.into_iter())
    };
    let chart = Chart {
        title: "Worst windows".into(),
        across: "cycles of the window".into(),
        unit: "bits/cycle".into(),
        columns: BURST_CYCLES.map(grouped).into(),
        series: designs.iter().map(of_design).collect(),
    };
    Plot {
        id: "worst-windows",
        title: "Worst windows",
        caption: "The most bits per cycle in a window of so many cycles, over all traces, at one instruction per cycle. A \
                  port of so many pins keeps up with such a burst without a buffer."
            .into(),
        svg: chart.lines(),
    }
}

fn record_lengths(all: &[Timed], designs: &[&str]) -> Plot {
    let cumulative = |design: &&str| {
        let mut sum = Dynamics::default();
        for timed in all.iter().filter(|timed| timed.design == **design) {
            for (sum, count) in sum.record_bits.iter_mut().zip(&timed.dynamics.record_bits) {
                *sum += count;
            }
        }
        sum.cumulative_record_bits()
    };
    let shares: Vec<Vec<f64>> = designs.iter().map(cumulative).collect();
    let longest = shares
        .iter()
        .map(|shares| shares.iter().take_while(|share| **share < MOST_RECORDS).count());
    let longest = longest.max().unwrap_or(0).max(1);
    let of_design = |(design, shares): (&&str, &Vec<f64>)| {
        series(design, shares.iter().take(longest + 1).skip(1).copied())
    };
    let chart = Chart {
        title: "Lengths of records".into(),
        across: "bits of a record, at most".into(),
        unit: "records (%)".into(),
        columns: (1..=longest).map(|bits| bits.to_string()).collect(),
        series: designs.iter().zip(&shares).map(of_design).collect(),
    };
    Plot {
        id: "record-lengths",
        title: "Lengths of records",
        caption:
            "The share of records of at most so many bits, over all traces, up to where 99.9 % are."
                .into(),
        svg: chart.lines(),
    }
}

/// Names of the parts of a run.
fn parts(count: usize) -> Vec<String> {
    (1..=count).map(|part| part.to_string()).collect()
}

fn bandwidth(on_trace: &[&Timed], trace: &str) -> Plot {
    let cycles = |timed: &&Timed| {
        let bits = &timed.dynamics.bits;
        bits.cycles * bits.values.len() as u64
    };
    let cycles = on_trace.iter().map(cycles).max().unwrap_or(0);
    let of_design = |timed: &&Timed| {
        series(&timed.design, timed.dynamics.bits.in_parts(PARTS, cycles).into_iter())
    };
    let chart = Chart {
        title: format!("Bandwidth over time on {trace}"),
        across: format!("part of the run, of {} cycles each", grouped(cycles / PARTS as u64)),
        unit: "bits/cycle".into(),
        columns: parts(PARTS),
        series: on_trace.iter().map(of_design).collect(),
    };
    Plot {
        id: "bandwidth-over-time",
        title: "Bandwidth over time",
        caption: format!(
            "On {trace}, the trace with the worst burst, at one instruction per cycle."
        ),
        svg: chart.lines(),
    }
}

/// How long the parts are in which the level is the highest: whole windows, of as many cycles as a design's run needs.
fn part_cycles(on_trace: &[&Timed]) -> String {
    let cycles = |timed: &&Timed| {
        let level = &timed.dynamics.buffer_level;
        level.cycles * level.values.len().div_ceil(PARTS).max(1) as u64
    };
    let (least, most) = (on_trace.iter().map(cycles).min(), on_trace.iter().map(cycles).max());
    match (least.unwrap_or(0), most.unwrap_or(0)) {
        (least, most) if least == most => {
            format!("part of the run, of {} cycles each", grouped(most))
        }
        (least, most) => {
            format!("part of the run, of {} to {} cycles by design", grouped(least), grouped(most))
        }
    }
}

fn buffer_level(on_trace: &[&Timed], trace: &str) -> Plot {
    let levels: Vec<Vec<u64>> =
        on_trace.iter().map(|timed| timed.dynamics.buffer_level.highest_in_parts(PARTS)).collect();
    let most = levels.iter().map(Vec::len).max().unwrap_or(0);
    let of_design = |(timed, levels): (&&Timed, &Vec<u64>)| {
        series(&timed.design, levels.iter().map(|level| *level as f64))
    };
    let chart = Chart {
        title: format!("Level of the output buffer over time on {trace}"),
        across: part_cycles(on_trace),
        unit: "bits, highest".into(),
        columns: parts(most),
        series: on_trace.iter().zip(&levels).map(of_design).collect(),
    };
    Plot {
        id: "buffer-over-time",
        title: "Level of the output buffer over time",
        caption: format!(
            "The highest level in each part of the run on {trace}. Each design has its own buffer and port; a core stalls \
             where its buffer is full."
        ),
        svg: chart.lines(),
    }
}
