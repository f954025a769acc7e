//! Measures designs, those that are not known from before, and keeps what it finds.

use std::collections::{BTreeMap, HashSet};

use tracewright_sim::scheme::{Design, DesignError};
use tracewright_verification::Progress;
use tracewright_verification::measurement::{Measured, measure};

use crate::error::Result;
use crate::input::Input;
use crate::outcome::{Counts, Row, TraceSummary};
use crate::predictors::Variant;
use crate::search::{Search, Setup};
use crate::space::{Candidate, Point, identity};
use crate::store::{Figures, Store, key};
use crate::yardstick::{Baseline, Yardstick};

/// Designs that share a pass over a trace. What a killed search repeats is at most such a pass.
const PASS: usize = 64;

/// The limits of the parameter `fifo_bits`.
const BUFFER_BITS: (u64, u64) = (8, 65_536);

/// Measures the designs of a search, each of them once.
pub struct Evaluator<'a> {
    search: &'a Search,
    inputs: &'a [Input],
    traces: Vec<TraceSummary>,
    baseline: Option<Baseline>,
    store: Store,
    setup: &'a Setup,
    /// Designs that were asked for, by what they are.
    known: HashSet<String>,
    rows: Vec<Row>,
    counts: Counts,
    /// Designs that were measured because a strategy chose them.
    chosen: u64,
    refused: Option<String>,
}

impl<'a> Evaluator<'a> {
    /// Nothing is measured yet. `traces` are the inputs with their classes.
    pub fn new(
        search: &'a Search,
        inputs: &'a [Input],
        traces: Vec<TraceSummary>,
        store: Store,
        setup: &'a Setup,
    ) -> Self {
        Self {
            search,
            inputs,
            traces,
            baseline: None,
            store,
            setup,
            known: HashSet::new(),
            rows: Vec::new(),
            counts: Counts::default(),
            chosen: 0,
            refused: None,
        }
    }

    /// Every design measured, in the order in which it was asked for.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What was done.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Why the first point that was refused is no design.
    pub fn refused(&self) -> Option<String> {
        self.refused.clone()
    }

    /// Why the first point was refused, if no point was a design.
    pub fn nothing_valid(&self) -> Option<String> {
        self.refused.clone().filter(|_| self.chosen == 0)
    }

    /// The baseline, after it was measured.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// Measures the design that every other one is compared with.
    ///
    /// # Errors
    /// Those of [`measure`](Self::measure).
    pub fn measure_baseline(&mut self, design: &Design) -> Result<()> {
        let candidate = Candidate { preset: design.clone(), design: design.clone() };
        let by_trace = self.figures(&[candidate])?.pop().unwrap_or_default();
        let gates = design.estimated_gates();
        self.baseline = Some(Baseline { design: design.name.clone(), gates, by_trace });
        Ok(())
    }

