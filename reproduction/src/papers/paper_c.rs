//! Paper C: T-raptor, on MiBench programs for ARM.

use tracewright_report::papers::{BANDWIDTH, GATES, gates_of};
use tracewright_sim::event::Kind;
use tracewright_sim::scheme::Design;

use super::{
    Entry, Printed, Together, bandwidth_rows, printed_average, program_rows, total_bandwidth,
};
use crate::artefact::{Artefact, Cell, Drawing, Row};
use crate::error::Result;
use crate::place::{Paper, Place};
use crate::run::predictions::{Lengths, MOST_BITS, Predictions, Rate, chunked_bits, cumulative};
use crate::run::{Needs, Results, paper_c_presets};

const PAPER: Paper = Paper('C');

/// Bits of a field in Figures 5 and 7.
const BRANCH_COUNT_BITS: usize = 12;
const TARGET_BITS: usize = 32;

/// What Figure 9 and Table 5 compare: the paper's name, the design or comparator here, and true for a comparator.
const COMPARED: [(&str, &str, bool); 10] = [
    ("NEXS", "nexs", false),
    ("TSLZ", "tslz", true),
    ("eDMTF(192,4)", "dmtf", true),
    ("rSDC-LSP", "stream-rbase-128", false),
    ("SW-GZIP", "gzip", true),
    ("S0", "traptor-s0", false),
    ("S1", "traptor-s1", false),
    ("S4", "traptor-s4", false),
    ("M4", "traptor-m4", false),
    ("B4", "traptor-b4", false),
];

/// What the text of section 5.3 says of single programs: the program, the paper's name of a column, the value.
const TABLE_5: [(&str, &str, f64); 3] =
    [("adpcm_c", "NEXS", 0.149), ("bf_e", "NEXS", 4.01), ("adpcm_c", "B4", 0.0003)];

pub(super) const ENTRIES: [Entry; 8] = [
    Entry { place: Place::table('C', 1), needs: statistics, make: table_1 },
    Entry { place: Place::table('C', 3), needs: predictions, make: table_3 },
    Entry { place: Place::table('C', 4), needs: predictions, make: table_4 },
    Entry { place: Place::table('C', 5), needs: compared, make: table_5 },
    Entry { place: Place::figure('C', 5), needs: predictions, make: figure_5 },
    Entry { place: Place::figure('C', 7), needs: predictions, make: figure_7 },
    Entry { place: Place::figure('C', 9), needs: compared, make: figure_9 },
    Entry { place: Place::figure('C', 10), needs: configurations, make: figure_10 },
];

const NO_VALUES: &str = "The text of the paper that we have lacks the values of this table.";

fn statistics(needs: &mut Needs) -> Result<()> {
    needs.statistics = true;
    needs.design("nexs", "nexs", &[])
}

fn predictions(needs: &mut Needs) -> Result<()> {
    needs.predictions = true;
    Ok(())
}

fn compared(needs: &mut Needs) -> Result<()> {
    for (_, name, is_comparator) in COMPARED {
        match is_comparator {
            true => needs.comparator(name),
            false => needs.design(name, name, &[])?,
        }
    }
    Ok(())
}

fn configurations(needs: &mut Needs) -> Result<()> {
    paper_c_presets().try_for_each(|preset| needs.design(&preset, &preset, &[]))
}

fn table_1(results: &Results) -> Result<Artefact> {
    let cells = |program: usize| {
        let statistics = &results.passes.get(program)?.statistics;
        let mut cells = vec![Cell::here(statistics.instructions as f64 / 1e6)];
        cells.extend(Kind::ALL.map(|kind| Cell::here(statistics.percent(kind))));
        let nexs = results.measured("nexs", program)?;
        cells.push(Cell::here(nexs.bits_per_instruction));
        Some((cells, statistics.instructions as f64))
    };
    let columns = [
        "million instructions",
        "DirUB %",
        "DirCB %",
        "IndUB %",
        "IndCB %",
        "SWI %",
        "PET bits/instruction",
    ];
    Ok(Artefact {
        place: Place::table('C', 1),
        title: "Branches of the programs by kind",
        unit: "",
        of: "program",
        across: "quantity",
        decimals: 3,
        columns: columns.map(String::from).into(),
        rows: program_rows(results, Together::Mean, cells, &[]),
        drawing: Drawing::Bars,
        notes: vec![
            NO_VALUES.into(),
            "The program execution trace (PET) is that of the design nexs. SWI counts every exception.".into(),
        ],
    })
}

