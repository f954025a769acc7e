//! Charts of any values, each here and in a paper: lines, panels of bars, points.

use super::axis::Axis;
use super::bars::legend_places;
use super::canvas::{Anchor, Canvas, FONT, WIDTH, text_width};
use super::strokes::strokes;

/// A row of values.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// True if it sums up the others.
    pub is_total: bool,
    /// The values here.
    pub here: Vec<Option<f64>>,
    /// The values of the paper.
    pub paper: Vec<Option<f64>>,
}

/// Values to be drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its subject, for screen readers.
    pub title: String,
    /// What the columns are.
    pub across: String,
    /// The unit of the values.
    pub unit: String,
    /// The columns.
    pub columns: Vec<String>,
    /// The rows.
    pub series: Vec<Series>,
}

/// Highest value divided by the lowest from which on an axis is logarithmic.
const WIDE: f64 = 30.0;

/// Pixels of a bar with its gap.
const BAR: f64 = 13.0;

/// The most panels side by side.
const PANELS: usize = 4;

/// Characters of a label that are shown.
const LABEL: usize = 34;

impl Chart {
    /// The highest value that is drawn, of all columns or of one.
    fn highest(&self, column: Option<usize>) -> f64 {
        let values = self.series.iter().flat_map(|series| [&series.here, &series.paper]);
        let values = values.flat_map(|values| values.iter().enumerate());
        let wanted = values.filter(|(index, _)| column.is_none_or(|column| column == *index));
        wanted.filter_map(|(_, value)| *value).fold(0.0, f64::max)
    }

    /// The lowest value above 0 that is drawn.
    fn lowest(&self) -> f64 {
        let values = self.series.iter().flat_map(|series| series.here.iter().chain(&series.paper));
        let positive = values.filter_map(|value| value.filter(|value| *value > 0.0));
        positive.fold(f64::INFINITY, f64::min)
    }

    /// A line for each row over the columns; dashed for the paper. With totals, the other rows are thin and grey. The axis
    /// is logarithmic if the values need it, and a value of 0 is then left out.
    pub fn lines(&self) -> String {
        let has_totals = self.series.iter().any(|series| series.is_total);
        let coloured: Vec<&Series> =
            self.series.iter().filter(|series| !has_totals || series.is_total).collect();
        let names: Vec<&str> = coloured.iter().map(|series| series.name.as_str()).collect();
        let strokes = strokes(&names);
        let legend: Vec<(&str, usize)> = names.iter().map(|name| (*name, 0)).collect();
        let left = 80.0;
        let places = legend_places(&legend, left);
        let top = 30.0 + 21.0 * places.last().map_or(0.0, |(_, row)| *row);
        let bottom = top + 340.0;
        let mut canvas = Canvas::new(bottom + 50.0, &self.title);
        for (((name, _), stroke), (x, row)) in legend.iter().zip(&strokes).zip(places) {
            let y = 6.0 + 21.0 * row;
            canvas.path(
                &[(x - 8.0, y + 6.0), (x + 13.0, y + 6.0)],
                false,
                &format!("line {stroke}"),
                "",
            );
            canvas.text((x + 18.0, y + 11.0), Anchor::Start, "label", name);
        }
        let axis = match self.lowest() {
            lowest if self.highest(None) > WIDE * lowest => {
                Axis::logarithmic(lowest, self.highest(None), 1.1, bottom, top)
            }
            _ => Axis::from_zero(self.highest(None), bottom, top),
        };
        axis.draw_left(&mut canvas, left, WIDTH - 20.0, &self.unit);
        let last = self.columns.len().saturating_sub(1).max(1) as f64;
        let x = |column: usize| left + 20.0 + (WIDTH - 60.0 - left) * column as f64 / last;
        let every = self.columns.len().div_ceil(16).max(1);
        for (column, name) in
            self.columns.iter().enumerate().filter(|(column, _)| column % every == 0)
        {
            canvas.text((x(column), bottom + 17.0), Anchor::Middle, "tick", name);
        }
        canvas.line((left, bottom), (WIDTH - 20.0, bottom), "axis");
        let middle = ((left + WIDTH - 20.0) / 2.0, bottom + 38.0);
        canvas.text(middle, Anchor::Middle, "axis-title", &self.across);
        let points = |values: &[Option<f64>]| -> Vec<(f64, f64)> {
            let known = values.iter().enumerate();
            let at = |(column, value): (usize, &Option<f64>)| Some((x(column), axis.at((*value)?)));
            known.filter_map(at).filter(|(_, y)| y.is_finite()).collect()
        };
        for series in self.series.iter().filter(|series| has_totals && !series.is_total) {
            canvas.path(&points(&series.here), false, "line thin", &series.name);
        }
        for (series, stroke) in coloured.iter().zip(&strokes) {
            let paper = points(&series.paper);
            let tip = format!("{}, paper", series.name);
            canvas.path(&paper, false, &format!("line {stroke} dashed"), &tip);
            for point in paper {
                canvas.disc(point, 3.5, "hollow", &tip);
            }
            canvas.path(&points(&series.here), false, &format!("line {stroke}"), &series.name);
        }
        canvas.finish()
    }

