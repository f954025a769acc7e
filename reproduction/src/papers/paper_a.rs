//! Paper A: stream cache and last stream predictor, on MiBench programs for ARM.

use super::{
    Entry, Printed, Together, bandwidth_rows, printed, printed_average, program_rows,
    total_bandwidth,
};
use crate::artefact::{Artefact, Cell, Drawing, Row};
use crate::error::Result;
use crate::place::{Paper, Place};
use crate::run::{Needs, Results};

const PAPER: Paper = Paper('A');

/// Entries of the stream cache in Table 2 and Figures 3 and 4.
const SIZES: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// Ways of the stream cache in Figure 3.
const WAYS: [u32; 4] = [1, 2, 4, 8];

const SCHEMES: [&str; 3] = ["base", "ebase", "rbase"];

pub(super) const ENTRIES: [Entry; 4] = [
    Entry { place: Place::table('A', 1), needs: statistics, make: table_1 },
    Entry { place: Place::table('A', 2), needs: base, make: table_2 },
    Entry { place: Place::figure('A', 3), needs: organizations, make: figure_3 },
    Entry { place: Place::figure('A', 4), needs: schemes, make: figure_4 },
];

/// IC (millions), unique streams, longest, average length, streams that make 90 % of the run.
const TABLE_1: [Printed<5>; 17] = [
    ("adpcm_c", [733.0, 341.0, 71.0, 54.7, 1.0]),
    ("bf_e", [544.0, 403.0, 70.0, 5.9, 22.0]),
    ("cjpeg", [105.0, 1590.0, 239.0, 12.3, 47.0]),
    ("djpeg", [23.0, 1261.0, 206.0, 25.1, 31.0]),
    ("fft", [631.0, 846.0, 94.0, 10.5, 209.0]),
    ("ghostscript", [708.0, 6871.0, 251.0, 10.0, 67.0]),
    ("gsm_d", [1299.0, 711.0, 165.0, 19.5, 33.0]),
    ("lame", [1285.0, 3229.0, 237.0, 32.4, 235.0]),
    ("mad", [287.0, 1528.0, 206.0, 20.7, 42.0]),
    ("rijndael_e", [320.0, 513.0, 77.0, 21.0, 45.0]),
    ("rsynth", [825.0, 1238.0, 180.0, 17.6, 49.0]),
    ("stringsearch", [4.0, 436.0, 65.0, 6.0, 48.0]),
    ("sha", [141.0, 519.0, 65.0, 15.4, 10.0]),
    ("tiff2bw", [143.0, 1038.0, 43.0, 12.8, 2.0]),
    ("tiff2rgba", [152.0, 1131.0, 75.0, 27.7, 2.0]),
    ("tiffmedian", [541.0, 1335.0, 92.0, 22.3, 5.0]),
    ("tiffdither", [833.0, 1777.0, 67.0, 14.3, 63.0]),
];

/// The last row of Table 1, weighted by instructions like all averages of the paper.
const TABLE_1_AVERAGE: [f64; 5] = [816.0, 1791.0, 145.0, 21.6, 77.8];

/// Bits per instruction of BASE by entries.
const TABLE_2: [Printed<6>; 17] = [
    ("adpcm_c", [0.019, 0.019, 0.019, 0.019, 0.019, 0.019]),
    ("bf_e", [0.405, 0.359, 0.357, 0.384, 0.410, 0.437]),
    ("cjpeg", [0.204, 0.138, 0.131, 0.134, 0.140, 0.146]),
    ("djpeg", [0.125, 0.093, 0.075, 0.070, 0.072, 0.075]),
    ("fft", [1.492, 1.007, 0.616, 0.354, 0.256, 0.219]),
    ("ghostscript", [1.585, 0.823, 0.232, 0.227, 0.229, 0.234]),
    ("gsm_d", [0.103, 0.094, 0.086, 0.077, 0.076, 0.075]),
    ("lame", [0.129, 0.108, 0.102, 0.101, 0.100, 0.093]),
    ("mad", [0.295, 0.136, 0.129, 0.124, 0.124, 0.128]),
    ("rijndael_e", [0.743, 0.284, 0.192, 0.099, 0.105, 0.111]),
    ("rsynth", [0.382, 0.245, 0.175, 0.116, 0.115, 0.122]),
    ("sha", [0.178, 0.097, 0.101, 0.106, 0.111, 0.116]),
    ("stringsearch", [1.369, 0.938, 0.472, 0.387, 0.401, 0.382]),
    ("tiff2bw", [0.151, 0.135, 0.104, 0.087, 0.083, 0.084]),
    ("tiff2rgba", [0.114, 0.077, 0.045, 0.040, 0.040, 0.040]),
    ("tiffdither", [0.332, 0.249, 0.190, 0.164, 0.157, 0.160]),
    ("tiffmedian", [0.085, 0.077, 0.066, 0.058, 0.055, 0.056]),
];