/// The predictors of a configuration on a program.
fn predictors<'a>(results: &'a Results, program: usize, preset: &str) -> Option<&'a Predictions> {
    let configurations = &results.passes.get(program)?.predictions;
    configurations.iter().find(|(name, _)| name == preset).map(|(_, predictions)| predictions)
}

/// The lengths of a field over all programs.
fn all_lengths(results: &Results, preset: &str, of: fn(&Predictions) -> &Lengths) -> Box<Lengths> {
    let mut sum = Box::new([0; MOST_BITS + 1]);
    for program in 0..results.programs.len() {
        if let Some(predictions) = predictors(results, program, preset) {
            for (sum, count) in sum.iter_mut().zip(of(predictions)) {
                *sum += count;
            }
        }
    }
    sum
}

fn table_3(results: &Results) -> Result<Artefact> {
    let outcomes = ["traptor-s0", "traptor-m0", "traptor-b0"];
    let targets = ["traptor-m0", "traptor-m1", "traptor-m2", "traptor-m3", "traptor-m4"];
    let cells = |program: usize| {
        let rate = |preset: &str, of: fn(&Predictions) -> Rate| {
            let percent = predictors(results, program, preset).and_then(|one| of(one).percent());
            Cell::new(percent, None)
        };
        let mut cells = outcomes.map(|preset| rate(preset, |one| one.outcomes)).to_vec();
        cells.extend(targets.map(|preset| rate(preset, |one| one.targets)));
        let branches = predictors(results, program, "traptor-m4")?;
        Some((cells, (branches.outcomes.all + branches.targets.all) as f64))
    };
    let columns = ["S", "M", "B"].map(|size| format!("outcomes, {size}")).into_iter();
    let columns = columns.chain((0..=4).map(|targets| format!("targets, M{targets}")));
    Ok(Artefact {
        place: Place::table('C', 3),
        title: "Right predictions in percent",
        unit: "%",
        of: "program",
        across: "predictor",
        decimals: 2,
        columns: columns.collect(),
        rows: program_rows(results, Together::Mean, cells, &[]),
        drawing: Drawing::Bars,
        notes: vec![
            NO_VALUES.into(),
            "A target of an indirect branch that is taken counts as right only if address and upper bits are.".into(),
        ],
    })
}

/// The chunk sizes with the fewest bits: first and later chunks within these limits.
fn best_chunks(lengths: &Lengths, most: u64) -> Option<(u64, u64, u64)> {
    let pairs = (1..=most).flat_map(|first| (1..=most).map(move |next| (first, next)));
    let with_bits = pairs.map(|(first, next)| (chunked_bits(lengths, first, next), first, next));
    with_bits.min().filter(|(bits, ..)| *bits > 0)
}

