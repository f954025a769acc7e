//! Paper B: stream cache with N-tuples, and strides of data addresses, on MiBench programs for ARM.

use tracewright_report::papers::STORAGE;
use tracewright_sim::ntuple::layout::fields;
use tracewright_sim::scheme::Design;

use super::{Entry, Printed, Together, printed, program_rows};
use crate::artefact::{Artefact, Cell, Drawing, Row};
use crate::error::Result;
use crate::place::Place;
use crate::run::software::{COMPRESSORS, MOST_ADDRESSES};
use crate::run::{Needs, Results};

/// Bits of an instruction address, and of a data address.
const ADDRESS_BITS: f64 = 32.0;

/// Bits of a stream's address and length in the trace of misses.
const DESCRIPTOR_BITS: f64 = 40.0;

/// Entries of the stream cache in Table 2.
const SIZES: [u32; 6] = [8, 16, 32, 64, 128, 256];

/// Ways of the stream cache in Table 2.
const WAYS: [u32; 4] = [1, 2, 4, 8];

/// Entries of the data address stride cache in Table 4.
const STRIDES: [u32; 6] = [32, 64, 128, 256, 512, 1024];

pub(super) const ENTRIES: [Entry; 5] = [
    Entry { place: Place::table('B', 1), needs: statistics, make: table_1 },
    Entry { place: Place::table('B', 2), needs: organizations, make: table_2 },
    Entry { place: Place::table('B', 3), needs: tuples, make: table_3 },
    Entry { place: Place::table('B', 4), needs: strides, make: table_4 },
    Entry { place: Place::table('B', 5), needs: |_| Ok(()), make: table_5 },
];

/// IC (millions), unique streams, longest stream, average length of an executed stream.
const TABLE_1: [Printed<4>; 16] = [
    ("cjpeg", [104.607812, 1636.0, 239.0, 10.89]),
    ("djpeg", [23.391628, 1324.0, 206.0, 21.81]),
    ("lame", [1285.111635, 3410.0, 252.0, 27.81]),
    ("tiff2bw", [143.254646, 1058.0, 43.0, 12.79]),
    ("tiff2rgba", [151.691275, 1146.0, 75.0, 27.54]),
    ("tiffmedian", [541.260067, 1431.0, 75.0, 22.22]),
    ("tiffdither", [832.951018, 1831.0, 51.0, 12.57]),
    ("mad", [286.974899, 1659.0, 1055.0, 20.09]),
    ("sha", [140.885982, 495.0, 62.0, 15.15]),
    ("bf_e", [544.053846, 413.0, 300.0, 5.85]),
    ("rijndael_e", [319.977971, 542.0, 254.0, 18.94]),
    ("ghostscript", [708.090638, 6900.0, 187.0, 8.70]),
    ("rsynth", [824.942227, 1323.0, 180.0, 15.77]),
    ("stringsearch", [3.675745, 439.0, 62.0, 5.61]),
    ("adpcm_c", [732.513651, 347.0, 71.0, 54.63]),
    ("gsm_d", [1299.270245, 845.0, 401.0, 11.07]),
];

/// Hit rates in percent by entries, then ways.
const TABLE_2_HITS: [[f64; 4]; 6] = [
    [55.47, 59.67, 61.06, 59.54],
    [67.35, 71.22, 74.58, 73.60],
    [73.99, 79.51, 82.45, 82.82],
    [80.75, 88.28, 91.44, 93.08],
    [84.62, 94.27, 97.26, 98.33],
    [85.98, 97.05, 99.08, 99.08],
];

/// Compression ratios by entries, then ways.
const TABLE_2_RATIOS: [[f64; 4]; 6] = [
    [16.33, 17.59, 16.99, 15.79],
    [21.10, 22.15, 27.81, 26.61],
    [23.88, 28.02, 34.40, 33.96],
    [27.54, 36.89, 44.12, 47.07],
    [28.95, 47.57, 54.14, 57.43],
    [28.05, 47.81, 53.60, 54.24],
];

