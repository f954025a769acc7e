//! A predictor with a name and parameters, and what it makes of traces.

use std::fmt;
use std::io::Read;
use std::sync::Arc;

use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::Event;
use tracewright_sim::program::Program;

use super::code::HANDLER_BITS;
use super::{ModelEncoder, Predictor, Tables, decoder};
use crate::comparator::Checked;
use crate::{Core, DecodeError, Encode, EncodeError};

/// The parameters of a model, by name, in the order in which they were declared.
pub type Parameters = Vec<(String, u64)>;

/// What makes a predictor as it is at the start of a trace.
type Make = dyn Fn(&Parameters, &mut Tables) -> Result<Box<dyn Predictor>, String> + Send + Sync;

/// A model has no parameter of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{model} has no parameter `{name}`; it has {known}")]
pub struct UnknownParameter {
    /// The model.
    pub model: String,
    /// The name given.
    pub name: String,
    /// The parameters there are.
    pub known: String,
}

/// What a predictor makes of traces.
#[derive(Clone)]
pub struct Model {
    name: String,
    parameters: Parameters,
    make: Arc<Make>,
    storage: Vec<(String, u64)>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, parameters, storage, .. } = self;
        f.debug_struct("Model")
            .field("name", name)
            .field("parameters", parameters)
            .field("storage", storage)
            .finish_non_exhaustive()
    }
}

impl Model {
    /// The model of a predictor without parameters, under the name that results call it.
    pub fn new<P: Predictor + 'static>(
        name: &str,
        make: impl Fn(&mut Tables) -> P + Send + Sync + 'static,
    ) -> Self {
        Self::with_parameters(name, [], move |_, tables| make(tables))
    }

    /// The model of a predictor with parameters: their names, and their values unless they are set.
    pub fn with_parameters<P: Predictor + 'static, const N: usize>(
        name: &str,
        parameters: [(&str, u64); N],
        make: impl Fn([u64; N], &mut Tables) -> P + Send + Sync + 'static,
    ) -> Self {
        let named = parameters.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let defaults = parameters.map(|(_, value)| value);
        let make = move |given: &Parameters, tables: &mut Tables| {
            let mut values = defaults;
            values.iter_mut().zip(given).for_each(|(value, (_, given))| *value = *given);
            Ok(Box::new(make(values, tables)) as Box<dyn Predictor>)
        };
        let mut model = Self {
            name: name.to_owned(),
            parameters: named,
            make: Arc::new(make),
            storage: Vec::new(),
        };
        // This maker cannot fail.
        model.storage = model.count().unwrap_or_default();
        model
    }

    /// The model of a predictor that may refuse to be made.
    ///
    /// # Errors
    /// Why it cannot be made with these parameters.
    pub fn fallible(
        name: &str,
        parameters: Parameters,
        make: impl Fn(&Parameters, &mut Tables) -> Result<Box<dyn Predictor>, String>
        + Send
        + Sync
        + 'static,
    ) -> Result<Self, String> {
        let name = name.to_owned();
        let mut model = Self { name, parameters, make: Arc::new(make), storage: Vec::new() };
        model.storage = model.count()?;
        Ok(model)
    }

    fn count(&self) -> Result<Vec<(String, u64)>, String> {
        let (_, tables) = self.made()?;
        let own = ("exception_target".to_owned(), HANDLER_BITS);
        Ok(tables.storage().iter().cloned().chain([own]).collect())
    }

    fn made(&self) -> Result<(Box<dyn Predictor>, Tables), String> {
        let mut tables = Tables::default();
        let predictor = (self.make)(&self.parameters, &mut tables)?;
        tables.check()?;
        Ok((predictor, tables))
    }

    /// What results call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same under another name.
    pub fn renamed(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Its parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The same with another value of a parameter.
    ///
    /// # Errors
    /// When it has no such parameter, or cannot be made with the value.
    pub fn set(&self, name: &str, value: u64) -> Result<Self, String> {
        let mut model = self.clone();
        let known = model.parameters.iter_mut().find(|(known, _)| known == name);
        let Some((_, place)) = known else {
            let names = self.parameters.iter().map(|(name, _)| name.as_str());
            let known = if self.parameters.is_empty() {
                "none".into()
            } else {
                names.collect::<Vec<_>>().join(", ")
            };
            let unknown = UnknownParameter { model: self.name.clone(), name: name.into(), known };
            return Err(unknown.to_string());
        };
        *place = value;
        model.storage = model.count()?;
        Ok(model)
    }

    /// Bits of every table by its name, and those of the last exception's target.
    pub fn storage(&self) -> &[(String, u64)] {
        &self.storage
    }

    /// Bits of all tables.
    pub fn storage_bits(&self) -> u64 {
        self.storage.iter().map(|(_, bits)| bits).sum()
    }

    /// An encoder at the start of a trace, which refuses what the format cannot carry.
    ///
    /// # Errors
    /// When the predictor cannot be made.
    pub fn encoder(&self, core: &Core) -> Result<Box<dyn Encode>, EncodeError> {
        Ok(Box::new(Checked::new(Box::new(self.unchecked(core)?), core)))
    }

    /// The encoder for events that are known to be of one thread and to have addresses of the core's width.
    ///
    /// # Errors
    /// When the predictor cannot be made.
    pub fn unchecked(&self, core: &Core) -> Result<ModelEncoder, EncodeError> {
        let (predictor, tables) = self.made().map_err(EncodeError::Predictor)?;
        Ok(ModelEncoder::new(core, predictor, tables))
    }

    /// Decodes a whole trace of at most `most_instructions`.
    ///
    /// # Errors
    /// When the bytes or the program are not what was traced.
    pub fn decode(
        &self,
        core: &Core,
        program: &Program,
        bytes: &mut dyn Read,
        most_instructions: u64,
        take: &mut dyn FnMut(Event),
    ) -> Result<Summary, DecodeError> {
        let made = self.made().map_err(DecodeError::Predictor)?;
        decoder::decode(core, made, program, bytes, most_instructions, take)
    }
}