fn table_4(results: &Results) -> Result<Artefact> {
    let row = |preset: String| {
        let branch_counts = all_lengths(results, &preset, |one| &one.branch_counts);
        let differences = all_lengths(results, &preset, |one| &one.target_differences);
        let counts = best_chunks(&branch_counts, 6);
        let targets = best_chunks(&differences, 14);
        let has_targets = !preset.ends_with('0');
        let printed = |value: f64| (!has_targets).then_some(value);
        let config = Design::preset(&preset)?.resolved();
        let number = |name: &str| {
            let value = config.values().into_iter().find(|(parameter, _)| *parameter == name);
            value.and_then(|(_, value)| value.to_string().parse::<u64>().ok()).unwrap_or(1)
        };
        let used = chunked_bits(
            &branch_counts,
            number("branch_count_first_chunk"),
            number("branch_count_next_chunk"),
        );
        let more = counts.map(|(bits, ..)| 100.0 * (used as f64 / bits as f64 - 1.0));
        Ok(Row::new(
            preset.trim_start_matches("traptor-").to_uppercase(),
            vec![
                Cell::new(counts.map(|(_, first, _)| first as f64), printed(2.0)),
                Cell::new(counts.map(|(_, _, next)| next as f64), printed(1.0)),
                Cell::new(targets.map(|(_, first, _)| first as f64), None),
                Cell::new(targets.map(|(_, _, next)| next as f64), None),
                Cell::new(more, None),
            ],
        ))
    };
    Ok(Artefact {
        place: Place::table('C', 4),
        title: "Chunk sizes with the fewest bits",
        unit: "bits",
        of: "configuration",
        across: "chunk",
        decimals: 1,
        columns: ["i0", "i1", "j0", "j1", "preset, % more for bCnt"].map(String::from).into(),
        rows: paper_c_presets().map(row).collect::<Result<_>>()?,
        drawing: Drawing::Bars,
        notes: vec![
            "Searched as in the paper: i0 and i1 from 1 to 6, j0 and j1 from 1 to 14, all programs together. The paper's \
             text gives i0 = 2 and i1 = 1 for S0, M0 and B0, and for the others one of (2, 2), (3, 1) and (3, 2)."
                .into(),
            "The last column is what the chunk sizes of the preset, which are those for the alignment of ARM, cost more."
                .into(),
        ],
    })
}

fn cumulative_figure(
    results: &Results,
    place: Place,
    title: &'static str,
    of: fn(&Predictions) -> &Lengths,
    most: usize,
) -> Artefact {
    let mut rows = Vec::new();
    for preset in ["traptor-s0", "traptor-b4"] {
        let name = preset.trim_start_matches("traptor-").to_uppercase();
        let row = |label: &str, lengths: &Lengths| {
            let values = cumulative(lengths, most).into_iter().map(Cell::here);
            Row::new(format!("{name}, {label}"), values.collect())
        };
        for (index, program) in results.programs.iter().enumerate() {
            let wanted = matches!(program.paper_name, Some("bf_e" | "lame"));
            if let Some(predictions) = predictors(results, index, preset).filter(|_| wanted) {
                rows.push(row(&program.name, of(predictions)));
            }
        }
        rows.push(Row { is_total: true, ..row("all programs", &all_lengths(results, preset, of)) });
    }
    Artefact {
        place,
        title,
        unit: "%",
        of: "configuration",
        across: "bits",
        decimals: 1,
        columns: (1..=most).map(|bits| bits.to_string()).collect(),
        rows,
        drawing: Drawing::Lines,
        notes: vec!["The share of values of at most so many bits. The paper draws bf_e, lame and the total.".into()],
    }
}

/// The shares that the text of section 4 names for all programs, by configuration and bits.
const FIGURE_5: [(&str, usize, f64); 6] = [
    ("S0", 1, 30.0),
    ("S0", 2, 70.0),
    ("S0", 3, 90.0),
    ("B4", 2, 40.0),
    ("B4", 4, 70.0),
    ("B4", 6, 95.0),
];

fn figure_5(results: &Results) -> Result<Artefact> {
    let place = Place::figure('C', 5);
    let title = "Bits of branch counts, cumulated, for S0 and B4";
    let mut figure =
        cumulative_figure(results, place, title, |one| &one.branch_counts, BRANCH_COUNT_BITS);
    for row in figure.rows.iter_mut().filter(|row| row.is_total) {
        for (_, bits, share) in FIGURE_5.iter().filter(|(name, ..)| row.label.starts_with(name)) {
            row.cells[bits - 1].paper = Some(*share);
        }
    }
    figure.notes.push("Its text names some shares of the total; some are lower bounds.".into());
    Ok(figure)
}