    /// A panel for each column with a bar for each row; a mark is the paper's value.
    pub fn panels(&self) -> String {
        let across = self.columns.len().clamp(1, PANELS);
        let labels = self.series.iter().map(|series| text_width(&shortened(&series.name), FONT));
        let left = 16.0 + labels.fold(0.0, f64::max).min(330.0);
        let width = (WIDTH - left - 10.0) / across as f64;
        let height = BAR * self.series.len() as f64;
        let line_height = height + 66.0;
        let lines = self.columns.len().div_ceil(across);
        let mut canvas = Canvas::new(line_height * lines as f64 + 8.0, &self.title);
        for (column, name) in self.columns.iter().enumerate() {
            let x = left + width * (column % across) as f64;
            let top = 26.0 + line_height * (column / across) as f64;
            canvas.text((x, top - 9.0), Anchor::Start, "axis-title", name);
            let axis = Axis::from_zero(self.highest(Some(column)), x, x + width - 64.0);
            axis.draw_below(&mut canvas, top, top + height, "");
            for (row, series) in self.series.iter().enumerate() {
                let y = top + BAR * row as f64 + 1.5;
                if column % across == 0 {
                    let at = (left - 8.0, y + 9.5);
                    canvas.text(at, Anchor::End, "small", &shortened(&series.name));
                }
                let (here, paper) = (series.here.get(column), series.paper.get(column));
                let (here, paper) = (here.copied().flatten(), paper.copied().flatten());
                if let Some(value) = here {
                    let class = if series.is_total { "c4" } else { "c1" };
                    let tip = format!("{}, {name}: {}", series.name, figure(value));
                    let length = axis.at(value) - x;
                    canvas.rectangle((x, y), (length, BAR - 3.0), class, 1.0, &tip);
                    let end = length.max(paper.map_or(0.0, |paper| axis.at(paper) - x + 2.0));
                    let at = (x + end + 5.0, y + 8.5);
                    canvas.text(at, Anchor::Start, "small", &figure(value));
                }
                if let Some(value) = paper {
                    let x = axis.at(value);
                    canvas.line((x, y - 1.5), (x, y + BAR - 1.5), "mark");
                }
            }
            canvas.line((x, top), (x, top + height), "axis");
        }
        canvas.finish()
    }

    /// A point for each row: the first column across, the second one up. A ring is the paper's value.
    pub fn points(&self) -> String {
        let (left, top, bottom) = (80.0, 20.0, 400.0);
        let mut canvas = Canvas::new(bottom + 50.0, &self.title);
        let across = Axis::from_zero(self.highest(Some(0)), left, WIDTH - 80.0);
        let up = Axis::from_zero(self.highest(Some(1)), bottom, top);
        let title = |column: usize| self.columns.get(column).map_or("", String::as_str);
        across.draw_below(&mut canvas, top, bottom, title(0));
        up.draw_left(&mut canvas, left, WIDTH - 80.0, title(1));
        for series in &self.series {
            let point = |values: &[Option<f64>]| match values {
                [Some(x), Some(y), ..] => Some((across.at(*x), up.at(*y))),
                _ => None,
            };
            if let Some(paper) = point(&series.paper) {
                canvas.disc(paper, 6.0, "hollow", &format!("{}, paper", series.name));
                let at = (paper.0 + 9.0, paper.1 - 6.0);
                canvas.text(at, Anchor::Start, "small", &format!("{} (paper)", series.name));
            }
            if let Some(here) = point(&series.here) {
                canvas.disc(here, 5.0, "c1", &series.name);
                canvas.text((here.0 + 8.0, here.1 + 4.5), Anchor::Start, "label", &series.name);
            }
        }
        canvas.finish()
    }
}

/// A name that is not too long for a label.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(LABEL) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.into(),
    }
}

/// A value with three digits that count.
fn figure(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 || size == 0.0 => 0,
        size => (2.0 - size.log10().floor()).max(0.0) as usize,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!([1234.4, 0.0, 12.345, 0.01234].map(figure), ["1234", "0", "12.3", "0.0123"]);
        assert_eq!(shortened("short"), "short");
    }
}
