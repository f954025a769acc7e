//! Named parameters: one declaration gives the struct, its table, and access by name.
//!
//! A configuration is declared once with [`parameters!`](crate::parameters); the TOML reader,
//! `--set`, `designs`, the manifests and the documentation are all derived from its table.

use std::fmt;

/// What a parameter is called, means, may be, and is when nothing is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in TOML files, `--set`, manifests and documents.
    pub name: &'static str,
    /// What it means, with its unit.
    pub doc: String,
    /// What it may be: a range or a list of words.
    pub allowed: String,
    /// Its default, as text.
    pub default: String,
}

/// A parameter's value, for printing.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Number(u32),
    /// Yes or no.
    Flag(bool),
    /// A word out of a closed list.
    Word(&'static str),
    /// Whole numbers.
    List(Vec<i8>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::Word(word) => f.pad(word),
            Value::List(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(i8::to_string).collect();
                f.pad(&format!("[{}]", numbers.join(", ")))
            }
        }
    }
}

/// As many whole numbers from -128 to 127 as a table has places, written as in TOML: `[1, -2, 3]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct List<const N: usize>(pub [i8; N]);

/// A parameter that does not exist, cannot be read, or breaks a constraint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// No parameter has this name.
    #[error("no parameter is called `{name}`; the nearest is `{nearest}`")]
    Unknown {
        /// The name given.
        name: String,
        /// The known name most like it.
        nearest: &'static str,
    },
    /// The text is not a value of the parameter's type, or out of its range.
    #[error("`{name}` cannot be `{given}`: it is {allowed}")]
    Refused {
        /// The parameter.
        name: &'static str,
        /// The text given.
        given: String,
        /// What it may be.
        allowed: String,
    },
    /// The value is in its own range but does not go with the others.
    #[error("`{name}` = {given} does not fit: {constraint}")]
    Constraint {
        /// The parameter.
        name: &'static str,
        /// Its value.
        given: String,
        /// The constraint it breaks.
        constraint: String,
    },
}

/// The types a parameter may have.
pub trait ParameterType: Sized + Copy {
    /// Reads a value; `None` when the text is not one or is out of range.
    fn parse(text: &str, range: Option<(u32, u32)>) -> Option<Self>;
    /// The value as TOML and `--set` spell it.
    fn show(self) -> Value;
    /// What a value may be, in words.
    fn allowed(range: Option<(u32, u32)>) -> String;
}

impl ParameterType for u32 {
    fn parse(text: &str, range: Option<(u32, u32)>) -> Option<Self> {
        let (least, most) = range.unwrap_or((0, u32::MAX));
        text.parse().ok().filter(|value| (least..=most).contains(value))
    }

    fn show(self) -> Value {
        Value::Number(self)
    }

    fn allowed(range: Option<(u32, u32)>) -> String {
        let (least, most) = range.unwrap_or((0, u32::MAX));
        format!("a whole number from {least} to {most}")
    }
}

impl ParameterType for Option<u32> {
    fn parse(text: &str, range: Option<(u32, u32)>) -> Option<Self> {
        if text == "auto" { Some(None) } else { u32::parse(text, range).map(Some) }
    }

    fn show(self) -> Value {
        self.map_or(Value::Word("auto"), Value::Number)
    }

    fn allowed(range: Option<(u32, u32)>) -> String {
        format!("{}, or auto", u32::allowed(range))
    }
}

impl<const N: usize> ParameterType for List<N> {
    fn parse(text: &str, _: Option<(u32, u32)>) -> Option<Self> {
        let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        let number = |text: &str| text.trim().parse().ok();
        let numbers: Option<Vec<i8>> = inside.split(',').map(number).collect();
        numbers?.try_into().ok().map(List)
    }

    fn show(self) -> Value {
        Value::List(self.0.to_vec())
    }

    fn allowed(_: Option<(u32, u32)>) -> String {
        format!("{N} whole numbers from -128 to 127 in brackets")
    }
}

impl ParameterType for bool {
    fn parse(text: &str, _: Option<(u32, u32)>) -> Option<Self> {
        text.parse().ok()
    }

