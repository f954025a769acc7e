//! Chooses one of several offers.

use super::offer::Offer;
use super::survey::WORTH;
use crate::error::{Error, Result};
use crate::outcome::ratio;
use crate::store::Figures;

/// A small design may need so many times the fewest bits.
const MOST_BITS: f64 = 4.0;

/// Which bits per instruction designs are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Those of the trace that has the most.
    #[default]
    Worst,
    /// Those of all traces together.
    Total,
}

impl By {
    /// Bits per instruction of a design, without one of the traces if it is given.
    pub fn bits(self, by_trace: &[Figures], without: Option<usize>) -> f64 {
        let others = by_trace.iter().enumerate().filter(|(trace, _)| Some(*trace) != without);
        let others = others.map(|(_, figures)| figures);
        match self {
            By::Worst => others.map(Figures::bits_per_instruction).fold(0.0, f64::max),
            By::Total => {
                let (bits, instructions) = others.fold((0_u64, 0_u64), |(bits, all), one| {
                    (bits.saturating_add(one.bits), all.saturating_add(one.instructions))
                });
                ratio(bits, instructions)
            }
        }
    }
}

/// What memories are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memories {
    /// Something denser than flip-flops, at some gate equivalents per bit.
    #[default]
    Dense,
    /// Flip-flops.
    FlipFlops,
}

/// What a design may cost, and how that is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// The most gate equivalents.
    pub gates: Option<f64>,
    /// The most bits per instruction.
    pub bits: Option<f64>,
    /// Which bits.
    pub by: By,
    /// Which gate equivalents.
    pub memories: Memories,
}

/// What a design is recommended for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The budget: the fewest bits within so many gates, the fewest gates within so many bits, or within both the least
    /// product of the two.
    Budget,
    /// Few gates and few bits: the least product of the two.
    Balance,
    /// The fewest gates of those designs that need at most four times the fewest bits.
    SmallArea,
    /// The fewest bits.
    FewBits,
    /// Decoders of a standard: the fewest gates of the designs whose traces they read.
    StandardTools,
}

/// A recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommended {
    /// What the offer is for.
    pub purpose: Purpose,
    /// The number of the offer.
    pub offer: usize,
}

/// The choice without one of the traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the trace.
    pub trace: usize,
    /// The number of the offer that is chosen by the others.
    pub offer: usize,
}

/// What is chosen of some offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The recommendations; the first one is what is chosen.
    pub recommended: Vec<Recommended>,
    /// For each of several traces the choice without it.
    pub left_out: Vec<LeftOut>,
}

impl Choice {
    /// The number of the offer that is chosen.
    pub fn chosen(&self) -> usize {
        self.recommended.first().map_or(0, |first| first.offer)
    }
}

/// The offers without neighbours of little worth: those whose gates times bits are not clearly below those of the design
/// that they are beside.
pub fn worthwhile(offers: Vec<Offer>, budget: &Budget) -> Vec<Offer> {
    let is_worth = |one: &Offer| {
        let of = offers.iter().find(|other| one.is_neighbour() && other.design == one.of);
        of.is_none_or(|of| product(one, budget) <= WORTH * product(of, budget))
    };
    let keep: Vec<bool> = offers.iter().map(is_worth).collect();
    offers.into_iter().zip(keep).filter_map(|(offer, keep)| keep.then_some(offer)).collect()
}

/// Chooses one of the offers and recommends others.
///
/// # Errors
/// When no offer is within the budget.
pub fn choose(offers: &[Offer], budget: &Budget) -> Result<Choice> {
    let chosen = within(offers, budget, None).ok_or_else(|| nothing(offers, budget))?;
    let is_limited = budget.gates.is_some() || budget.bits.is_some();
    let first = if is_limited { Purpose::Budget } else { Purpose::Balance };
    let mut recommended = vec![Recommended { purpose: first, offer: chosen }];
    let fewest = least(offers, |one| Some(bits(one, budget, None)));
    let most = MOST_BITS * fewest.map_or(0.0, |one| bits(&offers[one], budget, None));
    let ge = |one: &Offer| one.ge(budget.memories);
    let small = least(offers, |one| (bits(one, budget, None) <= most).then(|| ge(one)));
    let standard = least(offers, |one| one.is_standard().then(|| ge(one)));
    let others = [
        (Purpose::SmallArea, small),
        (Purpose::FewBits, fewest),
        (Purpose::StandardTools, standard),
    ];
    recommended.extend(
        others
            .into_iter()
            .filter_map(|(purpose, offer)| Some(Recommended { purpose, offer: offer? })),
    );
    let traces = offers.first().map_or(0, |one| one.by_trace.len());
    let left_out = (0..traces)
        .filter(|_| traces > 1)
        .filter_map(|trace| Some(LeftOut { trace, offer: within(offers, budget, Some(trace))? }));
    Ok(Choice { recommended, left_out: left_out.collect() })
}

/// The best offer within the budget.
fn within(offers: &[Offer], budget: &Budget, without: Option<usize>) -> Option<usize> {
    least(offers, |one| {
        let (ge, bits) = (one.ge(budget.memories), bits(one, budget, without));
        let fits = budget.gates.is_none_or(|most| ge <= most)
            && budget.bits.is_none_or(|most| bits <= most);
        fits.then_some(match (budget.gates, budget.bits) {
            (Some(_), None) => bits,
            (None, Some(_)) => ge,
            (None, None) | (Some(_), Some(_)) => ge * bits,
        })
    })
}

