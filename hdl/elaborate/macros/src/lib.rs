//! The macros that declare hardware blocks: each signal is declared once, and the struct, its constructor and
//! the remarks in the Verilog follow from it.
//!
//! They are re-exported by `tracewright-elaborate`, whose types the generated code uses and whose first page
//! has an example that runs.

mod block;
mod bundle;
mod item;
mod kernel;
mod packed;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::Result;
use syn::parse::Parse;

/// Declares a block: a struct with its constructor `new`, for which the kernel is written as an `impl Logic`.
///
/// ```text
/// block! {
///     /// Documentation of the struct.
///     pub Name("module_name") of (config: &Config) {
///         let width = config.width();         // values that the items use
///     }
///     parameters {                            // what the module's header and its name state
///         width,                              // a value of that name
///         depth = config.depth,               // a value by an expression
///         lanes if lanes > 1,                 // only under a condition
///         ..config.parameters(),              // names and values from an iterator
///     }
///
///     /// A doc comment is the remark in the Verilog too.
///     in  request: 1;
///     out answer: width;
///     #[remark(format!("{lanes} lanes"))]     // a remark made by an expression
///     reg state: width = 3;
/// }
/// ```
///
/// The part in braces after the arguments may be a `;`, and `parameters` may be left out. A width is any
/// expression of an integer type. The items, in the order of the Verilog:
///
/// | item | declares |
/// |---|---|
/// | `in name: width;` | an input |
/// | `out name: width;` | an output |
/// | `local name: width;` | a signal inside the block |
/// | `in name: Word(arguments);`, also `out`, `local` | a packed word or a bundle |
/// | `view name: Word(arguments);` | a packed word inside the block that is written whole and read by its fields |
/// | `reg name: width = reset;` | a register; it resets to 0 without `= reset`, and keeps its value unless the kernel writes `name.d.next` |
/// | `reg name: width = undefined;` | a register that no reset changes: data beside a valid bit that has a reset |
/// | `memory name: [width; depth] { reads: 2, synchronous: true, cleared: 0 };` | a memory; each part in braces is optional |
/// | `param name = value;` | a constant that the kernel reads |
/// | `constant name: width = value;` | a constant that the kernel reads and that is `NAME` in the Verilog: a state, or a kind |
/// | `block name: Name(arguments);` | a sub-block; `Name::other(arguments)` calls another constructor |
///
/// `#[label(expression)]` before a wire, a register or a sub-block of a list gives each a name in the Verilog in place of the
/// list's name and a number.
///
/// `if condition` at the end of a register, a memory or a sub-block leaves it out of some configurations, and
/// `for pattern in sequence` at the end of any item declares a list. A wire is left out by a width of 0.
///
/// An input `restart_registers` of one bit is like a synchronous reset for the registers of the block and of the blocks
/// in it; the blocks in it do not declare it.
///
/// An input `memory_sweep` clears the memories that say what a `cleared` entry is, in the same blocks, while they are used.
/// Bit 0 is the epoch: each entry has a bit more for that in which it was written, and reads as cleared in another one.
/// Bit 1 writes a cleared entry, whose index is in the bits above, unless that was written in this epoch; nothing else may
/// read or write then. Between two changes of the epoch the sweep must come to all entries. What memories hold must not
/// decide the input in the same cycle. A
/// [`Simulator`](../tracewright_elaborate/prelude/struct.Simulator.html) knows neither of these inputs.
///
/// The clock and the reset are not declared: a block has them if it, or one of its sub-blocks, has a register or
/// a memory.
#[proc_macro]
pub fn block(input: TokenStream) -> TokenStream {
    expanded(input, block::Definition::expand)
}

/// Declares a packed word: named fields of a record, the first one in the lowest bits.
///
/// ```text
/// packed! {
///     pub Record of (count_bits: usize) {
///         let layout = |name: &str| ..;       // the widths of fields that state none
///     }
///     taken: 1;
///     count: count_bits;
///     target;                                 // layout("target")
/// }
/// ```
///
/// A kernel writes the fields of an `out` or a `local` (`self.record.taken.next`), and others read the word
/// (`self.former.record.val()`) or its fields (`self.former.record.taken.val()`). Of an `in` or a `view` the kernel
/// reads the fields, and others write the word. A field of width 0 is not in the word: it reads as 0, and what
/// is written to it is not in the Verilog.
#[proc_macro]
pub fn packed(input: TokenStream) -> TokenStream {
    expanded(input, packed::Definition::expand)
}

