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

/// The most steps between the marks of a linear axis: at least three fit, which makes four marks.
const STEPS: f64 = 8.0;

/// The least number of marks on an axis.
const FEWEST: usize = 4;

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
        let mut marks = Vec::new();
        let is_inside = |mark: &f64| (self.low..=self.high).contains(mark);
        if self.is_logarithmic {
            let mut decade = 10f64.powf(self.low.log10().floor());
            while decade <= self.high {
                marks.extend([1.0, 2.0, 5.0].map(|step| step * decade));
                decade *= 10.0;
            }
            marks.retain(is_inside);
            if marks.len() >= FEWEST {
                return marks;
            }
        }
        // On a short logarithmic axis, too, the marks have equal steps.
        let most = if self.is_logarithmic { STEPS + 2.0 } else { STEPS };
        let step = step(self.high - self.low, most);
        let first = (self.low / step).ceil();
        marks = (0..=most as u32).map(|count| (first + f64::from(count)) * step).collect();
        marks.retain(is_inside);
        marks
    }

    /// Places and texts of the marks of a horizontal axis, without those that would touch the text before.
    fn apart(&self) -> Vec<(f64, String)> {
        let mut apart = Vec::new();
        let mut end = f64::NEG_INFINITY;
        for mark in self.marks() {
            let (x, text) = (self.at(mark), number(mark));
            let half = text_width(&text, 12.0) / 2.0;
            if x - half > end {
                end = x + half + 4.0;
                apart.push((x, text));
            }
        }
        apart
    }

    /// Draws a horizontal axis at `bottom` with grid lines up to `top` and the title below.
    pub fn draw_below(&self, canvas: &mut Canvas, top: f64, bottom: f64, title: &str) {
        for mark in self.marks() {
            canvas.line((self.at(mark), top), (self.at(mark), bottom), "grid");
        }
        for (x, text) in self.apart() {
            canvas.text((x, bottom + 17.0), Anchor::Middle, "tick", &text);
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

/// The smallest step of 1, 2 or 5 times a power of ten of which `most` are not shorter than `span`.
fn step(span: f64, most: f64) -> f64 {
    let decade = 10f64.powf((span / most).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    steps.into_iter().find(|step| span / step <= most).unwrap_or(10.0 * decade)
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
        let short = Axis::logarithmic(0.9, 2.2, 1.0, 0.0, 1.0);
        assert_eq!(text(short), ["1", "1.2", "1.4", "1.6", "1.8", "2", "2.2"]);
    }

    #[test]
    fn texts_of_a_narrow_axis_do_not_touch() {
        let axis = Axis::logarithmic(3000.0, 12_500.0, 1.15, 70.0, 368.0);
        let apart = axis.apart();
        assert!(apart.len() >= 4 && apart.len() < axis.marks().len(), "{apart:?}");
        for pair in apart.windows(2) {
            let [(before, one), (after, other)] = pair else { continue };
            let needed = (text_width(one, 12.0) + text_width(other, 12.0)) / 2.0;
            assert!(after - before > needed, "{apart:?}");
        }
    }

    #[test]
    fn every_axis_has_four_marks() {
        for tenths in 1..3000 {
            let high = f64::from(tenths) / 10.0;
            for axis in [
                Axis::from_zero(high, 0.0, 1.0),
                Axis::logarithmic(high, high * 1.3, 1.08, 0.0, 1.0),
                Axis::logarithmic(high, high * 9.0, 1.08, 0.0, 1.0),
            ] {
                assert!((4..=12).contains(&axis.marks().len()), "{axis:?}: {:?}", axis.marks());
            }
        }
    }
}
