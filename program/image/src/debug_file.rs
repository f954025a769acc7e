//! Files of debugging information that are installed apart from the program, found by build identifiers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::{FileKind, Object};

use crate::elf::symbols_of;
use crate::file_bytes;
use crate::symbols::Symbol;

/// The debugging information of a file.
pub(crate) struct DebugFile {
    pub data: Arc<[u8]>,
    pub symbols: Vec<Symbol>,
}

impl DebugFile {
    /// The one of an ELF file, in a folder such as `/usr/lib/debug`. One that is damaged or of another file counts as
    /// none, because it is not needed to follow code.
    pub(crate) fn find(elf: &[u8], folder: &Path) -> Option<DebugFile> {
        let identifier = build_identifier(elf)?;
        let data = file_bytes::read(&folder.join(place(&identifier)?)).ok()?;
        let symbols = symbols_of(&data)?;
        (build_identifier(&data)? == identifier).then_some(DebugFile { data, symbols })
    }
}

/// The build identifier in an ELF file.
pub(crate) fn build_identifier(elf: &[u8]) -> Option<Vec<u8>> {
    FileKind::parse(elf).ok()?;
    object::File::parse(elf).ok()?.build_id().ok()?.map(<[u8]>::to_vec)
}

/// Where the file with this identifier is: `.build-id/12/3456.debug`.
fn place(identifier: &[u8]) -> Option<PathBuf> {
    let hexadecimal =
        |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (first, rest) = identifier.split_first()?;
    let name = format!("{}.debug", hexadecimal(rest));
    Some(Path::new(".build-id").join(hexadecimal(&[*first])).join(name))
}
