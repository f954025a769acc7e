//! Writes the list of a captured program's files, and the files beside it.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use tracewright_capture::{Captured, LoadedImage, Target};
use tracewright_image::identity::Identity;
use tracewright_image::list::Placed;

use super::code_file;
use super::paths::OutputFile;

/// Writes the list of the program's files, a file of the code that is in none of them, and one of the changes of code.
///
/// # Errors
/// When one of them cannot be written.
pub fn write(path: &OutputFile, target: &Target, captured: &Captured) -> Result<Beside> {
    let mut list = path.create()?;
    for image in &captured.images {
        writeln!(list, "{}", placed(image, Identity::of_file(&image.path)))?;
    }
    let mut beside = Beside::default();
    if !captured.loose_code.is_empty() {
        let name = with_ending(path, ".code");
        let mut file = OutputFile::new(&name)?.create()?;
        file.write_all(&code_file::elf(target.instruction_set, &captured.loose_code, &[])?)?;
        file.commit()?;
        writeln!(list, "{}", line_of(&name))?;
        beside.code = Some(name);
    }
    if !captured.changes.is_empty() {
        let name = with_ending(path, ".changes");
        let mut file = BufWriter::new(OutputFile::new(&name)?.create()?);
        captured.changes.write(&mut file)?;
        file.into_inner().map_err(|error| error.into_error())?.commit()?;
        writeln!(list, "{}", line_of(&name))?;
        beside.changes = Some(name);
    }
    list.commit()?;
    Ok(beside)
}

/// The files beside a list of images.
#[derive(Default)]
pub struct Beside {
    /// Code that ran from no file.
    pub code: Option<PathBuf>,
    /// Changes of code.
    pub changes: Option<PathBuf>,
}

/// The line of a file in the folder of the list, in a form in which its name is not taken for a context's number.
pub fn line_of(path: &Path) -> String {
    let name = path.file_name().map(Path::new).unwrap_or(path);
    let has_number = name.to_string_lossy().contains('=');
    let name = if has_number { Path::new(".").join(name) } else { name.into() };
    format!("{}@0x0", name.display())
}

/// The name of a file beside the list.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// An image in the form that `decode --image` reads.
pub fn argument(image: &LoadedImage) -> String {
    placed(image, None).to_string()
}

fn placed(image: &LoadedImage, identity: Option<Identity>) -> Placed {
    Placed { path: image.path.clone(), load_address: image.load_address, identity }
}
