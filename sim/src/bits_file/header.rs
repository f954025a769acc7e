//! The beginning of the file: which design encoded the trace of which machine.

use super::{MAGIC, PREFIX_BYTES, Problem, VERSION};
use crate::event::{Isa, Machine};
use crate::scheme::Design;

/// What decoding has to know, besides the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The design, as it was for the machine.
    pub design: Design,
    /// The processor that was traced.
    pub machine: Machine,
}

impl Header {
    /// Everything in the file before the first frame.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let Machine { isa, alignment, address_bits } = self.machine;
        let (name, scheme) = (&self.design.name, self.design.scheme.name());
        let mut text = format!(
            "design={name}\nscheme={scheme}\n\
             machine.isa={isa}\nmachine.alignment={alignment}\nmachine.address_bits={address_bits}\n"
        );
        for (name, value) in self.design.stated_values_in_files() {
            text += &format!("parameter.{name}={value}\n");
        }
        let mut bytes = Vec::with_capacity(PREFIX_BYTES + text.len() + 4);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        let sum = crc32fast::hash(&bytes[MAGIC.len()..]);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the header's lines.
    pub(super) fn from_text(text: &[u8]) -> Result<Header, Problem> {
        let text = std::str::from_utf8(text).map_err(|_| Problem::HeaderLine {
            expected: "text",
            found: "bytes that are none".into(),
        })?;
        let mut lines = text.lines().map(|line| (line, line.split_once('=')));
        let mut value_of = |key: &str, expected: &'static str| match lines.next() {
            Some((_, Some((found, value)))) if found == key => Ok(value),
            Some((line, _)) => Err(unexpected(expected, line)),
            None => Err(Problem::HeaderLine { expected, found: "its end".into() }),
        };
        let name = value_of("design", "design=NAME")?;
        let scheme = value_of("scheme", "scheme=NAME")?;
        let mut design = Design::of_scheme(name, scheme).map_err(Problem::Design)?;

        let expected = "machine.isa=arm, riscv or x86";
        let word = value_of("machine.isa", expected)?;
        let isa = [Isa::Arm, Isa::RiscV, Isa::X86].into_iter().find(|isa| isa.to_string() == word);
        let isa = isa.ok_or_else(|| unexpected(expected, word))?;
        let expected = "machine.alignment=0, 1 or 2";
        let word = value_of("machine.alignment", expected)?;
        let alignment = word.parse().ok().filter(|alignment| *alignment <= 2);
        let alignment = alignment.ok_or_else(|| unexpected(expected, word))?;
        let expected = "machine.address_bits=32 or 64";
        let word = value_of("machine.address_bits", expected)?;
        let address_bits = word.parse().ok().filter(|bits| matches!(bits, 32 | 64));
        let address_bits = address_bits.ok_or_else(|| unexpected(expected, word))?;

        let mut has_numbers = false;
        for (line, split) in lines {
            let parameter =
                split.and_then(|(key, value)| Some((key.strip_prefix("parameter.")?, value)));
            let (key, value) = parameter.ok_or_else(|| unexpected("parameter.NAME=VALUE", line))?;
            design.set(key, value).map_err(Problem::Design)?;
            has_numbers |= key == "sequence_bits";
        }
        if design.protocol().has_packets() && !has_numbers {
            design.set("sequence_bits", "0").map_err(Problem::Design)?;
        }
        design.validate().map_err(Problem::Design)?;
        Ok(Header { design, machine: Machine { isa, alignment, address_bits } })
    }
}

fn unexpected(expected: &'static str, found: &str) -> Problem {
    Problem::HeaderLine {
        expected,
        found: format!("{:?}", found.chars().take(64).collect::<String>()),
    }
}
