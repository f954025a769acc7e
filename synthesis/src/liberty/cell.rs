//! A cell of a library, as far as it matters here.

use super::syntax::Item;

/// A cell.
#[derive(Clone, Debug)]
pub(super) struct Cell<'a> {
    pub(super) name: &'a str,
    /// None where the library says none.
    pub(super) area: Option<f64>,
    /// The library forbids it.
    pub(super) dont_use: bool,
    /// The capacitance of the input, in the unit of the library, if the cell is a buffer.
    pub(super) buffer_input: Option<f64>,
}

impl<'a> Cell<'a> {
    pub(super) fn of(item: &Item<'a>) -> Result<Cell<'a>, String> {
        let mut area = None;
        if let Some(attribute) = item.all("area").next() {
            let number = attribute.argument().trim().parse::<f64>().ok();
            let number = number.filter(|area| *area >= 0.0 && area.is_finite());
            area = Some(number.ok_or_else(|| {
                format!("line {}: expected the area to be a number", attribute.line)
            })?);
        }
        let dont_use = item.value("dont_use").is_some_and(|it| it.eq_ignore_ascii_case("true"));
        Ok(Cell { name: item.argument(), area, dont_use, buffer_input: buffer_input(item) })
    }
}

/// The capacitance of the one input of a cell whose one output is equal to it.
fn buffer_input(cell: &Item<'_>) -> Option<f64> {
    let of =
        |direction| cell.all("pin").filter(move |pin| pin.value("direction") == Some(direction));
    let (mut inputs, mut outputs) = (of("input"), of("output"));
    let (input, output) = (inputs.next()?, outputs.next()?);
    let same =
        output.value("function")?.trim_matches(|c: char| "() ".contains(c)) == input.argument();
    let plain = inputs.next().is_none() && outputs.next().is_none() && same;
    let capacitance = input.value("capacitance").and_then(|it| it.trim().parse::<f64>().ok());
    capacitance.filter(|it| plain && it.is_finite() && *it >= 0.0)
}
