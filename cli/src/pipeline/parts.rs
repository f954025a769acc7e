//! The two forms of a decoded trace: one file, or a file for each part between two gaps.

use std::fs;
use std::io;

use anyhow::Result;
use serde::Serialize;
use tracewright_sim::event::Item;
use tracewright_sim::trace_io::{self, Writer};

use super::aside::{Aside, Ended};
use super::output::{Output, cannot_write};
use super::paths::OutputFile;

/// A trace on its way to its file.
pub type Writing = Aside<Item, Writer<Output>, trace_io::Error>;

/// Begins to write a trace.
pub fn write(writer: Writer<Output>) -> Writing {
    Aside::new(writer, |writer, items| writer.write_items(items))
}

/// A part that is being written.
pub struct OpenPart {
    writing: Writing,
    pub events: u64,
    instructions: u64,
}

impl OpenPart {
    /// Begins to write a part.
    pub fn new(writer: Writer<Output>) -> Self {
        Self { writing: write(writer), events: 0, instructions: 0 }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When an item before could not be written: [`close`](Self::close) tells why.
    #[inline]
    pub fn item(&mut self, item: Item) -> Result<(), Ended> {
        if let Item::Event(event) = &item {
            self.events += 1;
            self.instructions = self.instructions.saturating_add(event.instructions);
        }
        self.writing.push(item)
    }

    /// Ends a part that is given up.
    ///
    /// # Errors
    /// When an item could not be written.
    pub fn close(self) -> Result<(), trace_io::Error> {
        self.writing.finish().1
    }
}

/// A part between two gaps, which has events.
#[derive(Serialize)]
pub struct Written {
    pub output: String,
    pub events: u64,
    pub instructions: u64,
}

/// The files of a decoded trace. When one form has been written, files of the other that are left from an earlier
/// decode are removed, so that what is there is of one decode.
#[derive(Debug)]
pub struct Forms<'a> {
    whole: &'a OutputFile,
    /// Number of parts that there were before.
    old_parts: usize,
}

impl<'a> Forms<'a> {
    /// The forms of a trace whose file is `whole` if it has no gaps.
    ///
    /// # Errors
    /// When a part that would be replaced or removed is an input.
    pub fn new(whole: &'a OutputFile) -> Result<Self> {
        let mut forms = Self { whole, old_parts: 0 };
        if whole.is_stdout() {
            return Ok(forms);
        }
        while is_trace(&forms.part(forms.old_parts + 1)?) {
            forms.old_parts += 1;
        }
        Ok(forms)
    }

    /// The file of a part, counted from 1: the number goes before the first ending.
    ///
    /// # Errors
    /// When it is an input.
    pub fn part(&self, number: usize) -> Result<OutputFile> {
        let name = self.whole.file_name().unwrap_or_default().to_string_lossy();
        let (stem, endings) =
            name.split_at(name[1.min(name.len())..].find('.').map_or(name.len(), |at| at + 1));
        self.whole.beside(format!("{stem}.part-{number}{endings}"))
    }

    /// Gives the file of a part its name and adds it to those that are written. The whole trace is always written; a part
    /// without events is none.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(
        &self,
        OpenPart { writing, events, instructions }: OpenPart,
        is_whole: bool,
        written: &mut Vec<Written>,
    ) -> Result<()> {
        let (writer, written_items) = writing.finish();
        written_items?;
        if events == 0 && !is_whole {
            return Ok(());
        }
        let output = writer.finish()?;
        let path = if is_whole { self.whole.clone() } else { self.part(written.len() + 1)? };
        let output = if is_whole { output } else { output.renamed(&path)? };
        output.commit()?;
        written.push(Written { output: path.display().to_string(), events, instructions });
        Ok(())
    }

    /// Removes the parts of an earlier decode, once the whole trace is written.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn written_whole(&self) -> Result<()> {
        (1..=self.old_parts).try_for_each(|number| remove(&self.part(number)?))
    }

    /// Removes the whole trace of an earlier decode and its further parts, once so many parts are written.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn written_parts(&self, parts: usize) -> Result<()> {
        remove(self.whole)?;
        (parts + 1..=self.old_parts).try_for_each(|number| remove(&self.part(number)?))
    }
}

/// True for a file that a decode can have written.
fn is_trace(file: &OutputFile) -> bool {
    file.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) && trace_io::open(file).is_ok()
}

/// Removes a trace; what is none was not written by a decode, and stays.
fn remove(file: &OutputFile) -> Result<()> {
    if file.is_stdout() || !is_trace(file) {
        return Ok(());
    }
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(file, &error)),
        _ => Ok(()),
    }
}
