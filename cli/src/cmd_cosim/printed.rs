//! What a co-simulation prints.

use super::{Simulated, units};
use crate::pipeline::print::{grouped, ratio};
use crate::pipeline::table::{self, Table};
use crate::pipeline::trace_names::TraceNames;

/// The table of the runs, and sentences below it.
pub(super) fn table(simulated: &[Simulated]) -> String {
    let header = [
        "design",
        "trace",
        "instructions",
        "bits",
        "bits/instruction",
        "cycles",
        "stall cycles",
        "FIFO high water",
        "hardware = model",
        "decoded = trace",
    ];
    let mut table = Table::new(&header, 2).named_by(2);
    let names = TraceNames::of(simulated.iter().map(|one| one.trace.as_str()));
    let equal = |equal: Option<bool>| {
        String::from(match equal {
            Some(true) => "equal",
            Some(false) => "DIFFERENT",
            None => "not decoded",
        })
    };
    for one in simulated {
        table.add_row([
            one.design.clone(),
            names.name(&one.trace).into(),
            grouped(one.instructions),
            grouped(one.bits),
            format!("{:.4}", ratio(one.bits, one.instructions)),
            grouped(one.cycles),
            grouped(one.stall_cycles),
            grouped(one.fifo_high_water_bits),
            equal(Some(one.failure.is_none())),
            equal(one.decoded_equal),
        ]);
    }
    let lost = simulated.iter().filter(|one| one.lost_instructions > 0).map(|one| {
        format!(
            "{}, {}: {} of the instructions were lost because they could not wait\n",
            one.design,
            one.trace,
            grouped(one.lost_instructions)
        )
    });
    let filtered = simulated.iter().filter(|one| one.filtered_instructions > 0).map(|one| {
        format!(
            "{}, {}: {} of the instructions did not pass the filter\n",
            one.design,
            one.trace,
            grouped(one.filtered_instructions)
        )
    });
    names.heading()
        + &table.to_text()
        + &table::sentences(
            &units::sentences(simulated).chain(lost).chain(filtered).collect::<String>(),
        )
}
