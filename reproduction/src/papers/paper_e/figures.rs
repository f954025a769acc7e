//! The figures of paper E.

use super::{
    CORES, ON_CORES, Per, TABLE_2_TOTAL, TABLE_5_TOTAL, TABLE_6_TOTAL, all, bandwidth, nexus, on,
    total, traced, traptor,
};
use crate::artefact::{Artefact, Cell, Drawing, Row};
use crate::error::Result;
use crate::place::Place;
use crate::run::Results;
use crate::run::cores::{Mechanism, Module, OnCores};
use crate::run::predictions::{MOST_BITS, cumulative};

pub(super) fn figure_9(results: &Results) -> Result<Artefact> {
    const MOST: usize = 32;
    let two_cores: Vec<&OnCores> =
        (0..results.programs.len()).filter_map(|program| on(results, program, 2)).collect();
    let row = |(place, name): (usize, &str)| {
        let mut lengths = [0; MOST_BITS + 1];
        for on_cores in &two_cores {
            for (sum, count) in lengths.iter_mut().zip(on_cores.lengths[place].iter()) {
                *sum += count;
            }
        }
        Row::new(name, cumulative(&lengths, MOST).into_iter().map(Cell::here).collect())
    };
    let fields = ["bCnt", "|diffTA|", "diffCC"];
    let mut rows: Vec<Row> = fields.into_iter().enumerate().map(row).collect();
    rows[0].cells[2].paper = Some(60.0);
    rows[1].cells[15].paper = Some(70.0);
    Ok(Artefact {
        place: Place::figure('E', 9),
        title: "Bits of branch counts, target differences and time stamps, cumulated, on two cores",
        unit: "%",
        of: "field",
        across: "bits",
        decimals: 1,
        columns: (1..=MOST).map(|bits| bits.to_string()).collect(),
        rows,
        drawing: Drawing::Lines,
        notes: vec![
            "mcfTRaptor Large on all programs; the paper draws raytrace alone, and its text names two values.".into(),
            ON_CORES.into(),
        ],
    })
}

/// Bits per instruction or cycle of every mechanism by cores, with the lowest and highest program.
fn by_cores(
    results: &Results,
    place: Place,
    title: &'static str,
    timed: bool,
    per: Per,
    printed: impl Fn(Mechanism, usize) -> Option<f64>,
) -> Artefact {
    let mut rows = Vec::new();
    for mechanism in Mechanism::all().into_iter().filter(|one| one.timed == timed) {
        let name = match mechanism.module {
            Module::Nexus => mechanism.name(),
            module => format!("{} {}", mechanism.name(), module.name()),
        };
        let totals = CORES.into_iter().enumerate().map(|(column, cores)| Cell {
            here: total(results, cores, mechanism, per),
            paper: printed(mechanism, column),
        });
        rows.push(Row::total(&name, totals.collect()));
        let bound = |bound: fn(f64, f64) -> f64| {
            let cells = CORES.map(|cores| {
                let programs = all(results, cores, mechanism);
                let values = programs.map(|(on_cores, traced)| bandwidth(on_cores, traced, per));
                Cell { here: values.reduce(bound), paper: None }
            });
            cells.to_vec()
        };
        rows.push(Row::new(format!("{name}, lowest program"), bound(f64::min)));
        rows.push(Row::new(format!("{name}, highest program"), bound(f64::max)));
    }
    Artefact {
        place,
        title,
        unit: if per == Per::Instruction { "bits/instruction" } else { "bits/cycle" },
        of: "trace",
        across: "cores",
        decimals: 4,
        columns: CORES.map(|cores| cores.to_string()).into(),
        rows,
        drawing: Drawing::Lines,
        notes: vec![ON_CORES.into()],
    }
}

pub(super) fn figure_10(results: &Results) -> Result<Artefact> {
    let title = "Bits per instruction of functional traces";
    let printed = |mechanism: Mechanism, column: usize| match (mechanism.module, mechanism.variable)
    {
        (Module::Nexus, _) => Some(TABLE_5_TOTAL[column][0]),
        (Module::Large, variable) => Some(TABLE_5_TOTAL[column][1 + usize::from(variable)]),
        _ => None,
    };
    Ok(by_cores(results, Place::figure('E', 10), title, false, Per::Instruction, printed))
}

pub(super) fn figure_11(results: &Results) -> Result<Artefact> {
    let title = "Bits per cycle of functional traces";
    let printed = |mechanism: Mechanism, column: usize| match (mechanism.module, mechanism.variable)
    {
        (Module::Nexus, _) => Some(TABLE_2_TOTAL[0][1][column]),
        // Named in section 6.1.
        (Module::Large, true) => [Some(0.015), None, None, Some(0.116)][column],
        _ => None,
    };
    Ok(by_cores(results, Place::figure('E', 11), title, false, Per::Cycle, printed))
}

