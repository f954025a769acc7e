//! Files of systems: several harts, each a design with the port of its core, and one sink.
//!
//! ```toml
//! name = "pair"            # optional; the default is the file's name
//! ram_sink = 4096          # bytes of the ring, or a table as in the file of a design; or a table [sink] as there
//! bus = "apb"              # or axi-lite
//!
//! [[hart]]
//! name = "a"               # its pins begin with it
//! design = "ntrace-htm"    # a preset, or a design's TOML file or folder
//! set = { address_width = 64 }
//!
//! [hart.ingress]           # as in the file of a design
//! port = "rvfi"
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tracewright_sim::control::Bus;
use tracewright_sim::message_funnel;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::unit::{Hart, System, SystemSink};

use super::control::RamSection;
use super::design::{self, Changes};
use super::failure::usage;
use super::ingress;
use super::paths::Input;
use super::sink;
use super::unit::{Arguments, Sections, Unit};

/// Bytes of the ring where nothing is said.
const RING_BYTES: u32 = 4096;

/// A file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    ram_sink: Option<RamSink>,
    sink: Option<sink::Section>,
    #[serde(default)]
    bus: Bus,
    hart: Vec<OfHart>,
}

/// What takes the trace: bytes of a ring, or what the file of a design says.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected bytes of the ring, or a table as in the file of a design")]
enum RamSink {
    Bytes(u32),
    Section(RamSection),
}

/// A hart of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfHart {
    name: String,
    design: String,
    #[serde(default)]
    set: BTreeMap<String, toml::Value>,
    ingress: Option<ingress::Section>,
}

/// The file of a system that an argument names: the file itself, or the one in the folder that `generate` wrote.
fn file_of(argument: &str) -> PathBuf {
    let path = Path::new(argument);
    let name = path.canonicalize().ok().filter(|path| path.is_dir());
    match name.as_deref().and_then(Path::file_name) {
        Some(name) => path.join(format!("{}.toml", name.to_string_lossy())),
        None => path.to_path_buf(),
    }
}

/// True if an argument is the file or the folder of a system.
pub fn is_system(argument: &str) -> bool {
    #[derive(Deserialize)]
    struct Any {
        hart: Option<toml::Value>,
    }
    let file = file_of(argument);
    if file.extension().is_none_or(|extension| extension != "toml") {
        return false;
    }
    let text = Input::found(&file).and_then(|input| input.text());
    let any = text.ok().and_then(|text| toml::from_str::<Any>(&text).ok());
    any.is_some_and(|any| any.hart.is_some())
}

/// Loads the system of a file, or of the folder that `generate` wrote.
///
/// # Errors
/// When it cannot be read, or is no file of a system, or its harts do not fit together.
pub fn load(argument: &str) -> Result<System> {
    let path = file_of(argument);
    let text = Input::found(&path)?.text().map_err(|error| usage(format_args!("{error:#}")))?;
    of_text(&text, &path.display().to_string())
}

/// The file of a system whose harts have folders of their names beside it, each with its own file.
///
/// # Errors
/// Never with the existing sections.
pub fn toml(system: &System) -> Result<String> {
    #[derive(Serialize)]
    struct Written<'a> {
        name: &'a str,
        bus: Bus,
        #[serde(skip_serializing_if = "Option::is_none")]
        ram_sink: Option<RamSection>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sink: Option<sink::Section>,
        hart: Vec<BTreeMap<&'a str, String>>,
    }
    let ram_sink = match system.sink {
        SystemSink::Ring(bytes) => RamSection::of_memory((Some(bytes), None)),
        SystemSink::Memory(bus) => RamSection::of_memory((None, Some(bus))),
        SystemSink::Port(_) => None,
    };
    let sink = match system.sink {
        SystemSink::Port(sink) => sink::Section::of(&[sink]),
        SystemSink::Ring(_) | SystemSink::Memory(_) => None,
    };
    let harts = system.harts.iter().map(|hart| {
        let design = format!("{0}/{0}.toml", hart.name);
        BTreeMap::from([("name", hart.name.clone()), ("design", design)])
    });
    let written =
        Written { name: &system.name, bus: system.bus, ram_sink, sink, hart: harts.collect() };
    let of = "# What `tracewright generate` made the system in this folder from. Commands take the folder or this file.\n";
    Ok(format!("{of}{}", toml::to_string(&written)?))
}

/// Loads the system of a text, which is that of a file of this name.
///
/// # Errors
/// When it is no file of a system, or its harts do not fit together.
pub fn of_text(text: &str, argument: &str) -> Result<System> {
    let path = Path::new(argument);
    let file: File =
        toml::from_str(text).map_err(|error| usage(format_args!("{argument}: {error}")))?;
    let harts = file.hart.len();
    if !(2..=message_funnel::MOST_SOURCES as usize).contains(&harts) {
        return Err(usage(format_args!(
            "{argument}: expected 2 to {} tables [[hart]], found {harts}",
            message_funnel::MOST_SOURCES
        )));
    }
    let name = named(&file, path)?;
    let sink = taken(file.ram_sink, file.sink.as_ref())
        .map_err(|error| usage(format_args!("{argument}: {error:#}")))?;
    let harts = file.hart.into_iter().enumerate().map(|(place, hart)| {
        let named = hart.name.clone();
        of_file(hart, &name, place, path)
            .map_err(|error| usage(format_args!("{argument}: hart {named}: {error:#}")))
    });
    let harts = harts.collect::<Result<Vec<_>>>()?;
    let system = System { name, harts, sink, bus: file.bus };
    system.funnel().map_err(|error| usage(format_args!("{argument}: {error}")))?;
    Ok(system)
}

