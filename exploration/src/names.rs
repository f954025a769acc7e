//! What the names in a search's file stand for: presets, files of designs, and predictors without hardware.

use std::fmt;
use std::path::Path;

use toml::{Spanned, Value};
use tracewright_comparators::predictor::Model;
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;

use crate::search_file::Problem;

/// A predictor, why it cannot be had, or that there is none of the name.
type Found = Option<Result<Model, String>>;

/// Where names that are no presets lead. Each of the functions has the folder of the search, to which files are relative.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Reads the TOML file of a design.
    pub design: &'a dyn Fn(&Path, &str) -> Result<Design, String>,
    /// The predictor without hardware of this name; `None` if it is the name of none.
    pub predictor: &'a dyn Fn(&Path, &str) -> Found,
}

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

impl Default for Names<'_> {
    /// Presets alone: no file is read, and there are no predictors.
    fn default() -> Self {
        Names {
            design: &|_, name| Err(format!("expected the name of a preset, found {name}")),
            predictor: &|_, _| None,
        }
    }
}

/// Designs and predictors that the names of a file stand for.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub designs: Vec<Design>,
    pub models: Vec<Model>,
}

impl Named {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.designs.len() + self.models.len()
    }

    /// The names, for a search that begins with each of them.
    fn names(&self) -> impl Iterator<Item = &str> {
        let designs = self.designs.iter().map(|design| design.name.as_str());
        designs.chain(self.models.iter().map(Model::name))
    }
}

impl Names<'_> {
    /// A preset, or the design of a file.
    pub(crate) fn design(&self, folder: &Path, name: &str) -> Result<Design, String> {
        match name.ends_with(".toml") {
            true => (self.design)(folder, name),
            false => Design::preset(name).map_err(|error| error.to_string()),
        }
    }

    /// What a name, a pattern or a list of them stands for.
    pub(crate) fn all(&self, folder: &Path, given: &Spanned<Value>) -> Result<Named, Problem> {
        let at = Some(given.span().start);
        let names: Vec<&Value> = match given.get_ref() {
            Value::Array(names) => names.iter().collect(),
            one => vec![one],
        };
        let mut found = Named::default();
        for name in names {
            let Value::String(name) = name else {
                let what = format!("expected preset to be a name or a list of names, found {name}");
                return Err(Problem::new(at, what));
            };
            let one = self.named(folder, name).map_err(|what| Problem::new(at, what))?;
            let is_pattern = name.ends_with('*');
            let twice = one.names().find(|name| found.names().any(|other| other == *name));
            if let Some(twice) = twice.filter(|_| !is_pattern && !is_preset(name)) {
                let what = format!("two presets are called {twice}, expected one");
                return Err(Problem::new(at, what));
            }
            found.designs.extend(one.designs);
            found.models.extend(one.models);
        }
        found.trace_the_same().map_err(|what| Problem::new(at, what))?;
        Ok(found)
    }

    fn named(&self, folder: &Path, name: &str) -> Result<Named, String> {
        if let Some(model) = (self.predictor)(folder, name) {
            return Ok(Named { models: vec![model?], ..Named::default() });
        }
        let designs = match name.strip_suffix('*') {
            None => vec![self.design(folder, name)?],
            Some(beginning) => preset::all()
                .filter(|preset| preset.name.starts_with(beginning))
                .map(|preset| Design::preset(preset.name).map_err(|error| error.to_string()))
                .collect::<Result<_, _>>()?,
        };
        match designs.is_empty() {
            true => Err(format!("no preset matches `{name}`")),
            false => Ok(Named { designs, ..Named::default() }),
        }
    }
}

fn is_preset(name: &str) -> bool {
    preset::all().any(|preset| preset.name == name)
}

impl Named {
    /// Checks that there is something, and that all of it traces data addresses, or all of it control flow.
    fn trace_the_same(&self) -> Result<(), String> {
        let data = self.designs.iter().find(|preset| preset.traces_data());
        let flow = self.designs.iter().find(|preset| !preset.traces_data());
        let flow = flow.map(|preset| preset.name.as_str());
        match (data, flow.or(self.models.first().map(Model::name))) {
            _ if self.count() == 0 => Err("expected at least one preset".into()),
            (Some(data), Some(flow)) => Err(format!(
                "{} traces data addresses and {flow} control flow; expected presets that trace the same",
                data.name
            )),
            _ => Ok(()),
        }
    }
}
