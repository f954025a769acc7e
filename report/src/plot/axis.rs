//! Axes: positions of values, and marks.

use super::canvas::{Anchor, Canvas, text_width};
use crate::figures::grouped;

/// An axis of a plot.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
    from: f64,
    to: f64,
}

/// Approximate number of marks on a linear axis.
const MARKS: f64 = 7.0;

/// The fewest marks on a logarithmic axis that is long enough for them.
const FEWEST: usize = 4;

/// Marks in a decade of a logarithmic axis, the fewest first.
const STEPS: [&[f64]; 4] = [
    &[1.0, 2.0, 5.0],
    &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
    &[1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0],
    &[
        1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7,
        2.8, 2.9, 3.0, 3.2, 3.4, 3.6, 3.8, 4.0, 4.25, 4.5, 4.75, 5.0, 5.25, 5.5, 5.75, 6.0, 6.5,
        7.0, 7.5, 8.0, 8.5, 9.0, 9.5,
    ],
];

impl Axis {
    /// A linear axis from 0 to a little above `most`, drawn between `from` and `to`.
    pub fn linear(most: f64, from: f64, to: f64) -> Self {
        Self { low: 0.0, high: most.max(1.0) * 1.02, is_logarithmic: false, from, to }
    }

    /// A linear axis from 0 to a little above `most`, however small that is.
    pub fn from_zero(most: f64, from: f64, to: f64) -> Self {
        let high = if most > 0.0 { most * 1.02 } else { 1.0 };
        Self { low: 0.0, high, is_logarithmic: false, from, to }
    }

    /// A logarithmic axis with some room around `low` and `high`.
    pub fn logarithmic(low: f64, high: f64, room: f64, from: f64, to: f64) -> Self {
        Self { low: low / room, high: high * room, is_logarithmic: true, from, to }
    }

    /// The position of a value.
    pub fn at(&self, value: f64) -> f64 {
        let part = if self.is_logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + part * (self.to - self.from)
    }

    /// Values to mark.
    pub fn marks(&self) -> Vec<f64> {
        if self.is_logarithmic {
            let each = STEPS.iter().map(|steps| self.logarithmic_marks(steps));
            return each
                .reduce(|fewer, more| if fewer.len() < FEWEST { more } else { fewer })
                .unwrap_or_default();
        }
        let decade = 10f64.powf((self.high / MARKS).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
        let step = steps.into_iter().find(|step| self.high / step <= MARKS);
        let step = step.unwrap_or(10.0 * decade);
        let mut marks: Vec<f64> = (0..=MARKS as u32).map(|count| f64::from(count) * step).collect();
        marks.retain(|mark| (self.low..=self.high).contains(mark));
        marks
    }

    /// Values of every decade that are so many times its first one.
    fn logarithmic_marks(&self, steps: &[f64]) -> Vec<f64> {
        let mut marks = Vec::new();
        let mut decade = 10f64.powf(self.low.log10().floor());
        while decade <= self.high {
            marks.extend(steps.iter().map(|step| step * decade));
            decade *= 10.0;
        }
        marks.retain(|mark| (self.low..=self.high).contains(mark));
        marks
    }

    /// Draws a horizontal axis at `bottom` with grid lines up to `top` and the title below.
    pub fn draw_below(&self, canvas: &mut Canvas, top: f64, bottom: f64, title: &str) {
        let mut free = f64::NEG_INFINITY;
        for mark in self.marks() {
            let (x, text) = (self.at(mark), number(mark));
            canvas.line((x, top), (x, bottom), "grid");
            // On a narrow drawing a text may have no room beside the one before.
            let half = text_width(&text, 12.0) / 2.0;
            if x - half >= free {
                canvas.text((x, bottom + 17.0), Anchor::Middle, "tick", &text);
                free = x + half + 4.0;
            }
        }
        canvas.line((self.from, bottom), (self.to, bottom), "axis");
        let middle = (self.from + self.to) / 2.0;
        canvas.text((middle, bottom + 38.0), Anchor::Middle, "axis-title", title);
    }

    /// Draws a vertical axis at `left` with grid lines to `right` and the title beside it.
    pub fn draw_left(&self, canvas: &mut Canvas, left: f64, right: f64, title: &str) {
        let mut widest: f64 = 0.0;
        for mark in self.marks() {
            let (y, text) = (self.at(mark), number(mark));
            canvas.line((left, y), (right, y), "grid");
            canvas.text((left - 8.0, y + 4.0), Anchor::End, "tick", &text);
            widest = widest.max(text_width(&text, 12.0));
        }
        canvas.line((left, self.from), (left, self.to), "axis");
        let middle = (self.from + self.to) / 2.0;
        canvas.upright((left - 20.0 - widest, middle), "axis-title", title);
    }
}

/// A mark's text.
fn number(mark: f64) -> String {
    if mark >= 10.0 || mark.fract().abs() < 1e-9 {
        grouped(mark.round() as u64)
    } else {
        // Sums of powers of ten are not exact; three digits of them are.
        let digits = (2.0 - mark.log10().floor()).max(0.0) as usize;
        format!("{mark:.digits$}").trim_end_matches('0').into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        let text = |axis: Axis| axis.marks().into_iter().map(number).collect::<Vec<_>>();
        assert_eq!(text(Axis::linear(9000.0, 0.0, 1.0)), ["0", "2,000", "4,000", "6,000", "8,000"]);
        assert_eq!(text(Axis::linear(1.0, 0.0, 1.0))[..3], ["0", "0.2", "0.4"]);
        assert_eq!(text(Axis::from_zero(2.5, 0.0, 1.0)), ["0", "0.5", "1", "1.5", "2", "2.5"]);
        let small = Axis::logarithmic(0.003, 0.25, 1.0, 0.0, 1.0);
        assert_eq!(text(small), ["0.005", "0.01", "0.02", "0.05", "0.1", "0.2"]);
        assert_eq!((small.at(0.003), small.at(0.25)), (0.0, 1.0));
        // A short axis has closer marks.
        let short = Axis::logarithmic(0.04, 0.08, 1.0, 0.0, 1.0);
        assert_eq!(text(short), ["0.04", "0.045", "0.05", "0.06", "0.07", "0.08"]);
        let shorter = Axis::logarithmic(7000.0, 8600.0, 1.0, 0.0, 1.0);
        assert_eq!(text(shorter), ["7,000", "7,500", "8,000", "8,500"]);
    }
}