fn figure_7(results: &Results) -> Result<Artefact> {
    let place = Place::figure('C', 7);
    let title = "Bits of target differences, cumulated, for S0 and B4";
    Ok(cumulative_figure(results, place, title, |one| &one.target_differences, TARGET_BITS))
}

fn table_5(results: &Results) -> Result<Artefact> {
    let names = COMPARED.map(|(_, name, _)| name.to_owned());
    let none: &[Printed<0>] = &[];
    let mut rows = bandwidth_rows(results, &names, none, &[]);
    for (row, program) in rows.iter_mut().zip(&results.programs) {
        for ((column, ..), cell) in COMPARED.iter().zip(&mut row.cells) {
            let printed = TABLE_5
                .iter()
                .find(|(name, of, _)| Some(*name) == program.paper_name && of == column);
            cell.paper = printed.map(|(.., value)| *value);
        }
    }
    for row in rows.iter_mut().filter(|row| row.is_total) {
        for ((column, name, _), cell) in COMPARED.iter().zip(&mut row.cells) {
            cell.paper = average(column, name);
        }
    }
    Ok(Artefact {
        place: Place::table('C', 5),
        title: "Bits per instruction of T-raptor and others",
        unit: "bits/instruction",
        of: "program",
        across: "trace module",
        decimals: 4,
        columns: COMPARED.map(|(name, ..)| name.to_owned()).into(),
        rows,
        drawing: Drawing::Bars,
        notes: vec![
            NO_VALUES.into(),
            "Those shown are in its text. TSLZ, eDMTF and gzip are the comparators of docs/comparison.md; one that cannot \
             carry a program has no value for it."
                .into(),
        ],
    })
}

/// The paper's average of a column; that of rSDC-LSP is paper A's too.
fn average(column: &str, design: &str) -> Option<f64> {
    let of_comparator = || {
        let mut printed = BANDWIDTH.iter().filter(|one| one.paper == PAPER.0);
        printed.find(|one| one.design.is_none() && one.name.starts_with(column))
    };
    printed_average(PAPER, design)
        .or_else(|| printed_average(Paper('A'), design))
        .or_else(|| of_comparator().map(|one| one.bits_per_instruction))
}

fn figure_9(results: &Results) -> Result<Artefact> {
    let row = |(column, name, _): (&str, &str, bool)| {
        let (here, paper) = (total_bandwidth(results, name), average(column, name));
        Row::new(column, vec![Cell { here, paper }])
    };
    Ok(Artefact {
        place: Place::figure('C', 9),
        title: "Bits per instruction of all programs together",
        unit: "bits/instruction",
        of: "trace module",
        across: "",
        decimals: 4,
        columns: vec!["bits/instruction".into()],
        rows: COMPARED.map(row).into(),
        drawing: Drawing::Bars,
        notes: vec!["The paper draws this figure; its values are those of its text.".into()],
    })
}

fn figure_10(results: &Results) -> Result<Artefact> {
    let row = |preset: String| {
        let gates = Design::preset(&preset)?.estimated_gates();
        let ratio = |bits: f64| 32.0 / bits;
        Ok(Row::new(
            preset.trim_start_matches("traptor-").to_uppercase(),
            vec![
                Cell::new(f64::from(gates), gates_of(&preset).map(|printed| printed.gates.into())),
                Cell::new(
                    total_bandwidth(results, &preset).map(ratio),
                    printed_average(PAPER, &preset).map(ratio),
                ),
            ],
        ))
    };
    let printed = GATES.iter().filter(|gates| gates.paper == PAPER.0).count();
    Ok(Artefact {
        place: Place::figure('C', 10),
        title: "Compression ratio against estimated gates",
        unit: "",
        of: "configuration",
        across: "quantity",
        decimals: 0,
        columns: vec!["gates by the papers' rule".into(), "compression ratio".into()],
        rows: paper_c_presets().map(row).collect::<Result<_>>()?,
        drawing: Drawing::Points,
        notes: vec![format!(
            "The ratio is that of 32 bits per instruction to the bits sent. The text of the paper has {printed} gate counts \
             and three averages."
        )],
    })
}