/// SC.I, SC.I+Ntup, gzip fast, default, best, bzip2 best.
const TABLE_3: [Printed<6>; 16] = [
    ("cjpeg", [47.98, 147.56, 54.53, 109.58, 124.45, 341.96]),
    ("djpeg", [87.35, 188.53, 39.85, 71.78, 73.70, 201.98]),
    ("lame", [100.68, 158.10, 128.53, 60.46, 333.88, 87.61]),
    ("tiff2bw", [54.91, 235.05, 83.94, 114.11, 114.42, 376.83]),
    ("tiff2rgba", [117.53, 407.14, 20.26, 121.30, 121.98, 529.62]),
    ("tiffmedian", [95.91, 414.37, 92.32, 152.81, 155.47, 472.93]),
    ("tiffdither", [43.45, 65.48, 46.35, 91.09, 99.84, 170.88]),
    ("mad", [81.52, 177.84, 37.82, 73.46, 78.52, 94.31]),
    ("sha", [69.24, 440.35, 54.42, 211.43, 221.75, 656.53]),
    ("bf_e", [25.57, 98.46, 40.95, 170.38, 182.25, 352.02]),
    ("rijndael_e", [85.17, 454.63, 12.56, 143.82, 150.62, 141.77]),
    ("ghostscript", [26.57, 50.91, 39.68, 100.64, 111.24, 212.54]),
    ("rsynth", [56.42, 91.83, 30.61, 46.71, 48.02, 143.22]),
    ("stringsearch", [16.92, 24.22, 32.34, 82.06, 100.63, 202.47]),
    ("adpcm_c", [249.71, 1583.96, 107.34, 233.12, 233.63, 1862.63]),
    ("gsm_d", [46.79, 174.57, 59.22, 85.37, 87.17, 165.58]),
];
const TABLE_3_TOTAL: [f64; 6] = [54.14, 125.90, 47.24, 87.45, 112.91, 171.97];

/// Six sizes of the stride cache, then gzip fast, default, best, bzip2 best.
const TABLE_4: [Printed<10>; 16] = [
    ("cjpeg", [3.35, 4.60, 5.14, 5.77, 6.54, 7.11, 4.50, 5.98, 6.11, 18.20]),
    ("djpeg", [2.81, 3.57, 4.28, 4.96, 5.22, 5.29, 3.78, 4.22, 4.22, 8.62]),
    ("lame", [1.20, 1.52, 2.81, 3.82, 4.49, 4.88, 4.01, 6.56, 6.63, 8.80]),
    ("tiff2bw", [76.31, 78.04, 84.28, 105.04, 128.84, 134.23, 2.55, 2.14, 2.10, 14.28]),
    ("tiff2rgba", [5.98, 79.81, 91.24, 107.49, 127.05, 139.57, 2.79, 2.10, 2.09, 4.06]),
    ("tiffmedian", [8.64, 8.70, 8.74, 8.81, 8.87, 8.89, 4.37, 4.40, 4.53, 11.16]),
    ("tiffdither", [2.61, 6.08, 7.21, 8.69, 9.65, 10.06, 4.41, 4.51, 4.51, 7.87]),
    ("mad", [1.30, 1.59, 1.96, 2.07, 2.35, 2.64, 3.60, 4.08, 4.22, 13.47]),
    ("sha", [6.58, 7.94, 9.38, 10.79, 11.36, 11.36, 8.36, 44.91, 45.61, 172.71]),
    ("bf_e", [1.58, 1.95, 2.38, 2.61, 2.75, 2.91, 4.86, 7.58, 7.83, 16.35]),
    ("rijndael_e", [1.10, 1.10, 1.10, 1.13, 1.29, 2.06, 3.22, 4.24, 4.27, 7.31]),
    ("ghostscript", [1.07, 1.19, 1.56, 2.19, 2.93, 5.27, 18.58, 27.21, 27.46, 47.42]),
    ("rsynth", [1.22, 1.36, 1.76, 3.81, 8.30, 32.43, 21.46, 24.44, 25.27, 57.40]),
    ("stringsearch", [1.80, 2.04, 2.70, 4.13, 4.44, 5.16, 8.57, 11.12, 11.23, 15.03]),
    ("adpcm_c", [3.13, 3.13, 3.13, 3.13, 3.13, 3.13, 3.64, 6.57, 7.15, 12.27]),
    ("gsm_d", [2.67, 4.48, 11.30, 13.60, 14.81, 16.78, 18.05, 21.60, 23.29, 63.53]),
];
const TABLE_4_TOTAL: [f64; 10] = [1.66, 2.04, 2.80, 3.77, 4.67, 6.12, 5.51, 6.78, 6.90, 13.29];

fn statistics(needs: &mut Needs) -> Result<()> {
    needs.statistics = true;
    Ok(())
}

fn organization(size: u32, ways: u32) -> String {
    format!("stream-cache-{size}-ways-{ways}")
}

fn organize(needs: &mut Needs, size: u32, ways: u32) -> Result<()> {
    let (size_text, ways_text) = (size.to_string(), ways.to_string());
    let settings =
        [("stream_cache_entries", size_text.as_str()), ("stream_cache_ways", &ways_text)];
    needs.design(&organization(size, ways), "ntuple-32x4", &settings)
}

