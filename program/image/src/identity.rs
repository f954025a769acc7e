//! What tells one build of a program's file from another.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::debug_file::build_identifier;
use crate::file_bytes;

/// The build of a file: the build identifier that the linker wrote into it, or a checksum of its bytes if it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The bytes of the note `.note.gnu.build-id`.
    BuildId(Vec<u8>),
    /// The CRC-32 of the file.
    Crc32(u32),
}

const BUILD_ID: &str = "build-id=";
const CRC_32: &str = "crc-32=";

impl Identity {
    /// The identity of a file; `None` if it cannot be read.
    pub fn of_file(path: &Path) -> Option<Identity> {
        file_bytes::read(path).ok().map(|data| Identity::of(&data))
    }

    /// The identity of a file with these contents.
    pub fn of(data: &[u8]) -> Identity {
        match build_identifier(data) {
            Some(identifier) if !identifier.is_empty() => Identity::BuildId(identifier),
            _ => Identity::Crc32(crc32fast::hash(data)),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::BuildId(bytes) => {
                f.write_str(BUILD_ID)?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Identity::Crc32(sum) => write!(f, "{CRC_32}{sum:08x}"),
        }
    }
}

impl FromStr for Identity {
    type Err = String;

    fn from_str(text: &str) -> Result<Identity, String> {
        let expected =
            || format!("expected {BUILD_ID} or {CRC_32} and hexadecimal digits, found {text:?}");
        let byte = |pair: &[u8]| {
            std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())
        };
        if let Some(digits) = text.strip_prefix(BUILD_ID) {
            let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
            let bytes: Option<Vec<u8>> = pairs.iter().map(|pair| byte(pair)).collect();
            let bytes = bytes.filter(|bytes| rest.is_empty() && !bytes.is_empty());
            return bytes.map(Identity::BuildId).ok_or_else(expected);
        }
        let sum = text.strip_prefix(CRC_32).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        sum.map(Identity::Crc32).ok_or_else(expected)
    }
}