fn statistics(needs: &mut Needs) -> Result<()> {
    needs.statistics = true;
    Ok(())
}

fn base(needs: &mut Needs) -> Result<()> {
    SIZES.iter().try_for_each(|size| scheme(needs, "base", *size))
}

fn scheme(needs: &mut Needs, scheme: &str, size: u32) -> Result<()> {
    let name = format!("stream-{scheme}-{size}");
    needs.design(&name, &name, &[])
}

fn schemes(needs: &mut Needs) -> Result<()> {
    SCHEMES.iter().try_for_each(|name| SIZES.iter().try_for_each(|size| scheme(needs, name, *size)))
}

fn organizations(needs: &mut Needs) -> Result<()> {
    for size in SIZES {
        for ways in WAYS {
            let preset = format!("stream-base-{size}");
            let settings = [("stream_cache_ways", ways.to_string())];
            let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
            needs.design(&organization(size, ways), &preset, &settings)?;
        }
    }
    Ok(())
}

fn organization(size: u32, ways: u32) -> String {
    format!("stream-base-{size}-ways-{ways}")
}

fn table_1(results: &Results) -> Result<Artefact> {
    let cells = |program: usize| {
        let statistics = &results.passes.get(program)?.statistics;
        let streams = &statistics.streams;
        let values = [
            statistics.instructions as f64 / 1e6,
            streams.unique() as f64,
            streams.longest as f64,
            streams.average_length(),
            streams.most_of_the_run() as f64,
        ];
        let name = results.programs[program].paper_name;
        let cells = values.into_iter().enumerate();
        let cells = cells.map(|(column, value)| Cell::new(value, printed(&TABLE_1, name, column)));
        Some((cells.collect(), statistics.instructions as f64))
    };
    Ok(Artefact {
        place: Place::table('A', 1),
        title: "Instructions and streams of the programs",
        unit: "",
        of: "program",
        across: "quantity",
        decimals: 1,
        columns: ["million instructions", "unique streams", "longest", "average length", "streams of 90 %"]
            .map(String::from)
            .into(),
        rows: program_rows(results, Together::Mean, cells, &TABLE_1_AVERAGE),
        drawing: Drawing::Bars,
        notes: vec![
            "A stream ends at a taken conditional or indirect branch. Averages are weighted by instructions.".into(),
        ],
    })
}

fn table_2(results: &Results) -> Result<Artefact> {
    let designs = SIZES.map(|size| format!("stream-base-{size}"));
    let average =
        designs.each_ref().map(|design| printed_average(PAPER, design).unwrap_or(f64::NAN));
    Ok(Artefact {
        place: Place::table('A', 2),
        title: "Bits per instruction of BASE by the entries of the stream cache",
        unit: "bits/instruction",
        of: "program",
        across: "entries",
        decimals: 3,
        columns: SIZES.map(|size| size.to_string()).into(),
        rows: bandwidth_rows(results, &designs, &TABLE_2, &average),
        drawing: Drawing::Lines,
        notes: vec!["The paper's average is that of its 17 programs.".into()],
    })
}

fn figure_3(results: &Results) -> Result<Artefact> {
    let row = |ways: u32| {
        let cells = SIZES.map(|size| Cell {
            here: total_bandwidth(results, &organization(size, ways)),
            paper: (ways == 4)
                .then(|| printed_average(PAPER, &format!("stream-base-{size}")))
                .flatten(),
        });
        Row::new(format!("{ways} way{}", if ways == 1 { "" } else { "s" }), cells.into())
    };
    Ok(Artefact {
        place: Place::figure('A', 3),
        title: "Bits per instruction of BASE by entries and ways of the stream cache",
        unit: "bits/instruction",
        of: "ways",
        across: "entries",
        decimals: 3,
        columns: SIZES.map(|size| size.to_string()).into(),
        rows: WAYS.map(row).into(),
        drawing: Drawing::Lines,
        notes: vec![
            "All programs together. The paper draws this figure; its values for 4 ways are those of Table 2.".into(),
        ],
    })
}

fn figure_4(results: &Results) -> Result<Artefact> {
    let row = |scheme: &str| {
        let cells = SIZES.map(|size| {
            let design = format!("stream-{scheme}-{size}");
            Cell { here: total_bandwidth(results, &design), paper: printed_average(PAPER, &design) }
        });
        let name = match scheme {
            "base" => "BASE",
            "ebase" => "eBASE",
            _ => "rBASE",
        };
        Row::new(name, cells.into())
    };
    Ok(Artefact {
        place: Place::figure('A', 4),
        title: "Bits per instruction of BASE, eBASE and rBASE",
        unit: "bits/instruction",
        of: "scheme",
        across: "entries",
        decimals: 3,
        columns: SIZES.map(|size| size.to_string()).into(),
        rows: SCHEMES.map(row).into(),
        drawing: Drawing::Lines,
        notes: vec![
            "All programs together. The paper draws this figure; its values are those that its text names.".into(),
        ],
    })
}