fn organizations(needs: &mut Needs) -> Result<()> {
    needs.statistics = true;
    SIZES.iter().try_for_each(|size| WAYS.iter().try_for_each(|ways| organize(needs, *size, *ways)))
}

fn tuples(needs: &mut Needs) -> Result<()> {
    (needs.statistics, needs.instruction_software) = (true, true);
    organize(needs, 128, 4)
}

fn strides(needs: &mut Needs) -> Result<()> {
    needs.data_software = true;
    for entries in STRIDES {
        let name = format!("stride-{entries}");
        needs.design(&name, &name, &[])?;
    }
    Ok(())
}

/// Streams that the stream cache looks up, and those that it does not have.
fn lookups(results: &Results, size: u32, ways: u32, program: usize) -> Option<(f64, f64)> {
    let measured = results.measured(&organization(size, ways), program)?;
    let streams = results.passes.get(program)?.statistics.runs.executed as f64;
    let start_bits = measured.field(fields::START_ADDRESS.name).unwrap_or(0) as f64;
    let length_bits = measured.field(fields::STREAM_LENGTH.name).unwrap_or(0) as f64;
    // Both fields come together in a miss, eight bits of length each; the packet of a flush has only the first.
    let misses = length_bits / 8.0;
    (start_bits > 0.0).then_some((streams, misses.min(streams)))
}

/// Compression ratio of the stream cache without tuples (paper B, equations 1 and 2).
fn stream_cache_ratio(instructions: f64, size: u32, streams: f64, misses: f64) -> f64 {
    let index_bits = f64::from(size).log2();
    ADDRESS_BITS * instructions / (index_bits * streams + DESCRIPTOR_BITS * misses)
}

fn table_1(results: &Results) -> Result<Artefact> {
    let cells = |program: usize| {
        let statistics = &results.passes.get(program)?.statistics;
        let runs = &statistics.runs;
        let values = [
            statistics.instructions as f64 / 1e6,
            runs.unique() as f64,
            runs.longest as f64,
            runs.average_length(),
        ];
        let name = results.programs[program].paper_name;
        let cells = values.into_iter().enumerate();
        let cells = cells.map(|(column, value)| Cell::new(value, printed(&TABLE_1, name, column)));
        Some((cells.collect(), statistics.instructions as f64))
    };
    Ok(Artefact {
        place: Place::table('B', 1),
        title: "Instructions and streams of the programs",
        unit: "",
        of: "program",
        across: "quantity",
        decimals: 2,
        columns: ["million instructions", "unique streams", "longest", "average length"]
            .map(String::from)
            .into(),
        rows: program_rows(results, Together::Mean, cells, &[]),
        drawing: Drawing::Bars,
        notes: vec![
            "A stream ends at every taken branch, direct jumps included, unlike in paper A.".into(),
        ],
    })
}

fn table_2(results: &Results) -> Result<Artefact> {
    let programs = 0..results.programs.len();
    let mut rows = Vec::new();
    for (index, size) in SIZES.into_iter().enumerate() {
        let (mut hits, mut ratios) = (Vec::new(), Vec::new());
        for (column, ways) in WAYS.into_iter().enumerate() {
            let of = |program| lookups(results, size, ways, program);
            let all: Vec<_> = programs.clone().filter_map(of).collect();
            let (streams, misses) = all
                .iter()
                .fold((0.0, 0.0), |(streams, misses), one| (streams + one.0, misses + one.1));
            let instructions: f64 =
                results.passes.iter().map(|pass| pass.statistics.instructions as f64).sum();
            let has = streams > 0.0;
            let hit_rate = has.then(|| 100.0 * (1.0 - misses / streams));
            let ratio = has.then(|| stream_cache_ratio(instructions, size, streams, misses));
            hits.push(Cell::new(hit_rate, TABLE_2_HITS[index][column]));
            ratios.push(Cell::new(ratio, TABLE_2_RATIOS[index][column]));
        }
        hits.extend(ratios);
        rows.push(Row::new(size.to_string(), hits));
    }
    let columns = ["hit rate", "compression ratio"].into_iter();
    let columns = columns.flat_map(|what| WAYS.map(|ways| format!("{what}, {ways} ways")));
    Ok(Artefact {
        place: Place::table('B', 2),
        title: "Hit rate in percent and compression ratio of the stream cache by entries and ways",
        unit: "",
        of: "entries",
        across: "figure and ways",
        decimals: 2,
        columns: columns.collect(),
        rows,
        drawing: Drawing::Bars,
        notes: vec![
            "All programs together; the hit rates are weighted by executed streams, and the paper does not say how it \
             weights its own."
                .into(),
        ],
    })
}

