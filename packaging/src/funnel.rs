//! A funnel of several traces, as files.

use std::collections::BTreeMap;

use minijinja::context;
use tracewright_sim::config::TracePort;
use tracewright_sim::funnel::Config;

use crate::Error;
use crate::render::render;

const CORE: &str = include_str!("../templates/funnel.core");

/// The Verilog of a funnel and its description for FuseSoC, by file names. `name` is that of the module; of `style` count reset,
/// clock enable and memories.
///
/// # Errors
/// When the funnel breaks a constraint, or the name cannot be a module's.
pub fn funnel(
    name: &str,
    config: &Config,
    style: &TracePort,
) -> Result<BTreeMap<String, String>, Error> {
    let generated = tracewright_hdl::generate_funnel(name, config, style)?;
    let sources = generated.sources();
    let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
    let version = env!("CARGO_PKG_VERSION");
    let context = context! { name, version, sources => config.sources, files => names };
    let core = render("funnel.core", CORE, context)?;
    Ok(sources.into_iter().chain([(format!("{name}.core"), core)]).collect())
}
