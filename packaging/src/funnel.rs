//! A funnel of several traces, as files.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior, context};
use tracewright_sim::config::TracePort;
use tracewright_sim::funnel::Config;

use crate::Error;

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
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
    let version = env!("CARGO_PKG_VERSION");
    let core = environment
        .render_str(CORE, context! { name, version, sources => config.sources, files => names })?;
    Ok(sources.into_iter().chain([(format!("{name}.core"), core)]).collect())
}
