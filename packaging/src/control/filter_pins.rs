//! The pins of a trace module's filter, which registers drive.

use serde::Serialize;
use tracewright_hdl::{Generated, Port};
use tracewright_sim::control::filter::fields_of_pin;

use super::around::beside;
use crate::pins::is_of_filter;
use crate::render::range;

/// A pin of the filter, and the fields that it is; none for the one that the switch drives.
#[derive(Serialize)]
pub(super) struct FilterPin<'a> {
    name: &'a str,
    range: String,
    value: Option<String>,
}

/// The pins of the filter of a module.
pub(super) fn filter_pins(inner: &Generated) -> Vec<FilterPin<'_>> {
    let pins = inner.ports.iter().filter(|port| is_of_filter(&port.name));
    let pin = |port: &'_ Port| fields_of_pin(&port.name, port.width).map(|fields| beside(&fields));
    let pins =
        pins.map(|port| FilterPin { name: &port.name, range: range(port.width), value: pin(port) });
    pins.collect()
}
