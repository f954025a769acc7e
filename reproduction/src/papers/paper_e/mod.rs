//! Paper E: mcfTRaptor and a Nexus-like trace module on several cores, on Splash2 programs for IA-32.

mod figures;

use tracewright_sim::event::Kind;

use super::{Entry, Together, program_rows};
use crate::artefact::{Artefact, Cell, Drawing, Row};
use crate::error::Result;
use crate::place::Place;
use crate::run::cores::{CORES, Mechanism, Module, OnCores, Traced};
use crate::run::predictions::Rate;
use crate::run::{Needs, Results};

pub(super) const ENTRIES: [Entry; 11] = [
    Entry { place: Place::table('E', 1), needs: statistics, make: table_1 },
    Entry { place: Place::table('E', 2), needs: cores, make: table_2 },
    Entry { place: Place::table('E', 4), needs: cores, make: table_4 },
    Entry { place: Place::table('E', 5), needs: cores, make: table_5 },
    Entry { place: Place::table('E', 6), needs: cores, make: table_6 },
    Entry { place: Place::figure('E', 9), needs: cores, make: figures::figure_9 },
    Entry { place: Place::figure('E', 10), needs: cores, make: figures::figure_10 },
    Entry { place: Place::figure('E', 11), needs: cores, make: figures::figure_11 },
    Entry { place: Place::figure('E', 12), needs: cores, make: figures::figure_12 },
    Entry { place: Place::figure('E', 13), needs: cores, make: figures::figure_13 },
    Entry { place: Place::figure('E', 14), needs: cores, make: figures::figure_14 },
];

const ON_CORES: &str = "The paper's programs divide their work among threads. A trace of one thread is divided here into parts \
                        of equal length, one for each core, and every core retires one instruction per cycle; the paper's \
                        cores retire 0.22 to 0.82. Only the paper's totals can be compared, as its programs are others.";

/// Branches of all programs in percent of the instructions for one core: all, C,D, U,D and U,I.
const TABLE_1_TOTAL: [f64; 5] = [f64::NAN, 10.46, 7.82, 1.69, 0.95];

/// Bits per instruction, then bits per cycle of NX_b for 1, 2, 4 and 8 cores; the same of tNX_b.
const TABLE_2_TOTAL: [[[f64; 4]; 2]; 2] = [
    [[0.79, 0.86, 0.95, 1.06], [0.36, 0.75, 1.49, 2.76]],
    [[1.42, 1.49, 1.61, 1.76], [0.64, 1.29, 2.52, 4.58]],
];

/// Mispredicted outcomes, then targets, in percent, of Small, Medium and Large for 1, 2, 4 and 8 cores.
const TABLE_4: [[[f64; 4]; 2]; 3] = [
    [[7.86, 7.83, 7.20, 6.23], [8.47, 8.59, 8.58, 8.55]],
    [[6.69, 6.67, 6.14, 5.31], [2.05, 2.12, 2.08, 2.05]],
    [[5.27, 5.26, 4.84, 4.20], [0.57, 0.58, 0.57, 0.57]],
];

/// NX_b, TR_b and TR_e (Large) for 1, 2, 4 and 8 cores.
const TABLE_5_TOTAL: [[f64; 3]; 4] =
    [[0.789, 0.047, 0.033], [0.858, 0.052, 0.038], [0.954, 0.056, 0.042], [1.061, 0.057, 0.045]];

/// tNX_b, tTR_b and tTR_e (Large) for 1, 2, 4 and 8 cores.
const TABLE_6_TOTAL: [[f64; 3]; 4] =
    [[1.419, 0.104, 0.087], [1.486, 0.109, 0.092], [1.614, 0.112, 0.095], [1.759, 0.111, 0.095]];

fn statistics(needs: &mut Needs) -> Result<()> {
    needs.statistics = true;
    Ok(())
}

fn cores(needs: &mut Needs) -> Result<()> {
    needs.cores = true;
    Ok(())
}

/// A program on so many cores.
fn on(results: &Results, program: usize, cores: u32) -> Option<&OnCores> {
    results.cores.get(program)?.iter().find(|one| one.cores == cores)
}