/// The first offer with the least score, which some offers do not have.
fn least(offers: &[Offer], score: impl Fn(&Offer) -> Option<f64>) -> Option<usize> {
    let scored = offers.iter().enumerate().filter_map(|(at, one)| Some((at, score(one)?)));
    scored.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(at, _)| at)
}

fn bits(offer: &Offer, budget: &Budget, without: Option<usize>) -> f64 {
    budget.by.bits(&offer.by_trace, without)
}

fn product(offer: &Offer, budget: &Budget) -> f64 {
    offer.ge(budget.memories) * bits(offer, budget, None)
}

fn nothing(offers: &[Offer], budget: &Budget) -> Error {
    let name = |at: Option<usize>| at.map_or(String::new(), |at| offers[at].design.name.clone());
    let of = |at: Option<usize>, of: &dyn Fn(&Offer) -> f64| at.map_or(0.0, |at| of(&offers[at]));
    let ge = |one: &Offer| one.ge(budget.memories);
    let bits = |one: &Offer| bits(one, budget, None);
    let smallest = least(offers, |one| Some(ge(one)));
    let fewest = least(offers, |one| Some(bits(one)));
    Error::NothingFits {
        gates: budget.gates,
        bits: budget.bits,
        smallest: name(smallest),
        smallest_gates: of(smallest, &ge),
        fewest: name(fewest),
        fewest_bits: of(fewest, &bits),
    }
}

#[cfg(test)]
mod tests {
    use tracewright_sim::scheme::Design;

    use super::super::offer::{Gates, Load};
    use super::*;

    /// A design of so many gates, and its bits on traces of 1,000 and 9,000 instructions.
    fn offer(preset: &str, gates: f64, bits: [u64; 2]) -> Offer {
        let design = Design::preset(preset).expect("a preset");
        let figures = |(bits, instructions)| Figures { instructions, bits, buffer_bits: 0 };
        Offer {
            of: design.clone(),
            design,
            by_trace: bits.into_iter().zip([1000, 9000]).map(figures).collect(),
            gates: Gates { dense: gates, flip_flops: 10.0 * gates },
            estimated_gates: 0,
            load: Load::default(),
        }
    }

    fn offers() -> Vec<Offer> {
        vec![
            offer("nexs", 1000.0, [900, 900]),
            offer("traptor-s1", 3000.0, [120, 900]),
            offer("etrace-base", 4000.0, [800, 800]),
            offer("etrace-full", 4500.0, [500, 500]),
            offer("talon-s", 7000.0, [50, 1800]),
            offer("talon-g", 9000.0, [90, 90]),
        ]
    }

    fn chosen(budget: Budget) -> Vec<(Purpose, String)> {
        let offers = offers();
        let found = choose(&offers, &budget).expect("a choice");
        let name = |one: &Recommended| (one.purpose, offers[one.offer].design.name.clone());
        found.recommended.iter().map(name).collect()
    }

    #[test]
    fn each_purpose_has_its_design() {
        let found = chosen(Budget::default());
        let expected = [
            (Purpose::Balance, "traptor-s1"),
            (Purpose::SmallArea, "traptor-s1"),
            (Purpose::FewBits, "talon-g"),
            (Purpose::StandardTools, "etrace-base"),
        ];
        assert_eq!(found, expected.map(|(purpose, name)| (purpose, name.to_owned())));
    }

    #[test]
    fn a_budget_is_kept() {
        let first = |budget| chosen(budget)[0].clone();
        let budget = Budget { gates: Some(8000.0), ..Budget::default() };
        assert_eq!(first(budget), (Purpose::Budget, "traptor-s1".into()));
        let budget = Budget { bits: Some(0.1), ..Budget::default() };
        assert_eq!(first(budget).1, "talon-g");
        // All traces together, and memories of flip-flops.
        let budget = Budget { bits: Some(0.12), by: By::Total, ..Budget::default() };
        assert_eq!(first(budget).1, "traptor-s1");
        let budget =
            Budget { gates: Some(40_000.0), memories: Memories::FlipFlops, ..Budget::default() };
        assert_eq!(first(budget).1, "traptor-s1");
        let budget = Budget { gates: Some(3500.0), bits: Some(0.1), ..Budget::default() };
        let error = choose(&offers(), &budget).expect_err("nothing fits").to_string();
        assert!(error.contains("nexs, has 1000 GE"), "{error}");
        assert!(error.contains("talon-g has the fewest bits per instruction, 0.0900"), "{error}");
    }

    #[test]
    fn a_choice_may_hang_on_one_trace() {
        let budget = Budget { bits: Some(0.12), ..Budget::default() };
        let offers = offers();
        let found = choose(&offers, &budget).expect("a choice");
        let names = found.left_out.iter().map(|one| &*offers[one.offer].design.name);
        assert_eq!(names.collect::<Vec<_>>(), ["nexs", "traptor-s1"]);
        assert_eq!(offers[found.chosen()].design.name, "traptor-s1");
    }

    #[test]
    fn a_neighbour_has_to_be_clearly_better() {
        let near = |gates: f64, name: &str| {
            let one = offer("talon-g", gates, [90, 90]);
            Offer { design: one.design.renamed(name).expect("a name"), ..one }
        };
        let mut offers = offers();
        offers.extend([near(8900.0, "little"), near(8000.0, "much")]);
        let names: Vec<String> =
            worthwhile(offers, &Budget::default()).into_iter().map(|one| one.design.name).collect();
        assert_eq!(names.last().map(String::as_str), Some("much"));
        assert_eq!(names.len(), 7);
    }
}