fn table_3(results: &Results) -> Result<Artefact> {
    let cells = |program: usize| {
        let pass = results.passes.get(program)?;
        let instructions = pass.statistics.instructions as f64;
        let ratio = lookups(results, 128, 4, program)
            .map(|(streams, misses)| stream_cache_ratio(instructions, 128, streams, misses));
        let measured = results.measured(&organization(128, 4), program)?;
        let tuples =
            (measured.bits > 0).then(|| ADDRESS_BITS * instructions / measured.bits as f64);
        let software = match pass.instruction_software {
            Some(ratios) => ratios.map(Some),
            None => [None; COMPRESSORS.len()],
        };
        let name = results.programs[program].paper_name;
        let values = [ratio, tuples].into_iter().chain(software).enumerate();
        let cells = values.map(|(column, value)| Cell::new(value, printed(&TABLE_3, name, column)));
        Some((cells.collect(), instructions))
    };
    let columns = ["SC.I", "SC.I+Ntup"].into_iter().chain(COMPRESSORS).map(String::from);
    Ok(Artefact {
        place: Place::table('B', 3),
        title: "Compression ratio of instruction address traces",
        unit: "times",
        of: "program",
        across: "compressor",
        decimals: 1,
        columns: columns.collect(),
        rows: program_rows(results, Together::HarmonicMean, cells, &TABLE_3_TOTAL),
        drawing: Drawing::Bars,
        notes: vec![
            format!(
                "gzip and bzip2 compress the addresses of the first {MOST_ADDRESSES} instructions of each program, the paper \
                 those of the whole run. They are counted as if all instructions were as short as the instruction set \
                 allows."
            ),
            "SC.I is counted as the paper's equation 2 has it, without headers and flushes; SC.I+Ntup is the design \
             ntuple-32x4 with all its bits."
                .into(),
        ],
    })
}

fn table_4(results: &Results) -> Result<Artefact> {
    let cells = |program: usize| {
        let pass = results.passes.get(program)?;
        let accesses = results.measured("stride-1024", program)?.accesses;
        if accesses == 0 {
            return None;
        }
        let ratios = STRIDES.map(|entries| {
            let measured = results.measured(&format!("stride-{entries}"), program)?;
            Some(ADDRESS_BITS * accesses as f64 / measured.bits as f64)
        });
        let software = match pass.data_software {
            Some(ratios) => ratios.map(Some),
            None => [None; COMPRESSORS.len()],
        };
        let name = results.programs[program].paper_name;
        let values = ratios.into_iter().chain(software).enumerate();
        let cells = values.map(|(column, value)| Cell::new(value, printed(&TABLE_4, name, column)));
        Some((cells.collect(), accesses as f64))
    };
    let columns = STRIDES.map(|entries| format!("{entries} DASC")).into_iter();
    let columns = columns.chain(COMPRESSORS.map(String::from));
    Ok(Artefact {
        place: Place::table('B', 4),
        title: "Compression ratio of data address traces",
        unit: "times",
        of: "program",
        across: "compressor",
        decimals: 2,
        columns: columns.collect(),
        rows: program_rows(results, Together::HarmonicMean, cells, &TABLE_4_TOTAL),
        drawing: Drawing::Bars,
        notes: vec![format!(
            "Only traces with data addresses are here (`capture --data`, `wset replay`). Addresses count as 32 bits; gzip \
             and bzip2 compress the first {MOST_ADDRESSES} of each trace."
        )],
    })
}

fn table_5(_: &Results) -> Result<Artefact> {
    let mut rows = Vec::new();
    let (mut here, mut paper) = (0.0, 0.0);
    for line in STORAGE.iter().find(|storage| storage.paper == 'B').map_or(&[][..], |one| one.lines)
    {
        let storage = Design::preset(line.design)?.estimated_storage();
        let bits = storage.iter().find(|(name, _)| *name == line.structure).map(|(_, bits)| *bits);
        let bytes = bits.map(|bits| f64::from(bits) / 8.0);
        let printed = line.bytes.map(f64::from);
        here += bytes.unwrap_or(0.0);
        paper += printed.unwrap_or(0.0);
        rows.push(Row::new(line.name, vec![Cell::new(bytes, printed)]));
    }
    rows.push(Row::total("total", vec![Cell::new(here, paper)]));
    Ok(Artefact {
        place: Place::table('B', 5),
        title: "Storage of the compressor for instruction and data addresses",
        unit: "bytes",
        of: "structure",
        across: "",
        decimals: 0,
        columns: vec!["bytes".into()],
        rows,
        drawing: Drawing::Bars,
        notes: vec!["Storage does not depend on the traces.".into()],
    })
}
