//! The units of a library.

use crate::liberty::syntax::Item;

/// What the figures of a library are in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    /// Its supply voltage, in volts.
    pub(super) volts: f64,
    /// A unit of time.
    pub(super) seconds: f64,
    /// A unit of capacitance.
    pub(super) farads: f64,
    /// A unit of internal energy, which is that of capacitance times that of voltage times that of voltage.
    pub(super) joules: f64,
    /// A unit of leakage, if the library says one.
    leakage: Option<f64>,
}

impl Units {
    /// Those of a library.
    ///
    /// # Errors
    /// What is expected in it.
    pub(super) fn of(library: &Item<'_>) -> Result<Units, String> {
        let load = library.items.iter().flatten().find(|it| it.kind == "capacitive_load_unit");
        let load = load.ok_or("expected a capacitive_load_unit in it")?;
        let farads = with_unit(&load.arguments.concat(), "f");
        let farads = farads.ok_or_else(|| {
            let found = load.arguments.join(" ");
            format!("expected a capacitive_load_unit as (1, pf), found {found}")
        })?;
        let unit = |kind: &str, letters: &str| match library
            .items
            .iter()
            .flatten()
            .find(|it| it.kind == kind)
        {
            None => Ok(None),
            Some(item) => match with_unit(item.argument(), letters) {
                Some(unit) => Ok(Some(unit)),
                None => Err(format!("expected a {kind} in {letters}, found {}", item.argument())),
            },
        };
        let volt = unit("voltage_unit", "v")?.unwrap_or(1.0);
        Ok(Units {
            volts: volt * voltage(library)?,
            seconds: unit("time_unit", "s")?.unwrap_or(1e-9),
            farads,
            joules: farads * volt * volt,
            leakage: unit("leakage_power_unit", "w")?,
        })
    }

    /// The capacitance in an attribute, in farads.
    pub(super) fn capacitance(&self, item: &Item<'_>, kind: &str) -> Result<Option<f64>, String> {
        Ok(number(item, kind)?.map(|number| number * self.farads))
    }

    /// The power in an attribute, in watts; nothing where the library has no unit of it.
    pub(super) fn watts(&self, item: &Item<'_>, kind: &str) -> Result<Option<f64>, String> {
        Ok(number(item, kind)?.zip(self.leakage).map(|(number, unit)| number * unit))
    }
}

/// The voltage in which it was characterized.
fn voltage(library: &Item<'_>) -> Result<f64, String> {
    let all = || library.items.iter().flatten().filter(|item| item.kind == "operating_conditions");
    let default =
        library.items.iter().flatten().find(|it| it.kind == "default_operating_conditions");
    let default = default.and_then(|name| all().find(|item| item.argument() == name.argument()));
    let conditions = default.or(all().next()).map(|item| number(item, "voltage")).transpose()?;
    let voltage = conditions.flatten().or(number(library, "nom_voltage")?);
    let voltage = voltage.filter(|voltage| *voltage > 0.0);
    voltage.ok_or(
        "expected a nom_voltage above 0 in it, or operating_conditions with a voltage".into(),
    )
}

/// The number in an attribute.
fn number(item: &Item<'_>, kind: &str) -> Result<Option<f64>, String> {
    let Some(attribute) = item.items.iter().flatten().find(|item| item.kind == kind) else {
        return Ok(None);
    };
    let number = attribute.argument().trim().parse::<f64>().ok().filter(|it| it.is_finite());
    number
        .map(Some)
        .ok_or_else(|| format!("expected a number as {kind}, found {}", attribute.argument()))
}

/// A number with a unit, such as 1ns or 100 pW, in the unit of these letters.
fn with_unit(text: &str, letters: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    let scale = text.strip_suffix(letters)?;
    let digits = scale.trim_end_matches(char::is_alphabetic);
    let power = match &scale[digits.len()..] {
        "a" => -18,
        "f" => -15,
        "p" => -12,
        "n" => -9,
        "u" => -6,
        "m" => -3,
        "" => 0,
        _ => return None,
    };
    let number = digits.trim().parse::<f64>().ok().filter(|number| *number > 0.0);
    number.map(|number| number * 10f64.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liberty::syntax::{TABLES, library};

    fn units(text: &str) -> Result<Units, String> {
        let text = format!("library (x) {{ {text} }}");
        Units::of(&library(&text, TABLES).expect("a library"))
    }

    #[test]
    fn units_of_kits() {
        let nangate = units(
            "time_unit : \"1ns\"; leakage_power_unit : \"1nW\"; voltage_unit : \"1V\";
             capacitive_load_unit (1,ff); nom_voltage : 1.10;",
        );
        let nangate = nangate.expect("units");
        assert!((nangate.volts - 1.1).abs() < 1e-12 && (nangate.joules / 1e-15 - 1.0).abs() < 1e-9);
        let other = units(
            "time_unit : 10ps; leakage_power_unit : \"100 uW\"; voltage_unit : 100mV; capacitive_load_unit (0.5, \"pF\");
             operating_conditions (slow) { voltage : 9; } operating_conditions (typical) { voltage : 18; }
             default_operating_conditions : typical;",
        );
        let other = other.expect("units");
        let expected = [1.8, 1e-11, 5e-13, 5e-15, 1e-4];
        let found = [other.volts, other.seconds, other.farads, other.joules];
        let found = found.into_iter().chain(other.leakage);
        assert!(found.zip(expected).all(|(one, other)| (one / other - 1.0).abs() < 1e-9));
    }

    #[test]
    fn what_is_missing_is_told() {
        let volts = "nom_voltage : 1;";
        for (text, reason) in [
            (volts.to_owned(), "expected a capacitive_load_unit"),
            (format!("{volts} capacitive_load_unit (1, ohm);"), "as (1, pf), found 1 ohm"),
            ("capacitive_load_unit (1, pf);".into(), "expected a nom_voltage"),
            (
                format!("{volts} capacitive_load_unit (1, pf); leakage_power_unit : 1J;"),
                "expected a leakage_power_unit in w, found 1J",
            ),
        ] {
            let error = units(&text).expect_err(reason);
            assert!(error.contains(reason), "{error}");
        }
    }
}