fn traced(on_cores: &OnCores, mechanism: Mechanism) -> Option<&Traced> {
    on_cores.mechanisms.iter().find(|one| one.mechanism == mechanism)
}

/// Every program on so many cores with its trace.
fn all(
    results: &Results,
    cores: u32,
    mechanism: Mechanism,
) -> impl Iterator<Item = (&OnCores, &Traced)> {
    (0..results.programs.len()).filter_map(move |program| {
        let on_cores = on(results, program, cores)?;
        Some((on_cores, traced(on_cores, mechanism)?))
    })
}

/// A quantity to divide the bits by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Per {
    Instruction,
    Cycle,
}

impl Per {
    fn of(self, on_cores: &OnCores) -> u64 {
        match self {
            Per::Instruction => on_cores.instructions,
            Per::Cycle => on_cores.cycles,
        }
    }
}

fn bandwidth(on_cores: &OnCores, traced: &Traced, per: Per) -> f64 {
    traced.account.bits as f64 / per.of(on_cores).max(1) as f64
}

/// Bits of all programs together.
fn total(results: &Results, cores: u32, mechanism: Mechanism, per: Per) -> Option<f64> {
    let sums = all(results, cores, mechanism)
        .map(|(on_cores, traced)| (traced.account.bits, per.of(on_cores)))
        .reduce(|one, other| (one.0 + other.0, one.1 + other.1));
    sums.filter(|(_, of)| *of > 0).map(|(bits, of)| bits as f64 / of as f64)
}

fn nexus(timed: bool) -> Mechanism {
    Mechanism { module: Module::Nexus, variable: false, timed }
}

fn traptor(module: Module, variable: bool, timed: bool) -> Mechanism {
    Mechanism { module, variable, timed }
}

fn table_1(results: &Results) -> Result<Artefact> {
    let cells = |program: usize| {
        let statistics = &results.passes.get(program)?.statistics;
        let direct_conditional = statistics.percent(Kind::DirectConditional);
        let direct_jump = statistics.percent(Kind::DirectJump);
        let indirect =
            statistics.percent(Kind::IndirectJump) + statistics.percent(Kind::IndirectConditional);
        let values = [
            statistics.instructions as f64 / 1e9,
            direct_conditional + direct_jump + indirect,
            direct_conditional,
            direct_jump,
            indirect,
        ];
        Some((values.map(Cell::here).into(), statistics.instructions as f64))
    };
    let mut rows = program_rows(results, Together::Mean, cells, &TABLE_1_TOTAL);
    for cell in rows.iter_mut().flat_map(|row| &mut row.cells) {
        // A value that cannot be compared is NAN in the constant table.
        cell.paper = cell.paper.filter(|value| !value.is_nan());
    }
    Ok(Artefact {
        place: Place::table('E', 1),
        title: "Instructions, and branches in percent of them",
        unit: "",
        of: "program",
        across: "quantity",
        decimals: 2,
        columns: ["10^9 instructions", "branches", "C,D", "U,D", "U,I"].map(String::from).into(),
        rows,
        drawing: Drawing::Bars,
        notes: vec![
            "One core. The paper's programs are Splash2 for IA-32. Its instructions per cycle belong to its processor model."
                .into(),
        ],
    })
}

fn table_2(results: &Results) -> Result<Artefact> {
    let columns = || {
        [false, true].into_iter().flat_map(|timed| {
            [Per::Instruction, Per::Cycle]
                .into_iter()
                .flat_map(move |per| CORES.into_iter().map(move |cores| (timed, per, cores)))
        })
    };
    let mut rows = Vec::new();
    for (program, name) in results.programs.iter().enumerate() {
        let cells = columns().map(|(timed, per, cores)| {
            let on_cores = on(results, program, cores);
            let traced = on_cores.and_then(|one| Some((one, traced(one, nexus(timed))?)));
            Cell::new(traced.map(|(one, traced)| bandwidth(one, traced, per)), None)
        });
        rows.push(Row::new(&name.name, cells.collect()));
    }
    let printed = TABLE_2_TOTAL.as_flattened().as_flattened();
    let totals = columns().zip(printed).map(|((timed, per, cores), paper)| {
        Cell::new(total(results, cores, nexus(timed), per), *paper)
    });
    rows.push(Row::total("all programs", totals.collect()));
    let name = |(timed, per, cores): (bool, Per, u32)| {
        let per = if per == Per::Instruction { "bpi" } else { "bpc" };
        format!("{} {per}, N = {cores}", nexus(timed).name())
    };
    Ok(Artefact {
        place: Place::table('E', 2),
        title: "Bits per instruction (bpi) and per cycle (bpc) of the Nexus-like trace module",
        unit: "",
        of: "program",
        across: "trace and cores",
        decimals: 3,
        columns: columns().map(name).collect(),
        rows,
        drawing: Drawing::Bars,
        notes: vec![ON_CORES.into()],
    })
}

