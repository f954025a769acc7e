//! Where a function's frame has what its caller needs.

/// The rules of a place in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the frame begins.
    pub frame: Base,
    /// Where the return address is.
    pub return_address: Saved,
    /// Where registers of the caller are, by their numbers in DWARF, as far as they are not in themselves.
    pub saved: Vec<(u16, Saved)>,
    /// The most bytes that the stack pointer is below the beginning of the frame in this function, as far as that is
    /// known.
    pub depth: u64,
}

/// How the beginning of a frame, which is the caller's stack pointer, is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// So many bytes above a register.
    Register(u16, i64),
    /// In the word so many bytes above a register.
    Word(u16, i64),
}

/// Where a register of the caller is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// In the word so many bytes above the beginning of the frame.
    At(i64),
    /// In another register.
    Register(u16),
    /// In itself.
    Same,
    /// It is not known.
    Lost,
}

impl Row {
    /// How far below the beginning of the frame the lowest register is saved.
    pub fn lowest(&self) -> u64 {
        let offsets = self.saved.iter().filter_map(|(_, rule)| match rule {
            Saved::At(offset) => Some(offset.unsigned_abs()),
            _ => None,
        });
        offsets.max().unwrap_or(0)
    }

    /// A function that has no frame yet, or none at all.
    pub fn without_frame(stack_pointer: u16, link: Option<u16>, word: usize) -> Row {
        let word = word as i64;
        match link {
            Some(_) => Row {
                frame: Base::Register(stack_pointer, 0),
                return_address: Saved::Same,
                saved: Vec::new(),
                depth: 0,
            },
            None => Row {
                frame: Base::Register(stack_pointer, word),
                return_address: Saved::At(-word),
                saved: Vec::new(),
                depth: word as u64,
            },
        }
    }
}
