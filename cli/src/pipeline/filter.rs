//! The options that say what is traced.

use std::str::FromStr;

use clap::Args;
use tracewright_sim::filter::{Mode, Range, Settings, Window};

/// Values of the pins of a filter; the design has the pins.
#[derive(Args, Clone, Debug, Default)]
pub struct FilterArguments {
    /// Trace only what begins in this range of addresses, ends included; several times for several ranges
    #[arg(long, value_name = "LOW:HIGH")]
    filter_in: Vec<Addresses>,
    /// Do not trace what begins in this range of addresses
    #[arg(long, value_name = "LOW:HIGH")]
    filter_out: Vec<Addresses>,
    /// Trace only these privilege levels, such as 0,1
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..=7))]
    filter_privilege: Vec<u8>,
    /// Trace only this context
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    filter_context: Option<u64>,
    /// Trace from the run that begins at START up to the one whose last instruction is at STOP
    #[arg(long, value_name = "START:STOP")]
    filter_window: Option<Addresses>,
}

/// Two addresses.
#[derive(Clone, Copy, Debug)]
struct Addresses(u64, u64);

impl FromStr for Addresses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, second) = text
            .split_once(':')
            .ok_or("expected two addresses with a colon between them, such as 0x100:0x1ff")?;
        Ok(Self(number(first)?, number(second)?))
    }
}

/// A number, in hexadecimal digits if it begins with 0x.
fn number(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|error| format!("`{text}` is no number: {error}"))
}

impl FilterArguments {
    /// What they say.
    pub fn settings(&self) -> Settings {
        let of = |mode| move |&Addresses(low, high): &Addresses| Range { low, high, mode };
        let ranges = self.filter_in.iter().map(of(Mode::Include));
        let levels = self.filter_privilege.iter();
        Settings {
            ranges: ranges.chain(self.filter_out.iter().map(of(Mode::Exclude))).collect(),
            privileges: levels.copied().map(|level| 1 << level).reduce(|a, b| a | b),
            context: self.filter_context,
            window: self.filter_window.map(|Addresses(start, stop)| Window { start, stop }),
        }
    }
}
