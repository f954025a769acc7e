//! Parameters that an integrator may set.

use super::expression::constant;
use super::{OWN_NAME, range, remark};
use crate::word::Word;

/// The declaration of a parameter, and what is said of it.
pub(crate) struct ParameterText {
    declaration: String,
    remark: String,
}

impl ParameterText {
    pub fn new(name: &str, value: &Word, description: &str) -> Self {
        let declaration = format!("parameter {}{name} = {}", range(value.bits()), constant(value));
        Self { declaration, remark: remark(description) }
    }

    /// The text of a module with these parameters.
    pub fn put_before_ports<'a>(
        module: String,
        parameters: impl ExactSizeIterator<Item = &'a ParameterText>,
    ) -> String {
        let last = parameters.len();
        let line = |(number, of): (usize, &Self)| {
            let comma = if number == last { "" } else { "," };
            format!("    {}{comma}{}\n", of.declaration, of.remark)
        };
        let lines: String = (1..).zip(parameters).map(line).collect();
        if lines.is_empty() {
            return module;
        }
        let begin = format!("module {OWN_NAME} (");
        module.replacen(&begin, &format!("module {OWN_NAME} #(\n{lines}) ("), 1)
    }
}
