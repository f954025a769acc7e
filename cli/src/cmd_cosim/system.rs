//! Systems of several harts, of which all is simulated.

use std::path::Path;

use anyhow::{Context, Result};
use tracewright_sim::filter::Settings;
use tracewright_sim::unit::{Hart, System};
use tracewright_testbench::stimulus::Stimulus;
use tracewright_verification::{
    Decoded, Progress, Source, SystemCosimulated, Workload, cosimulate_system,
};

use super::{Arguments, PaceName, Simulated, failed, printed, stimulus};
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::limits;
use crate::pipeline::paths::Input;
use crate::pipeline::print;
use crate::pipeline::progress;
use crate::pipeline::system;
use crate::pipeline::unit;

/// Simulates a system with a trace for each hart.
///
/// # Errors
/// When the file or a trace is bad, a tool is missing, or anything differs.
pub(super) fn run(argument: &str, arguments: &Arguments) -> Result<()> {
    if let Some(option) = refused(arguments)? {
        return Err(usage(format_args!("{option}: a system is simulated without")));
    }
    let asked = system::load(argument)?;
    let workloads = workloads(&asked, arguments)?;
    let fit = |(hart, workload): (&Hart, &Workload)| {
        if !workload.fits(&hart.design) {
            let trace = workload.name();
            return Err(usage(format_args!("hart {}: {trace} is of several cores", hart.name)));
        }
        Ok(Hart { design: workload.design(&hart.design)?, ..hart.clone() })
    };
    let harts = asked.harts.iter().zip(&workloads).map(fit).collect::<Result<_>>()?;
    let system = System { harts, ..asked };
    let stimuli: Vec<Stimulus> = system
        .harts
        .iter()
        .zip(&workloads)
        .zip(0..)
        .map(|((hart, workload), place)| {
            let own = stimulus(arguments, &hart.design, workload);
            let seed = arguments.seed.wrapping_add(place);
            Stimulus { flush_interval: arguments.shown.flush_interval(), seed, ..own }
        })
        .collect();
    let events = workloads.iter().map(|workload| workload.learned().events);
    // Of a folder its own Verilog is simulated.
    let folder = Some(Path::new(argument)).filter(|path| path.is_dir());
    let verilog = arguments.verilog.as_deref().or(folder);
    let progress = progress::bar(events.fold(0, u64::saturating_add), "events");
    let done = cosimulate_system((&system, verilog), &stimuli, &workloads, &progress);
    drop(progress);
    let done = done.with_context(|| argument.to_owned())?;
    let simulated = rows((&system, verilog), &workloads, done);
    match arguments.json {
        true => print::json(&simulated)?,
        false => print::text(printed::table(&simulated))?,
    }
    failed(&simulated)
}

/// An option that systems are simulated without, if one is given.
fn refused(arguments: &Arguments) -> Result<Option<&'static str>> {
    let given = [
        ("--set", !arguments.changes.set.is_empty()),
        ("an option for what is around a design", arguments.around != unit::Arguments::default()),
        ("--images or --program", arguments.program.followed()?.is_some()),
        ("--waves", arguments.waves.is_some()),
        ("--pace", arguments.pace != PaceName::Dense),
        ("an option of the filter", arguments.filter.settings() != Settings::default()),
    ];
    let given = given.into_iter().find_map(|(option, is_given)| is_given.then_some(option));
    Ok(given.or(arguments.shown.of_modules()))
}

/// A workload for each hart: as many as there are harts, or one for all.
fn workloads(system: &System, arguments: &Arguments) -> Result<Vec<Workload>> {
    events::rereadable(&arguments.traces)?;
    let trace = |path: &Input| Source::trace(path.to_path_buf(), arguments.limit, limits::events());
    let mut sources: Vec<Source> = arguments.traces.iter().map(trace).collect();
    let designs: Vec<_> = system.harts.iter().map(|hart| hart.design.clone()).collect();
    for seed in arguments.synthetic.iter().flat_map(|seeds| &seeds.0) {
        sources.push(Source::synthetic(*seed, arguments.limit, &designs).for_risc_v());
    }
    let count = system.harts.len();
    if sources.len() != 1 && sources.len() != count {
        return Err(usage(format_args!(
            "{}: expected a trace for each of its {count} harts, or one for all, found {}",
            system.name,
            sources.len()
        )));
    }
    let learn = |source: Source| Ok(source.learn(&Progress::silent())?);
    let learned: Vec<Workload> = sources.into_iter().map(learn).collect::<Result<_>>()?;
    Ok(learned.iter().cycle().take(count).cloned().collect())
}

/// A row for each hart; what the system does wrong is in the first.
fn rows(
    (system, verilog): (&System, Option<&Path>),
    workloads: &[Workload],
    done: SystemCosimulated,
) -> Vec<Simulated> {
    let SystemCosimulated { report, decoded } = done;
    let per_second = report.cycles as f64 / report.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut failure = report.failure.as_ref().map(ToString::to_string);
    let parts = vec![
        format!("system {} of {} harts", system.name, system.harts.len()),
        "adapters".to_owned(),
        "trace modules".to_owned(),
        system.bus.registers().to_owned(),
        "funnel of messages".to_owned(),
        system.sink.phrase(),
    ];
    let mut decoded = decoded.into_iter();
    let harts = system.harts.iter().zip(workloads).zip(report.harts);
    let rows = harts.map(|((hart, workload), of_hart)| {
        let (decoded_equal, difference, not_decoded) = match decoded.next() {
            None => (None, None, None),
            Some(Decoded::Equal) => (Some(true), None, None),
            Some(Decoded::Different(what)) => (Some(false), Some(what), None),
            Some(Decoded::Not(why)) => (None, None, Some(why)),
        };
        let failure = failure.take();
        Simulated {
            design: hart.design.name.clone(),
            simulated: parts.clone(),
            verilog: verilog.map(Path::to_path_buf),
            trace: workload.name(),
            events: of_hart.events,
            instructions: of_hart.instructions,
            shown_instructions: of_hart.shown,
            bits: of_hart.bits,
            mismatches: failure.is_some().into(),
            cycles: report.cycles,
            stall_cycles: of_hart.stall_cycles,
            lost_instructions: of_hart.lost,
            filtered_instructions: 0,
            fifo_high_water_bits: of_hart.fifo_high_water_bits,
            cycles_per_second: per_second as u64,
            decoded_equal,
            difference,
            not_decoded,
            failure,
        }
    });
    rows.collect()
}
