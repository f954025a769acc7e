//! Predictors without hardware given as arguments: those that a program brings with it, and classes in Python.

use std::path::Path;

use anyhow::Result;
use tracewright_comparators::predictor::Model;

use super::design::Changes;
use super::failure::{self, usage};

/// Reads the class of this name from a file of Python.
pub type Load = fn(file: &str, class: &str) -> Result<Model, String>;

/// What is between the file and the class in the name of a predictor in Python.
const IN_FILE: &str = ".py:";

/// The predictors without hardware that a command knows, beside the designs.
#[derive(Debug, Default)]
pub struct Predictors {
    own: Vec<Model>,
    load: Option<Load>,
}

impl From<Vec<Model>> for Predictors {
    fn from(own: Vec<Model>) -> Self {
        Self { own, load: None }
    }
}

impl Predictors {
    /// Those of files in Python, which `load` reads.
    pub fn in_python(load: Load) -> Self {
        Self { own: Vec::new(), load: Some(load) }
    }

    /// Those that the program brings with it.
    pub fn own(&self) -> &[Model] {
        &self.own
    }

    /// True if an argument names a predictor and no design.
    pub fn is_predictor(&self, argument: &str) -> bool {
        argument.contains(IN_FILE) || self.own.iter().any(|model| model.name() == argument)
    }

    /// The arguments that name designs, and the predictors that the others name, with the changes.
    ///
    /// # Errors
    /// When a predictor cannot be read, or has no such parameter.
    pub fn sorted(
        &self,
        arguments: &[String],
        changes: &Changes,
    ) -> Result<(Vec<String>, Vec<Model>)> {
        let is_predictor = |argument: &String| self.is_predictor(argument);
        let (named, designs): (Vec<String>, Vec<String>) =
            arguments.iter().cloned().partition(is_predictor);
        let models = named.iter().map(|argument| self.load(argument, changes));
        Ok((designs, models.collect::<Result<_>>()?))
    }

    /// The predictor of this name, as it is, whose file is in `folder` if its path is relative; `None` if no predictor has
    /// the name.
    pub fn named(&self, folder: &Path, name: &str) -> Option<Result<Model, String>> {
        let in_folder = || folder.join(name).to_string_lossy().into_owned();
        let argument = if name.contains(IN_FILE) { in_folder() } else { name.to_owned() };
        let load = || {
            let model = self.load(&argument, &Changes::default());
            model.map_err(|error| failure::sentence(&error))
        };
        self.is_predictor(&argument).then(load)
    }

    fn load(&self, argument: &str, changes: &Changes) -> Result<Model> {
        let own = self.own.iter().find(|model| model.name() == argument);
        let mut model = match (own, self.load, argument.split_once(IN_FILE)) {
            (Some(own), ..) => own.clone(),
            (None, Some(load), Some((file, class))) => load(&format!("{file}.py"), class)
                .map_err(|what| usage(format_args!("{argument}: {what}")))?,
            _ => {
                return Err(usage(format_args!(
                    "{argument}: a predictor in Python needs the command of the package for Python (docs/python.md)"
                )));
            }
        };
        for (key, value) in changes.pairs()? {
            let refused = |what: String| usage(format_args!("--set {key}={value}: {what}"));
            model = match (key, value.parse()) {
                ("name", _) => model.renamed(value),
                (_, Ok(number)) => model.set(key, number).map_err(refused)?,
                (_, Err(_)) => {
                    return Err(refused("expected a whole number, for a predictor".into()));
                }
            };
        }
        Ok(model)
    }
}
