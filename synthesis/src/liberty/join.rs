//! Several Liberty files as one, without the cells that are not to be used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::cell::Cell;
use super::syntax::{self, Item};
use super::{Library, LibraryOptions, Surroundings, error};
use crate::error::{Error, Result};

/// What every figure in a file is in.
const UNITS: [&str; 6] = [
    "time_unit",
    "capacitive_load_unit",
    "voltage_unit",
    "current_unit",
    "pulling_resistance_unit",
    "leakage_power_unit",
];

/// How many inputs of the smallest buffer an output drives.
const LOADS: f64 = 4.0;

/// A file that was read.
struct File<'a> {
    path: Option<&'a Path>,
    text: &'a str,
    library: Item<'a>,
    cells: Vec<(Cell<'a>, &'a str)>,
}

impl<'a> File<'a> {
    fn of(path: Option<&'a Path>, text: &'a str) -> Result<File<'a>> {
        let wrong = |reason| error(path, reason);
        let library = syntax::library(text, syntax::PINS).map_err(wrong)?;
        let cell = |item: &Item<'a>| Ok((Cell::of(item)?, &text[item.bytes.clone()]));
        let cells = library.all("cell").map(cell).collect::<Result<_, String>>().map_err(wrong)?;
        Ok(File { path, text, library, cells })
    }

    /// The files are read as one, so their units are the same.
    fn has_units_of(&self, first: &File<'_>) -> Result<()> {
        for unit in UNITS {
            let of = |file: &File<'_>| {
                let attribute = file.library.all(unit).next();
                attribute.map(|it| it.arguments.join(" ").to_lowercase().replace(' ', ""))
            };
            let (here, there) = (of(self), of(first));
            if here != there {
                let said = |unit: Option<String>| unit.unwrap_or("not given".into());
                return Err(error(
                    self.path,
                    format!(
                        "expected a {unit} of {} as in {}, found {}",
                        said(there),
                        first.path.unwrap_or(Path::new("the first file")).display(),
                        said(here)
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// The cells of these files that may be used.
pub(super) fn join(
    texts: &[(Option<PathBuf>, String)],
    options: &LibraryOptions,
) -> Result<Library> {
    let files = texts.iter().map(|(path, text)| File::of(path.as_deref(), text));
    let files: Vec<File<'_>> = files.collect::<Result<_>>()?;
    let first = &files[0];
    files.iter().try_for_each(|file| file.has_units_of(first))?;
    let unused = unused(&files, &options.dont_use)?;
    let mut names: BTreeMap<&str, &File<'_>> = BTreeMap::new();
    let mut areas = BTreeMap::new();
    for file in &files {
        for (cell, _) in file.cells.iter().filter(|(cell, _)| !unused(cell)) {
            if let Some(other) = names.insert(cell.name, file) {
                let there = other.path.unwrap_or(Path::new("the same file")).display();
                let reason = format!("its cell {} is in {there} too", cell.name);
                return Err(error(file.path, reason));
            }
            areas.extend(cell.area.map(|area| (cell.name.to_owned(), area)));
        }
    }
    if areas.values().all(|area| *area == 0.0) {
        return Err(error(first.path, "no cell in it has an area".into()));
    }
    Ok(Library {
        name: first.library.argument().to_owned(),
        text: text(&files, &unused)?,
        areas,
        around: surroundings(&files, options, &names, &unused)?,
        path: first.path.map(Path::to_path_buf),
    })
}

/// Whether a cell is not used.
fn unused<'a>(
    files: &[File<'_>],
    patterns: &'a [String],
) -> Result<impl Fn(&Cell<'_>) -> bool + use<'a>> {
    let regex = |pattern: &String| {
        let expression = regex::escape(pattern).replace(r"\*", ".*").replace(r"\?", ".");
        let regex = Regex::new(&format!("^{expression}$"));
        let regex = regex.map_err(|reason| error(files[0].path, format!("{pattern}: {reason}")))?;
        let known = files.iter().flat_map(|file| &file.cells);
        match known.into_iter().any(|(cell, _)| regex.is_match(cell.name)) {
            true => Ok(regex),
            false => Err(error(files[0].path, format!("no cell has a name like {pattern}"))),
        }
    };
    let regexes: Vec<Regex> = patterns.iter().map(regex).collect::<Result<_>>()?;
    Ok(move |cell: &Cell<'_>| {
        cell.dont_use || regexes.iter().any(|regex| regex.is_match(cell.name))
    })
}

/// The first file without cells that are not used, with the cells of the others, and the templates that these name.
fn text(files: &[File<'_>], unused: &impl Fn(&Cell<'_>) -> bool) -> Result<String> {
    let first = &files[0];
    let mut text = String::new();
    let mut from = 0;
    let dropped = first.library.all("cell").zip(&first.cells);
    for (item, _) in dropped.filter(|(_, (cell, _))| unused(cell)) {
        text += &first.text[from..item.bytes.start];
        from = item.bytes.end;
    }
    text += &first.text[from..first.library.bytes.end - 1];
    let mut templates: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        for item in file.library.items.iter().flatten() {
            if !item.kind.ends_with("_template") {
                continue;
            }
            let here = &file.text[item.bytes.clone()];
            let kept = *templates.entry((item.kind, item.argument())).or_insert(here);
            if !kept.split_whitespace().eq(here.split_whitespace()) {
                return Err(template_error(file, first, item));
            }
            if number > 0 && std::ptr::eq(kept, here) {
                text = text + here + "\n";
            }
        }
        let cells = file.cells.iter().filter(|(cell, _)| number > 0 && !unused(cell));
        cells.for_each(|(_, cell)| {
            text.push_str(cell);
            text.push('\n');
        });
    }
    Ok(text + "}\n")
}

fn template_error(file: &File<'_>, first: &File<'_>, item: &Item<'_>) -> Error {
    let Item { line, kind, .. } = item;
    let there = first.path.unwrap_or(Path::new("another file")).display();
    let name = item.argument();
    error(
        file.path,
        format!("line {line}: its {kind} {name} is not that of {there}, and one library has one"),
    )
}

/// The driving cell and the load that were asked for, or those of the smallest buffer.
fn surroundings(
    files: &[File<'_>],
    options: &LibraryOptions,
    names: &BTreeMap<&str, &File<'_>>,
    unused: &impl Fn(&Cell<'_>) -> bool,
) -> Result<Option<Surroundings>> {
    let first = &files[0];
    if let Some(name) = options.driving_cell.as_deref().filter(|name| !names.contains_key(name)) {
        return Err(error(first.path, format!("expected the driving cell {name} in it")));
    }
    // Cells of the generic library take one unit of time, whatever they drive.
    let is_generic = first.path.is_none();
    let cells = files.iter().flat_map(|file| &file.cells).map(|(cell, _)| cell);
    let usable = cells.filter(|cell| !is_generic && !unused(cell));
    let buffers = usable.filter_map(|cell| Some((cell.area?, cell.buffer_input?, cell.name)));
    let smallest = buffers.min_by(|one, other| one.0.total_cmp(&other.0));
    let driving_cell = options.driving_cell.clone();
    let driving_cell = driving_cell.or(smallest.map(|(_, _, name)| name.to_owned()));
    let load = options.load_ff;
    let load = load.or(smallest.map(|(_, input, _)| LOADS * input * femtofarads(&first.library)));
    Ok(driving_cell.zip(load).map(|(driving_cell, load_ff)| Surroundings { driving_cell, load_ff }))
}

/// The library's unit of capacitance.
fn femtofarads(library: &Item<'_>) -> f64 {
    let unit = library.all("capacitive_load_unit").next();
    let number = unit.and_then(|unit| unit.argument().trim().parse::<f64>().ok()).unwrap_or(1.0);
    let is_pico = unit.and_then(|unit| unit.arguments.get(1));
    if is_pico.is_some_and(|it| it.eq_ignore_ascii_case("pf")) { number * 1000.0 } else { number }
}