pub(super) fn figure_13(results: &Results) -> Result<Artefact> {
    let title = "Bits per cycle of traces with time stamps";
    let printed = |mechanism: Mechanism, column: usize| match (mechanism.module, mechanism.variable)
    {
        (Module::Nexus, _) => Some(TABLE_2_TOTAL[1][1][column]),
        // Named in section 6.2.
        (Module::Large, true) => [Some(0.039), None, None, Some(0.246)][column],
        _ => None,
    };
    Ok(by_cores(results, Place::figure('E', 13), title, true, Per::Cycle, printed))
}

/// The fields of Figure 12, and the names of the fields here that are counted as each.
const PARTS: [(&str, &[&str]); 4] = [
    ("Ti", &["thread"]),
    ("diffCC", &["clocks"]),
    ("bCnt or SL", &["branch_count", "stream_length", "extended", "instruction_count", "outcome"]),
    ("diffTA", &["target_difference", "target_sign", "target"]),
];

pub(super) fn figure_12(results: &Results) -> Result<Artefact> {
    let mut rows = Vec::new();
    for mechanism in Mechanism::all().into_iter().filter(|one| one.timed) {
        for cores in CORES {
            let (mut parts, mut instructions) = ([0; PARTS.len()], 0);
            for (on_cores, traced) in all(results, cores, mechanism) {
                instructions += on_cores.instructions;
                for (field, bits) in &traced.account.fields {
                    let part = PARTS.iter().position(|(_, names)| names.contains(field));
                    parts[part.unwrap_or(2)] += bits;
                }
            }
            let per = |bits: u64| (instructions > 0).then(|| bits as f64 / instructions as f64);
            let mut cells: Vec<Cell> = parts.map(|bits| Cell::new(per(bits), None)).into();
            let place = CORES.iter().position(|one| *one == cores).unwrap_or(0);
            let printed = match (mechanism.module, mechanism.variable) {
                (Module::Nexus, _) => Some(TABLE_6_TOTAL[place][0]),
                (Module::Large, variable) => Some(TABLE_6_TOTAL[place][1 + usize::from(variable)]),
                _ => None,
            };
            cells.push(Cell::new(per(parts.iter().sum()), printed));
            let name = match mechanism.module {
                Module::Nexus => mechanism.name(),
                module => format!("{} {}", mechanism.name(), module.name()),
            };
            rows.push(Row::new(format!("{name}, N = {cores}"), cells));
        }
    }
    let columns = PARTS.iter().map(|(name, _)| (*name).to_owned()).chain(["total".into()]);
    Ok(Artefact {
        place: Place::figure('E', 12),
        title: "Bits per instruction of traces with time stamps, field by field",
        unit: "bits/instruction",
        of: "trace",
        across: "field",
        decimals: 4,
        columns: columns.collect(),
        rows,
        drawing: Drawing::Bars,
        notes: vec![ON_CORES.into()],
    })
}

/// Windows that Figure 14 shows of a run.
const WINDOWS: usize = 64;

pub(super) fn figure_14(results: &Results) -> Result<Artefact> {
    let mechanisms = [
        nexus(true),
        traptor(Module::Small, true, true),
        traptor(Module::Medium, true, true),
        traptor(Module::Large, true, true),
    ];
    // The programs that need the most bits, as in the paper.
    let mut programs: Vec<(f64, usize)> = (0..results.programs.len())
        .filter_map(|program| {
            let on_cores = on(results, program, 8)?;
            let traced = traced(on_cores, mechanisms[3])?;
            Some((bandwidth(on_cores, traced, Per::Cycle), program))
        })
        .collect();
    programs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut rows = Vec::new();
    let mut notes = vec![
        "The two programs with the most bits on eight cores, in 64 parts of their run. The paper draws water-ns and radiosity."
            .into(),
    ];
    for (_, program) in programs.into_iter().take(2) {
        let name = &results.programs[program].name;
        for mechanism in mechanisms {
            let Some(on_cores) = on(results, program, 8) else { continue };
            let Some(traced) = traced(on_cores, mechanism) else { continue };
            let values = traced.bits.in_parts(WINDOWS, on_cores.cycles);
            let module = match mechanism.module {
                Module::Nexus => String::new(),
                module => format!(" {}", module.name()),
            };
            let label = format!("{name}: {}{module}", mechanism.name());
            let highest = values.iter().copied().fold(0.0, f64::max);
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            notes.push(format!("{label}: from {lowest:.3} to {highest:.3} bits per cycle."));
            rows.push(Row::new(label, values.into_iter().map(Cell::here).collect()));
        }
    }
    notes.push(ON_CORES.into());
    Ok(Artefact {
        place: Place::figure('E', 14),
        title: "Bits per cycle over the run of a program",
        unit: "bits/cycle",
        of: "trace",
        across: "part of the run",
        decimals: 3,
        columns: (1..=WINDOWS).map(|part| part.to_string()).collect(),
        rows,
        drawing: Drawing::Lines,
        notes,
    })
}
