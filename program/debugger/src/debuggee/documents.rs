//! What a debugger reads as files: the processor's description, the program, where its parts are, its libraries.

use std::borrow::Cow;
use std::fmt::Write as _;

use gdbstub::target::ext::exec_file::ExecFile;
use gdbstub::target::ext::libraries::LibrariesSvr4;
use gdbstub::target::ext::section_offsets::{Offsets, SectionOffsets};
use gdbstub::target::ext::target_description_xml_override::TargetDescriptionXmlOverride;
use gdbstub::target::{TargetError, TargetResult};
use object::{Object, ObjectSection};
use tracewright_image::File;

use super::Debuggee;
use crate::error::Error;

/// The element of a description after which the operating system comes.
const ARCHITECTURE_END: &str = "</architecture>";

/// The same with none, for what is no process of Linux.
const NO_SYSTEM: &str = "</architecture><osabi>none</osabi>";

impl TargetDescriptionXmlOverride for Debuggee<'_> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        let description = self.programs[0].rules.architecture().description.as_str();
        // Without a word GDB takes any program for one of Linux, where it steps RISC-V by breakpoints of its own.
        let description = match self.rerun.is_none() && self.programs[0].is_of_linux() {
            true => Cow::Borrowed(description),
            false => Cow::Owned(description.replacen(ARCHITECTURE_END, NO_SYSTEM, 1)),
        };
        Ok(copy(description.as_bytes(), offset, length, into))
    }
}

impl ExecFile for Debuggee<'_> {
    fn get_exec_file(
        &self,
        _: Option<gdbstub::common::Pid>,
        offset: u64,
        length: usize,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let name = self.programs[0].of.image.files().first().map(|file| {
            let path = std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
            path.display().to_string()
        });
        Ok(copy(name.unwrap_or_default().as_bytes(), offset, length, into))
    }
}

impl SectionOffsets for Debuggee<'_> {
    fn get_section_offsets(&mut self) -> Result<Offsets<u64>, Error> {
        let image = &self.programs[0].of.image;
        let load_address = image.files().first().map_or(0, |file| file.load_address);
        Ok(match load_address {
            0 => Offsets::Sections { text: 0, data: 0, bss: Some(0) },
            text_seg => Offsets::Segments { text_seg, data_seg: None },
        })
    }
}

impl LibrariesSvr4 for Debuggee<'_> {
    fn get_libraries_svr4(
        &self,
        offset: u64,
        length: usize,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let mut text = String::from("<library-list-svr4 version=\"1.0\" main-lm=\"0x1\">");
        for (number, file) in self.programs[0].of.image.files().iter().enumerate().skip(1) {
            let Some(dynamic) = dynamic_section(file) else { continue };
            let path = std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
            let (name, address) = (escaped(&path.display().to_string()), file.load_address);
            let _ = write!(
                text,
                "<library name=\"{name}\" lm=\"{:#x}\" lmid=\"0x0\" l_addr=\"{address:#x}\" l_ld=\"{dynamic:#x}\"/>",
                number + 1
            );
        }
        text.push_str("</library-list-svr4>");
        Ok(copy(text.as_bytes(), offset, length, into))
    }
}

/// The address of the section by which GDB recognises a shared library.
fn dynamic_section(file: &File) -> Option<u64> {
    let elf = object::File::parse(&*file.data).ok()?;
    let section = elf.section_by_name(".dynamic")?;
    Some(section.address().wrapping_add(file.load_address))
}

/// A name in the text of an attribute.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Copies a part of a text; gives its length.
pub(super) fn copy(text: &[u8], offset: u64, length: usize, into: &mut [u8]) -> usize {
    let begin = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    let count = length.min(into.len()).min(text.len() - begin);
    into[..count].copy_from_slice(&text[begin..begin + count]);
    count
}