/// Declares a bundle: ports that belong together and are connected whole.
///
/// ```text
/// bundle! {
///     pub Stream of (bits: usize);
///     forward valid: 1;
///     forward word: bits;
///     backward ready: 1;
/// }
/// ```
///
/// A bundle declared by `out` drives the forward members and reads the backward members; one declared by `in` is
/// the other end. Kernels connect two with `connect::join`. In the Verilog a member `valid` of the bundle `record` is
/// `record_valid`, in a list `record_valid_0`; a member `word` has the bundle's own name. `is_return as return`
/// gives a member a name in the Verilog that Rust does not allow.
#[proc_macro]
pub fn bundle(input: TokenStream) -> TokenStream {
    expanded(input, bundle::Definition::expand)
}

/// Turns a kernel that names its signals as the model does into one of RustHDL, under `#[hdl_gen]`.
///
/// ```text
/// #[kernel]
/// impl Logic for Counter {
///     fn update(&mut self) {
///         count.d = count.q + 1;
///         if clear || count.q == last {
///             count.d = 0;
///         }
///         if when(has_flag) {
///             flag = count.q == last;
///         }
///         table = Table { index, written: resized(count.q), write: ready & !clear };
///         join(stream, queue.stream);
///     }
/// }
/// ```
///
/// | the kernel says | RustHDL's kernel has |
/// |---|---|
/// | `ready`, `queue.ready`, `lane[each].valid`, `count.q` where a value is expected | `self.ready.val()` and so on |
/// | `ready = value;` `count.d = value;` | `self.ready.next = value;` |
/// | `ready = 0;` `index = each;` | `.into()` after the number |
/// | `ready = count.q == last;` | `bits_to(.., 1)` around what is true or false |
/// | a word as a condition, in `if`, `&&`, <code>&#124;&#124;</code>, `!` or `bit` | `.any()`: true if a bit of it is set |
/// | `bit(condition)` | `bits_to(condition, 1)`: a word of one bit |
/// | `resized(value)` | `bits_to`, to the width of the signal that is assigned |
/// | `resized(value, address.width())` | `bits_to`, to that width |
/// | `fitted(value)` | `unsigned_cast_to_fit`: to the width of what it meets |
/// | `if when(option)`, `if when(!option)`, `if when(lanes > 1)`, `if when(kinds[each] == 1)` | a comparison of parameters, which the elaborator decides: what it leaves out is not in the hardware. The compiler refuses a signal |
/// | `table = Table { index, write: ready };` | an assignment of each named input of a sub-block, or field of a word. What is not named is not assigned |
/// | `join(stream, queue.stream)` | `connect::join`: two bundles connected whole |
/// | `filters!();` | the statements of [`macro@piece`] `filters` |
///
/// The methods `any`, `all`, `xor`, `get_bit` and `replace_bit` of values, `width` and `len` of signals and `number` of
/// parameters are RustHDL's and this crate's own. `for each in 0..lanes.len()` is repeated hardware. Nothing else is a
/// kernel: a `..=`, a `let` or a call of another function does not compile.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, input: TokenStream) -> TokenStream {
    if attribute.is_empty() {
        expanded(input, kernel::expand)
    } else {
        let error = syn::Error::new(proc_macro2::Span::call_site(), "`kernel` takes no arguments");
        error.to_compile_error().into()
    }
}

/// Makes statements that the kernels of several blocks have in common a piece, which a [`macro@kernel`] names as `filters!();`.
///
/// ```text
/// #[piece]
/// pub(crate) fn filters() {
///     join(filter, run_filter.pins);
///     filtered = !run_filter.passes;
/// }
/// ```
///
/// It takes no arguments: the names in it are those of the block that the kernel is of. A piece may name pieces.
#[proc_macro_attribute]
pub fn piece(_: TokenStream, input: TokenStream) -> TokenStream {
    expanded(input, kernel::piece::define)
}

/// What a piece becomes in a kernel that names it: its statements in a block, and the kernel.
#[doc(hidden)]
#[proc_macro]
pub fn with_piece(input: TokenStream) -> TokenStream {
    expanded(input, kernel::piece::WithPiece::expand)
}

fn expanded<D: Parse>(
    input: TokenStream,
    expand: impl FnOnce(D) -> Result<proc_macro2::TokenStream>,
) -> TokenStream {
    syn::parse(input).and_then(expand).unwrap_or_else(|error| error.to_compile_error()).into()
}
