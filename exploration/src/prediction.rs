//! What the ratios of some programs say about those of others.

use special::Beta;

/// The probability with which a bound holds.
const PROBABILITY: f64 = 0.95;

/// The fewest programs that say anything about the spread of their ratios.
const FEWEST: usize = 3;

/// A bound that the largest ratio of as many other programs of the same kinds stays below with a probability of 95 %: the
/// upper prediction bound of a normal distribution, for the logarithms of the ratios, and at least the largest of the
/// ratios. `None` for fewer than three programs; those with a ratio of 0, which have no bits, do not count.
///
/// The largest of `n` ratios alone is exceeded by one of `n` other programs with a probability of one half.
pub(crate) fn bound(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = ratios.filter(|ratio| *ratio > 0.0).map(f64::ln).collect();
    if logarithms.len() < FEWEST {
        return None;
    }
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let variance = logarithms.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
    // Every one of as many other programs stays below the bound.
    let quantile = quantile_of_t(PROBABILITY.powf(count.recip()), count - 1.0);
    let above = quantile * (variance * (1.0 + count.recip())).sqrt();
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some((mean + above).max(largest).exp())
}

/// The quantile of Student's t distribution for a probability above one half.
fn quantile_of_t(probability: f64, degrees_of_freedom: f64) -> f64 {
    let half = degrees_of_freedom / 2.0;
    // Of the beta distribution, in which both tails are one.
    let share = (2.0 * (1.0 - probability)).inv_inc_beta(half, 0.5, half.ln_beta(0.5));
    (degrees_of_freedom * (share.recip() - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{bound, quantile_of_t};

    #[test]
    fn quantiles_of_tables() {
        for (probability, degrees, quantile) in
            [(0.95, 13.0, 1.771), (0.975, 5.0, 2.571), (0.995, 2.0, 9.925), (0.9995, 30.0, 3.646)]
        {
            let found = quantile_of_t(probability, degrees);
            assert!((found - quantile).abs() < 5e-4, "{found}, not {quantile}");
        }
    }

    #[test]
    fn it_is_what_tables_of_the_distribution_say() {
        // Two programs say nothing, and equal ones leave no doubt.
        assert_eq!(bound([0.5, 2.0, 0.0].into_iter()), None);
        assert_eq!(bound([0.7; 5].into_iter()), Some(0.7));
        // Logarithms -1, 0, 1 have a mean of 0 and a standard deviation of 1. The cube root of 0.95 is 0.98305, whose
        // quantile is t = 5.294 for two degrees of freedom: p = 1/2 + t / (2 sqrt(2 + t^2)).
        let found = bound([(-1.0_f64).exp(), 1.0, 1.0_f64.exp()].into_iter()).unwrap();
        let quantile = found.ln() / (4.0_f64 / 3.0).sqrt();
        let probability = 0.5 + quantile / (2.0 * (2.0 + quantile * quantile).sqrt());
        assert!((probability.powi(3) - 0.95).abs() < 1e-6, "{probability}");
    }

    #[test]
    fn it_holds_for_as_many_other_programs_in_19_of_20_draws() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        // The sum of twelve numbers is nearly normal.
        let mut ratio =
            || (0.3 * ((0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0)).exp();
        let (draws, mut held, mut by_largest) = (4_000, 0, 0);
        for _ in 0..draws {
            let known: Vec<f64> = (0..14).map(|_| ratio()).collect();
            let largest = known.iter().copied().fold(0.0, f64::max);
            let bound = bound(known.into_iter()).unwrap();
            let others = (0..14).map(|_| ratio()).fold(0.0, f64::max);
            held += u32::from(others <= bound);
            by_largest += u32::from(others <= largest);
        }
        let share = |count: u32| f64::from(count) / f64::from(draws);
        assert!((0.94..0.97).contains(&share(held)), "{}", share(held));
        assert!((0.47..0.53).contains(&share(by_largest)), "{}", share(by_largest));
    }
}