fn table_4(results: &Results) -> Result<Artefact> {
    let row = |(size, module): (usize, Module)| {
        let rate = |cores: u32, targets: bool| {
            let of_program = |program: usize| {
                let (outcomes, of_targets) = on(results, program, cores)?.predictions.get(size)?;
                Some(if targets { *of_targets } else { *outcomes })
            };
            let programs = (0..results.programs.len()).filter_map(of_program);
            programs.fold(Rate::default(), Rate::with).percent().map(|right| 100.0 - right)
        };
        let cells = [false, true].into_iter().flat_map(|targets| {
            CORES.into_iter().enumerate().map(move |(column, cores)| (targets, column, cores))
        });
        let cells = cells.map(|(targets, column, cores)| {
            Cell::new(rate(cores, targets), TABLE_4[size][usize::from(targets)][column])
        });
        Row::new(module.name(), cells.collect())
    };
    let columns = ["outcomes", "targets"].into_iter();
    let columns = columns.flat_map(|what| CORES.map(|cores| format!("{what}, N = {cores}")));
    Ok(Artefact {
        place: Place::table('E', 4),
        title: "Mispredictions in percent",
        unit: "%",
        of: "configuration",
        across: "prediction and cores",
        decimals: 2,
        columns: columns.collect(),
        rows: Module::TRAPTOR.into_iter().enumerate().map(row).collect(),
        drawing: Drawing::Bars,
        notes: vec![ON_CORES.into()],
    })
}

fn large_table(
    results: &Results,
    place: Place,
    title: &'static str,
    timed: bool,
    printed: &[[f64; 3]; 4],
) -> Artefact {
    let mechanisms =
        [nexus(timed), traptor(Module::Large, false, timed), traptor(Module::Large, true, timed)];
    let columns = || CORES.into_iter().flat_map(|cores| mechanisms.map(|one| (cores, one)));
    let mut rows = Vec::new();
    for (program, name) in results.programs.iter().enumerate() {
        let cells = columns().map(|(cores, mechanism)| {
            let on_cores = on(results, program, cores);
            let traced = on_cores.and_then(|one| Some((one, traced(one, mechanism)?)));
            let bits = traced.map(|(one, traced)| bandwidth(one, traced, Per::Instruction));
            Cell::new(bits, None)
        });
        rows.push(Row::new(&name.name, cells.collect()));
    }
    let totals = columns().zip(printed.as_flattened()).map(|((cores, mechanism), paper)| {
        Cell::new(total(results, cores, mechanism, Per::Instruction), *paper)
    });
    rows.push(Row::total("all programs", totals.collect()));
    Artefact {
        place,
        title,
        unit: "bits/instruction",
        of: "program",
        across: "trace and cores",
        decimals: 4,
        columns: columns().map(|(cores, one)| format!("{}, N = {cores}", one.name())).collect(),
        rows,
        drawing: Drawing::Bars,
        notes: vec![ON_CORES.into()],
    }
}

fn table_5(results: &Results) -> Result<Artefact> {
    let title = "Bits per instruction of NX_b, TR_b (Large) and TR_e (Large)";
    Ok(large_table(results, Place::table('E', 5), title, false, &TABLE_5_TOTAL))
}

fn table_6(results: &Results) -> Result<Artefact> {
    let title = "Bits per instruction of tNX_b, tTR_b (Large) and tTR_e (Large)";
    Ok(large_table(results, Place::table('E', 6), title, true, &TABLE_6_TOTAL))
}
