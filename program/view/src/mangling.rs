//! Names as in the source, from the names that compilers of C++ and Rust give to symbols.

use std::borrow::Cow;
use std::fmt::{self, Write};

use cpp_demangle::{DemangleOptions, Symbol};

/// The most bytes of a demangled name. A short mangled name can stand for one that fills the memory, because parts of it
/// refer to earlier parts.
const LONGEST: usize = 1 << 16;

/// Text without control characters, which would break the lines of tables and the syntax of XML: `\u{a}` for a newline.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let escaped = |character: char| match character.is_control() {
        true => character.escape_unicode().to_string(),
        false => character.to_string(),
    };
    text.chars().map(escaped).collect::<String>().into()
}

/// A name as in the source, [`printable`]. A name that does not begin as a mangled one, as the functions of C and of assembly language,
/// stays as it is; so does a name that is damaged or that would be longer than 64 KiB.
pub fn demangled(name: &str) -> String {
    // What the linker appends after `@` (`@plt`, versions) is not part of the mangled name.
    let (mangled, appended) = name.find('@').map_or((name, ""), |at| name.split_at(at));
    match rust(mangled).or_else(|| cpp(mangled)) {
        Some(readable) => printable(&(readable + appended)).into_owned(),
        None => printable(name).into_owned(),
    }
}

/// Names of Rust begin with `_R`, or with `_ZN` and end with a hash. Some linkers drop or add an underscore.
fn rust(name: &str) -> Option<String> {
    let digits = name.trim_start_matches('_');
    if !name.starts_with('_') || !digits.starts_with(['R', 'Z']) {
        return None;
    }
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    let mut text = Bounded::default();
    // The alternate form has no hash.
    write!(text, "{demangled:#}").ok()?;
    Some(text.0)
}

/// Names of C++ begin with `_Z` (Itanium C++ ABI, section 5.1.2).
fn cpp(name: &str) -> Option<String> {
    if !name.starts_with("_Z") && !name.starts_with("__Z") {
        return None;
    }
    let symbol = Symbol::new(name).ok()?;
    let mut text = Bounded::default();
    symbol.structured_demangle(&mut text, &DemangleOptions::default()).ok()?;
    Some(text.0)
}

/// Text up to [`LONGEST`].
#[derive(Default)]
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// The name of a function as in the source without its parameters: `Tree::insert` of `Tree::insert(int)`.
pub(crate) fn without_parameters(name: &str) -> &str {
    match name.find('(') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}
