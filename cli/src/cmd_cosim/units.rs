//! Units: designs with what stands around them, of which all is simulated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tracewright_sim::filter::Settings;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::{Ingress, Unit};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_verification::{Decoded, Progress, UnitCosimulated, Workload, cosimulate_unit};

use super::{Arguments, PaceName, Simulated, stimulus};
use crate::pipeline::design;
use crate::pipeline::failure::usage;
use crate::pipeline::unit::{self, Sections};

/// The units that the arguments name, each with what its file or the options put around it.
///
/// # Errors
/// When there is no such design, or it cannot have what is asked for.
pub(super) fn load(names: &[String], arguments: &Arguments) -> Result<Vec<Unit>> {
    let has_control = arguments.around.asks_registers();
    let asked = design::asked_units(names, &arguments.changes, has_control)?;
    let fitted = asked.iter().map(|unit| {
        let (around, design) = arguments.around.around(unit)?;
        let unit = around.unit(&design);
        match is_bare(&unit) {
            true => Ok(unit),
            false => of_units(arguments).map_or(Ok(unit), Err),
        }
    });
    fitted.collect()
}

/// The folder of each unit that `generate` wrote, if the arguments name it and change nothing: what lies there is simulated.
///
/// # Errors
/// Those of [`load`].
pub(super) fn folders(names: &[String], arguments: &Arguments) -> Result<Vec<Option<PathBuf>>> {
    let has_control = arguments.around.asks_registers();
    let mut folders = Vec::new();
    for name in names {
        let asked =
            design::asked_units(std::slice::from_ref(name), &arguments.changes, has_control)?;
        for unit in &asked {
            let is_folder = design::is_folder(name) && arguments.changes.set.is_empty();
            let own = || unit::Arguments::default().around(unit);
            let is_same = is_folder && {
                let ((own, _), (asked, _)) = (own()?, arguments.around.around(unit)?);
                Sections::of(&own) == Sections::of(&asked)
            };
            folders.push(is_same.then(|| PathBuf::from(name)));
        }
    }
    Ok(folders)
}

/// True if one of the units is shown instructions as RISC-V cores do.
pub(super) fn has_words(units: &[Unit]) -> bool {
    let of_words = |unit: &Unit| matches!(unit.ingress, Some(Ingress::Rvfi(_) | Ingress::Tip(_)));
    units.iter().any(of_words)
}

/// True if nothing stands around the design.
pub(super) fn is_bare(unit: &Unit) -> bool {
    unit.ingress.is_none() && unit.sinks.is_empty() && unit.control.is_none()
}

/// Refuses options that units are simulated without.
fn of_units(arguments: &Arguments) -> Option<anyhow::Error> {
    let given = [
        ("--waves", arguments.waves.is_some()),
        ("--pace", arguments.pace != PaceName::Dense),
        ("an option of the filter", arguments.filter.settings() != Settings::default()),
    ];
    let given = given.into_iter().find_map(|(option, is_given)| is_given.then_some(option));
    let option = given.or(arguments.shown.of_modules())?;
    Some(usage(format_args!(
        "{option}: a unit is simulated without: expected --ingress blocks, --control none and no sink, with which the trace \
         module alone is simulated"
    )))
}

/// Simulates a unit whose design is for the machine of the workload.
pub(super) fn simulate(
    arguments: &Arguments,
    (unit, verilog): (&Unit, Option<&Path>),
    design: &Design,
    workload: &Workload,
    progress: &Progress,
) -> Result<Simulated> {
    let stimulus = Stimulus {
        flush_interval: arguments.shown.flush_interval(),
        ..stimulus(arguments, design, workload)
    };
    let unit = Unit { design: design.clone(), ..unit.clone() };
    let of_folder = (&unit, verilog);
    let UnitCosimulated { report, decoded, parts } =
        cosimulate_unit(of_folder, &stimulus, workload, progress)?;
    let per_second = report.cycles as f64 / report.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let (decoded_equal, difference, not_decoded) = match decoded {
        None => (None, None, None),
        Some(Decoded::Equal) => (Some(true), None, None),
        Some(Decoded::Different(what)) => (Some(false), Some(what), None),
        Some(Decoded::Not(why)) => (None, None, Some(why)),
    };
    Ok(Simulated {
        design: design.name.clone(),
        verilog: verilog.map(Path::to_path_buf),
        simulated: parts,
        trace: workload.name(),
        events: report.events,
        instructions: report.instructions,
        shown_instructions: report.shown,
        bits: report.bits,
        mismatches: report.failure.is_some().into(),
        cycles: report.cycles,
        stall_cycles: report.stall_cycles,
        lost_instructions: report.lost,
        filtered_instructions: 0,
        fifo_high_water_bits: report.fifo_high_water_bits,
        cycles_per_second: per_second as u64,
        decoded_equal,
        difference,
        not_decoded,
        failure: report.failure.map(|failure| failure.to_string()),
    })
}

/// What was simulated of each unit: sentences below the table.
pub(super) fn sentences(simulated: &[Simulated]) -> impl Iterator<Item = String> {
    let units = simulated.iter().filter(|one| one.simulated.len() > 1);
    let sentences =
        units.map(|one| format!("{}: unit: {}\n", one.design, one.simulated.join(", ")));
    let folders = simulated.iter().filter_map(|one| {
        let folder = one.verilog.as_ref()?;
        Some(format!("{}: the Verilog files in {} were simulated\n", one.design, folder.display()))
    });
    let of_units = sentences.chain(folders).collect::<BTreeSet<_>>().into_iter();
    of_units.chain(simulated.iter().filter_map(|one| {
        let why = one.not_decoded?;
        Some(format!("{}, {}: not decoded: {why}\n", one.design, one.trace))
    }))
}
