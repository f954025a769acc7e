//! Faults that a proof is tried on: a piece of Verilog, and what stands in its place.

use tracewright_hdl::Generated;

/// One fault: in the first file of a module, the first `from` becomes `to`.
#[derive(Clone, Copy)]
pub struct Fault {
    /// What is wrong with it.
    pub what: &'static str,
    /// The file's name after the top module's, from its beginning.
    pub module: &'static str,
    /// Text of the right hardware.
    pub from: &'static str,
    /// Text of the wrong one.
    pub to: &'static str,
}

/// A fault, in one line.
pub const fn fault(
    what: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Fault {
    Fault { what, module, from, to }
}

/// The Verilog with the fault; none if the text that it changes is not there.
pub fn break_it(generated: &Generated, fault: &Fault) -> Option<Generated> {
    let mut broken = generated.clone();
    let name = |file: &str| {
        file.strip_prefix(&generated.top).is_some_and(|rest| rest.starts_with(fault.module))
    };
    let mut files = broken.files.iter_mut();
    let (_, text) = files.find(|(file, text)| name(file) && text.contains(fault.from))?;
    *text = text.replacen(fault.from, fault.to, 1);
    Some(broken)
}