    fn show(self) -> Value {
        Value::Flag(self)
    }

    fn allowed(_: Option<(u32, u32)>) -> String {
        "true or false".into()
    }
}

/// A struct declared with [`parameters!`](crate::parameters).
pub trait Parameters {
    /// Every parameter in the order of declaration.
    fn table() -> Vec<Parameter>;
    /// Every parameter's name and value, in the order of the table.
    fn values(&self) -> Vec<(&'static str, Value)>;
    /// Sets one parameter from text; `Ok(false)` when it has no such parameter.
    fn try_set(&mut self, name: &str, text: &str) -> Result<bool, ParameterError>;

    /// Sets one parameter from text.
    ///
    /// # Errors
    /// When the name is unknown or the text is not an allowed value.
    fn set(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        if self.try_set(name, text)? {
            return Ok(());
        }
        let table = Self::table();
        let nearest = nearest(name, table.iter().map(|parameter| parameter.name));
        Err(ParameterError::Unknown { name: name.into(), nearest: nearest.unwrap_or("none") })
    }
}

/// The name among those known that is most like a name which is none of them.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known.into_iter().min_by_key(|known| strsim::damerau_levenshtein(known, name))
}

/// Declares an enum of words that a parameter may be.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$variant => $word,)+ })
            }
        }

        impl $crate::parameter::ParameterType for $name {
            fn parse(text: &str, _: Option<(u32, u32)>) -> Option<Self> {
                match text { $($word => Some($name::$variant),)+ _ => None }
            }
            fn show(self) -> $crate::parameter::Value {
                $crate::parameter::Value::Word(match self { $($name::$variant => $word,)+ })
            }
            fn allowed(_: Option<(u32, u32)>) -> String {
                [$($word),+].join(", ")
            }
        }
    };
}

/// Declares a configuration struct: groups first, then parameters with range and default.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(groups { $($(#[$group_doc:meta])* $group:ident: $group_type:ty,)* })?
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $default:expr $(, in $least:literal ..= $most:literal)?;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            $($($(#[$group_doc])* pub $group: $group_type,)*)?
            $($(#[doc = $doc])+ pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($($group: Default::default(),)*)? $($field: $default,)* }
            }
        }

        impl $crate::parameter::Parameters for $name {
            fn table() -> Vec<$crate::parameter::Parameter> {
                use $crate::parameter::ParameterType;
                let mut table = Vec::new();
                $($(table.extend(<$group_type as $crate::parameter::Parameters>::table());)*)?
                $({
                    let range: &[(u32, u32)] = &[$(($least, $most))?];
                    let default: $type = $default;
                    table.push($crate::parameter::Parameter {
                        name: stringify!($field),
                        doc: [$($doc.trim()),+].join(" "),
                        allowed: <$type as ParameterType>::allowed(range.first().copied()),
                        default: default.show().to_string(),
                    });
                })*
                table
            }

            fn values(&self) -> Vec<(&'static str, $crate::parameter::Value)> {
                use $crate::parameter::ParameterType;
                let groups: Vec<Vec<(&'static str, $crate::parameter::Value)>> =
                    vec![$($($crate::parameter::Parameters::values(&self.$group),)*)?];
                let own = vec![$((stringify!($field), self.$field.show()),)*];
                groups.into_iter().flatten().chain(own).collect()
            }

            fn try_set(&mut self, name: &str, text: &str) -> Result<bool, $crate::parameter::ParameterError> {
                use $crate::parameter::ParameterType;
                $($(if $crate::parameter::Parameters::try_set(&mut self.$group, name, text)? { return Ok(true); })*)?
                $(if name == stringify!($field) {
                    let range: &[(u32, u32)] = &[$(($least, $most))?];
                    let range = range.first().copied();
                    self.$field = <$type as ParameterType>::parse(text, range).ok_or_else(|| {
                        $crate::parameter::ParameterError::Refused {
                            name: stringify!($field),
                            given: text.into(),
                            allowed: <$type as ParameterType>::allowed(range),
                        }
                    })?;
                    return Ok(true);
                })*
                Ok(false)
            }
        }
    };
}
