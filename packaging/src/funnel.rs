//! A funnel of several traces, as files.

use std::collections::BTreeMap;

use minijinja::context;
use tracewright_hdl::Generated;
use tracewright_hdl::unit::FunnelControl;
use tracewright_sim::config::TracePort;
use tracewright_sim::control::Bus;
use tracewright_sim::funnel::Config;

use crate::Error;
use crate::control::package_of_funnel;
use crate::render::render;

const CORE: &str = include_str!("../templates/funnel.core");

/// The names of the Verilog files of a module.
fn names(sources: &[(String, String)]) -> Vec<&str> {
    sources.iter().map(|(name, _)| name.as_str()).collect()
}

/// The Verilog of a funnel and its description for FuseSoC, by file names. `name` is that of the module; of `style` count reset,
/// clock enable and memories. With a bus, also the module `NAME_control` around it with its registers, and what
/// [`package_of_funnel`](crate::control::package_of_funnel) gives.
///
/// # Errors
/// When the funnel breaks a constraint, or the name cannot be a module's.
pub fn funnel(
    name: &str,
    config: &Config,
    style: &TracePort,
    bus: Option<Bus>,
) -> Result<BTreeMap<String, String>, Error> {
    let generated = tracewright_hdl::generate_funnel(name, config, style)?;
    let sources = generated.sources();
    let version = env!("CARGO_PKG_VERSION");
    let context = context! { name, version, sources => config.sources, files => names(&sources) };
    let core = render("funnel.core", CORE, context)?;
    let control = bus.map(|bus| FunnelControl { name, config, style, bus });
    let of_control = control.map(|control| of_control(&control, &generated, &names(&sources)));
    let of_control = of_control.transpose()?.unwrap_or_default();
    Ok(sources.into_iter().chain([(format!("{name}.core"), core)]).chain(of_control).collect())
}

/// The files that registers add to those of the funnel, whose Verilog has these names.
fn of_control(
    control: &FunnelControl<'_>,
    inner: &Generated,
    sources: &[&str],
) -> Result<BTreeMap<String, String>, Error> {
    let whole = control.around(inner)?;
    let added = whole.sources();
    let mut files = package_of_funnel(control, &whole, (sources, &names(&added)))?;
    files.extend(added);
    Ok(files)
}
