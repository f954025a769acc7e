//! Stacked horizontal bars with a legend above.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, FONT, WIDTH, text_width};
use crate::figures::{grouped, longest_of_scale};

/// Number of parts with a colour of their own; the other parts share one colour.
const COLOURS: usize = 14;

const BAR: f64 = 16.0;
const PITCH: f64 = 23.0;
const LEGEND_PITCH: f64 = 21.0;

/// Bars of parts.
#[derive(Clone, Debug)]
pub struct Bars<'a> {
    /// Title of the plot.
    pub name: &'a str,
    /// Title of the axis.
    pub axis: &'a str,
    /// Unit of the values.
    pub unit: &'a str,
    /// The part that comes first, whatever its size is.
    pub first: Option<&'a str>,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Label of the bar.
    pub label: String,
    /// The parts by name; parts of the same name are added.
    pub parts: Vec<(String, f64)>,
    /// The total, which is written after the bar, and marked by a line across it if it is not the sum of the parts.
    pub total: f64,
}

impl Bar {
    fn part(&self, name: &str) -> f64 {
        self.parts.iter().filter(|(part, _)| part == name).map(|(_, value)| value).sum()
    }

    fn length(&self) -> f64 {
        self.parts.iter().map(|(_, value)| value).sum::<f64>()
    }

    /// The length of the bar, the larger of the sum of its parts and its total.
    fn extent(&self) -> f64 {
        self.length().max(self.total)
    }
}

/// Bars on one scale.
struct Panel<'a> {
    bars: Vec<&'a Bar>,
    left: f64,
    names: &'a [&'a str],
}

impl Panel<'_> {
    fn height(&self) -> f64 {
        match self.bars.len() {
            0 => 0.0,
            bars => PITCH * bars as f64 + 60.0,
        }
    }
}

impl Bars<'_> {
    /// Names of the parts, the largest first, as many as there are colours for.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.bars.iter().flat_map(|bar| &bar.parts) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        // Parts are ranked by their share, so that parts of small designs are not dropped in favour of large ones.
        let share = |name: &str| -> f64 {
            self.bars.iter().map(|bar| bar.part(name) / bar.length().max(1.0)).sum()
        };
        let rank = |name: &str| (self.first != Some(name), -share(name));
        names.sort_by(|one, other| {
            let (one, other) = (rank(one), rank(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        names.truncate(COLOURS);
        names
    }

    /// A sentence on the bars that are below the others, if there are any.
    pub fn sentence_on_longer(&self) -> &'static str {
        let lengths: Vec<f64> = self.bars.iter().map(Bar::extent).collect();
        let most = longest_of_scale(&lengths);
        match lengths.iter().any(|length| *length > most)
            && lengths.iter().any(|length| *length <= most)
        {
            true => " Far larger designs are below, on a scale of their own.",
            false => "",
        }
    }

    /// The drawing: the bars in order; those that are far longer than most are below, on another scale.
    pub fn draw(&self) -> String {
        let names = self.names();
        let labels = self.bars.iter().map(|bar| text_width(&bar.label, FONT));
        let left = 16.0 + labels.fold(0.0, f64::max);
        let has_rest = self.bars.iter().any(|bar| self.rest(bar, &names) > 0.0);
        let mut legend: Vec<(&str, usize)> =
            names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
        if has_rest {
            legend.push(("other", COLOURS));
        }
        let places = legend_places(&legend, left);
        let legend_rows = places.last().map_or(0.0, |(_, row)| row + 1.0);
        let lengths: Vec<f64> = self.bars.iter().map(Bar::extent).collect();
        let most = longest_of_scale(&lengths);
        let (usual, longer): (Vec<&Bar>, Vec<&Bar>) =
            self.bars.iter().partition(|bar| bar.extent() <= most);
        let panels = [usual, longer].map(|bars| Panel { bars, left, names: &names });
        let mut top = 10.0 + LEGEND_PITCH * legend_rows;
        let height = panels.iter().map(Panel::height).sum::<f64>();
        let mut canvas = Canvas::new(top + height, self.name);
        for ((name, colour), (x, row)) in legend.iter().zip(places) {
            let y = 6.0 + LEGEND_PITCH * row;
            canvas.rectangle((x, y), (12.0, 12.0), &format!("c{colour}"), 1.0, "");
            canvas.text((x + 18.0, y + 11.0), Anchor::Start, "label", name);
        }
        for panel in &panels {
            self.draw_panel(&mut canvas, panel, top);
            top += panel.height();
        }
        canvas.finish()
    }

    fn draw_panel(&self, canvas: &mut Canvas, panel: &Panel<'_>, top: f64) {
        if panel.bars.is_empty() {
            return;
        }
        let left = panel.left;
        let longest = panel.bars.iter().map(|bar| bar.extent()).fold(0.0, f64::max);
        let bottom = top + PITCH * panel.bars.len() as f64 + 4.0;
        let total_width = text_width(&grouped(longest as u64), FONT) + 14.0;
        let axis = Axis::linear(longest, left, WIDTH - total_width);
        axis.draw_below(canvas, top, bottom, self.axis);
        canvas.line((left, top), (left, bottom), "axis");
        for (index, bar) in panel.bars.iter().enumerate() {
            let y = top + PITCH * index as f64 + (PITCH - BAR) / 2.0 + 2.0;
            canvas.text((left - 8.0, y + 12.5), Anchor::End, "label", &bar.label);
            let named = panel.names.iter().enumerate();
            let parts = named.map(|(colour, name)| (colour, *name, bar.part(name)));
            let rest = (COLOURS, "other", self.rest(bar, panel.names));
            let mut begin = 0.0;
            for (colour, name, value) in parts.chain([rest]).filter(|(.., value)| *value > 0.0) {
                let (from, to) = (axis.at(begin), axis.at(begin + value));
                let what = grouped(value.round() as u64);
                let tip = format!("{}, {name}: {what} {}", bar.label, self.unit);
                canvas.rectangle((from, y), (to - from, BAR), &format!("c{colour}"), 1.0, &tip);
                begin += value;
            }
            let end = axis.at(bar.total);
            if (bar.total - begin).abs() > 0.5 {
                canvas.line((end, y - 2.0), (end, y + BAR + 2.0), "mark");
            }
            let total = grouped(bar.total.round() as u64);
            let behind = end.max(axis.at(begin)) + 6.0;
            canvas.text((behind, y + 12.5), Anchor::Start, "value", &total);
        }
    }

    fn rest(&self, bar: &Bar, names: &[&str]) -> f64 {
        let others = bar.parts.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        others.map(|(_, value)| value).sum()
    }
}

/// Positions of the entries of a legend: the distance from the left, and the row.
pub fn legend_places(legend: &[(&str, usize)], left: f64) -> Vec<(f64, f64)> {
    let (mut x, mut row) = (left, 0.0);
    let mut places = Vec::new();
    for (name, _) in legend {
        let width = 18.0 + text_width(name, FONT) + 14.0;
        if x + width > WIDTH && x > left {
            (x, row) = (left, row + 1.0);
        }
        places.push((x, row));
        x += width;
    }
    places
}