    fn yardstick(&self) -> Yardstick<'_> {
        Yardstick { traces: &self.traces, baseline: self.baseline.as_ref() }
    }

    /// Measures the presets, to which designs are compared.
    ///
    /// # Errors
    /// Those of [`measure`](Self::measure).
    pub fn measure_presets(&mut self) -> Result<()> {
        let numbers = 0..self.search.space.presets().len();
        let presets: Vec<_> = numbers.map(|number| self.search.space.reference(number)).collect();
        let by_candidate = self.figures(&presets)?;
        let rows = presets.iter().zip(by_candidate);
        let rows: Vec<Row> =
            rows.map(|(preset, figures)| Row::new(preset, figures, self.yardstick())).collect();
        // With the smallest buffer the same parameters make another design.
        if !self.search.smallest_buffer {
            self.known.extend(presets.iter().map(|preset| identity(&preset.design)));
        }
        self.rows.extend(rows);
        Ok(())
    }

    /// The design at a point, if there is one that was not asked for before. A point without a design is counted in the
    /// shard that `is_own` tells of.
    pub fn admit(&mut self, point: &Point, is_own: bool) -> Option<Candidate> {
        match self.valid(point) {
            Ok(candidate) => self.known.insert(identity(&candidate.design)).then_some(candidate),
            Err(error) => {
                self.refuse(error.to_string(), is_own);
                None
            }
        }
    }

    /// The design at a point, which every machine of the traces can have.
    fn valid(&self, point: &Point) -> Result<Candidate, DesignError> {
        let candidate = self.search.space.candidate(point)?;
        for input in self.inputs {
            candidate.design.for_machine(input.machine)?;
        }
        Ok(candidate)
    }

    /// Counts a combination that cannot be, in the shard that it is of.
    pub(crate) fn refuse(&mut self, why: String, is_own: bool) {
        self.counts.invalid += u64::from(is_own);
        self.refused.get_or_insert(why);
    }

    /// Adds predictors without hardware and their figures on every trace.
    pub(crate) fn add_models(&mut self, variants: &[Variant], figures: Vec<Vec<Figures>>) {
        self.counts.measured += figures.iter().map(|of_one| of_one.len() as u64).sum::<u64>();
        self.chosen += variants.len() as u64;
        let rows = variants.iter().zip(figures);
        let rows: Vec<Row> = rows
            .map(|(variant, figures)| Row::of_model(variant, figures, self.yardstick()))
            .collect();
        self.rows.extend(rows);
    }

    /// Measures designs that were admitted, and gives the place of the first in [`rows`](Self::rows).
    ///
    /// # Errors
    /// Those of [`measure`](Self::measure).
    pub fn add(&mut self, candidates: &[Candidate]) -> Result<usize> {
        let first = self.rows.len();
        let rows = self.measure(candidates)?;
        self.rows.extend(rows);
        self.chosen += candidates.len() as u64;
        Ok(first)
    }

    /// Whether every machine of the traces can have the design.
    pub fn is_valid(&self, design: &Design) -> bool {
        self.inputs.iter().all(|input| design.for_machine(input.machine).is_ok())
    }

    /// Measures a design with the buffer that it has, and does not add it to [`rows`](Self::rows).
    ///
    /// # Errors
    /// Those of [`measure`](Self::measure).
    pub fn measure_as_is(&mut self, candidate: &Candidate) -> Result<Option<Row>> {
        let figures = self.figures(std::slice::from_ref(candidate))?.pop();
        Ok(figures.map(|figures| Row::new(candidate, figures, self.yardstick())))
    }

    /// Measures designs on every trace.
    ///
    /// # Errors
    /// When a design cannot trace a trace, or a trace is gone or has changed.
    pub fn measure(&mut self, candidates: &[Candidate]) -> Result<Vec<Row>> {
        let by_candidate = self.figures(candidates)?;
        let row = |(candidate, figures): (&Candidate, Vec<Figures>)| {
            Ok(Row::new(&self.with_buffer(candidate, &figures)?, figures, self.yardstick()))
        };
        candidates.iter().zip(by_candidate).map(row).collect()
    }

    /// The figures of designs on every trace.
    fn figures(&mut self, candidates: &[Candidate]) -> Result<Vec<Vec<Figures>>> {
        let mut figures = Vec::with_capacity(candidates.len());
        for pass in candidates.chunks(PASS) {
            let mut of_pass = vec![Vec::with_capacity(self.inputs.len()); pass.len()];
            for input in self.inputs {
                for (of_candidate, figures) in of_pass.iter_mut().zip(self.pass(pass, input)?) {
                    of_candidate.push(figures);
                }
            }
            figures.append(&mut of_pass);
        }
        Ok(figures)
    }

    /// Measures designs in one pass over a trace.
    fn pass(&mut self, candidates: &[Candidate], input: &Input) -> Result<Vec<Figures>> {
        let of_machine = |one: &Candidate| one.design.for_machine(input.machine);
        let designs: Vec<Design> = candidates.iter().map(of_machine).collect::<Result<_, _>>()?;
        let keys: Vec<String> = designs.iter().map(|design| key(design, input)).collect();
        // Designs that differ for another machine may be the same for this one.
        let mut unknown: BTreeMap<&str, &Design> = BTreeMap::new();
        for (key, design) in keys.iter().zip(&designs) {
            if self.store.get(key).is_none() {
                unknown.insert(key, design);
            }
        }
        let (new, to_measure): (Vec<&str>, Vec<Design>) =
            unknown.into_iter().map(|(key, design)| (key, design.clone())).unzip();
        self.counts.measured += new.len() as u64;
        self.counts.known += (designs.len() - new.len()) as u64;
        if !new.is_empty() {
            input.check()?;
            let (silent, traces) = (Progress::silent(), [input.path.clone()]);
            let measured = measure(&to_measure, &traces, self.setup.limit, &silent)?;
            input.check()?;
            let figures = measured.iter().map(Figures::new);
            self.store.keep(new.into_iter().map(str::to_owned).zip(figures))?;
        }
        self.setup.progress.add(designs.len() as u64);
        Ok(keys.iter().filter_map(|key| self.store.get(key)).collect())
    }

    /// The design with the smallest buffer that never stalls, if the search is for that.
    fn with_buffer(&self, candidate: &Candidate, figures: &[Figures]) -> Result<Candidate> {
        if !self.search.smallest_buffer {
            return Ok(candidate.clone());
        }
        let (least, most) = BUFFER_BITS;
        let needed = figures.iter().map(|one| one.buffer_bits).max().unwrap_or(least);
        let mut design = candidate.design.clone();
        design.set("fifo_bits", &needed.clamp(least, most).to_string())?;
        Ok(Candidate::new(&candidate.preset, design)?)
    }
}

impl Figures {
    fn new(measured: &Measured) -> Self {
        Self {
            instructions: measured.instructions,
            bits: measured.bits,
            buffer_bits: measured.fifo_needed_bits,
        }
    }
}