/// The name of a system, which is that of its module.
fn named(file: &File, path: &Path) -> Result<String> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let (said, origin) = match &file.name {
        Some(name) => (name.clone(), "`name`"),
        None => (stem.unwrap_or_default(), "the file's own name, as it has no `name`"),
    };
    let name = said.replace('-', "_").to_lowercase();
    tracewright_hdl::check_top(&name)
        .map_err(|error| usage(format_args!("{}: {origin}: {error}", path.display())))?;
    Ok(name)
}

/// What takes the trace.
fn taken(ram_sink: Option<RamSink>, sink: Option<&sink::Section>) -> Result<SystemSink> {
    if let Some(section) = sink {
        if ram_sink.is_some() {
            return Err(usage("ram_sink and [sink]: expected one of them"));
        }
        let one = section.only();
        return Ok(SystemSink::Port(one.ok_or_else(|| {
            usage("[sink]: port: expected one sink, which all harts share, and not a list")
        })?));
    }
    Ok(match ram_sink.unwrap_or(RamSink::Bytes(RING_BYTES)) {
        RamSink::Bytes(bytes) => SystemSink::Ring(bytes),
        RamSink::Section(section) => match section.sink()? {
            (Some(bytes), _) => SystemSink::Ring(bytes),
            (None, bus) => SystemSink::Memory(bus.unwrap_or_default()),
        },
    })
}

/// The design that a hart names: a file is beside that of the system.
fn beside(design: &str, system: &Path) -> String {
    let path = system.parent().map(|folder| folder.join(design));
    match path.filter(|path| Design::preset(design).is_err() && path.exists()) {
        Some(path) => path.display().to_string(),
        None => design.to_owned(),
    }
}

fn of_file(hart: OfHart, system: &str, place: usize, path: &Path) -> Result<Hart> {
    let value = |value: &toml::Value| match value {
        toml::Value::String(word) => word.clone(),
        other => other.to_string(),
    };
    let mut set: Vec<(&str, String)> =
        hart.set.iter().map(|(key, of)| (key.as_str(), value(of))).collect();
    let named = beside(&hart.design, path);
    let plain = loaded(&named, &[])?;
    let is_said = |key: &str| plain.stated.contains(key) || hart.set.contains_key(key);
    let time_bits = hart.set.get("time_bits").map(value);
    let has_time = time_bits.map_or(plain.asked.protocol().time_bits > 0, |bits| bits != "0");
    let implied = implied(&plain.asked, place, has_time);
    set.extend(implied.into_iter().filter(|(key, _)| !is_said(key)));
    let unit = loaded(&named, &set)?;
    let Sections { ingress, sink, control, ram_sink, reader } = unit.sections.clone();
    if sink.is_some() || control.is_some() || ram_sink.is_some() || reader.is_some() {
        return Err(usage(
            "its design has a sink or registers of its own: expected a design with [ingress] alone",
        ));
    }
    let mut asked = unit.asked.clone();
    asked.name = format!("{system}-{}", hart.name);
    asked.validate()?;
    let sections = Sections { ingress: hart.ingress.or(ingress), ..Sections::default() };
    let unit = Unit { design: asked.clone(), asked, sections, ..unit };
    let (around, design) = Arguments::default().around(&unit)?;
    Ok(Hart { name: hart.name, design, ingress: around.adapter })
}

/// The design that an argument names, with these parameters.
fn loaded(argument: &str, set: &[(&str, String)]) -> Result<Unit> {
    let set = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let units = design::asked_units(&[argument.to_owned()], &Changes { set }, true)?;
    let units = <[Unit; 1]>::try_from(units);
    let [unit] = units.map_err(|_| usage("design: expected one design, found several"))?;
    Ok(unit)
}

/// What a system sets in a design that says nothing else.
fn implied(design: &Design, place: usize, has_time: bool) -> Vec<(&'static str, String)> {
    let source_bits = match &design.scheme {
        Scheme::NTrace(_) => "6",
        Scheme::ETrace(_) => "8",
        // It names no source, which the system says.
        _ => return Vec::new(),
    };
    let mut implied = vec![
        ("enable_pin", "true".to_owned()),
        ("trace_port_width", "8".to_owned()),
        ("source_bits", source_bits.to_owned()),
        ("source_id", place.to_string()),
    ];
    if has_time {
        implied.push(("time_source", "binary".to_owned()));
    }
    implied
}
