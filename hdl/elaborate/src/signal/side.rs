use rust_hdl::core::atom::AtomKind;
use rust_hdl::core::prelude::{Direction, In, Local, Out};

/// Where a bundle or a packed word stands: at an input, at an output, or inside the block.
pub trait Side: Clone + std::fmt::Debug + 'static {
    /// The direction of the members that flow as the bundle does.
    type Forward: Direction;
    /// The direction of the members that flow against it.
    type Backward: Direction;
    /// What a packed word is for the Verilog.
    const KIND: AtomKind;
    /// Whether the kernel writes a packed word's fields, and others read the word.
    const IS_ASSEMBLED: bool;
}

/// A packed word inside a block that is connected whole and read by its fields.
#[derive(Clone, Debug)]
pub struct View {}

impl Side for In {
    type Forward = In;
    type Backward = Out;
    const KIND: AtomKind = AtomKind::InputParameter;
    const IS_ASSEMBLED: bool = false;
}

impl Side for Out {
    type Forward = Out;
    type Backward = In;
    const KIND: AtomKind = AtomKind::OutputParameter;
    const IS_ASSEMBLED: bool = true;
}

impl Side for Local {
    type Forward = Local;
    type Backward = Local;
    const KIND: AtomKind = AtomKind::LocalSignal;
    const IS_ASSEMBLED: bool = true;
}

impl Side for View {
    type Forward = Local;
    type Backward = Local;
    const KIND: AtomKind = AtomKind::LocalSignal;
    const IS_ASSEMBLED: bool = false;
}

/// A number of bits, of entries or of anything else: any integer that is not negative, or a `bool` as 0 or 1.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of bits or of entries",
    label = "expected an integer or a `bool`"
)]
pub trait Count {
    /// The number.
    fn count(self) -> usize;
}

macro_rules! count {
    ($($number:ty),*) => {$(
        impl Count for $number {
            fn count(self) -> usize {
                self as usize
            }
        }
    )*};
}
count!(usize, u8, u16, u32, u64, i32, bool);
