//! How templates of Verilog and of packages are filled in.

use std::sync::OnceLock;

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use crate::Error;

/// `template` filled in with `context`. `name` stands in errors.
pub fn render(name: &str, template: &str, context: impl Serialize) -> Result<String, Error> {
    static MADE: OnceLock<Environment<'static>> = OnceLock::new();
    let environment = MADE.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_keep_trailing_newline(true);
        environment.add_function("range", range);
        environment
    });
    Ok(environment.render_named_str(name, template, context)?)
}

/// The range of `width` bits in Verilog, followed by a space; empty for one bit.
pub fn range(width: usize) -> String {
    if width > 1 { format!("[{}:0] ", width - 1) } else { String::new() }
}
