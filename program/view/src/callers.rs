//! Who calls a function: how often, and from where.

use std::cmp::Reverse;
use std::sync::Arc;

use serde::Serialize;
use tracewright_image::Image;

use crate::call_graph::Edge;
use crate::calls::Way;
use crate::lines::Lines;
use crate::mangling::without_parameters;
use crate::views::Seen;

/// A place from which a function is entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Caller {
    /// The function that is entered.
    pub function: String,
    /// The function that enters it; `None` where a thread, or what is known of it, begins.
    pub caller: Option<String>,
    /// The address of the call.
    pub address: Option<u64>,
    /// File and line of the call.
    pub line: Option<String>,
    /// How it is entered: `call`, `jump`, `exception` or `beginning`.
    pub way: &'static str,
    /// How often.
    pub count: u64,
    /// Instructions from there on until it was left, with those of the functions that it called; 0 where it was open
    /// already.
    pub instructions: u64,
    /// The number of the program.
    #[serde(skip)]
    pub program: usize,
}

/// True for the name of a function, also without its parameters.
fn is_named(function: &str, name: &str) -> bool {
    function == name || without_parameters(function) == name
}

/// The places from which functions of a name are entered, the most frequent first; `None` if no such function was
/// entered, or the call graph is not known.
pub fn callers<L, T>(seen: &Seen<L, T>, images: &[Arc<Image>], name: &str) -> Option<Vec<Caller>> {
    let graph = seen.graph.as_ref()?;
    let mut lines: Vec<Lines> = images.iter().map(|image| Lines::of_image(image)).collect();
    let edges = graph.edges().iter();
    let edges = edges.filter(|edge| is_named(&seen.names.get(edge.callee).name, name));
    let mut callers: Vec<Caller> = edges
        .map(|Edge { caller, callee, way, count, instructions }| {
            let callee = seen.names.get(*callee);
            let (address, way) = match *way {
                Way::Call(at) => (Some(at), "call"),
                Way::Jump(at) => (Some(at), "jump"),
                Way::Exception(at) => (Some(at), "exception"),
                Way::Beginning => (None, "beginning"),
            };
            let program = caller.map_or(callee.program, |caller| seen.names.get(caller).program);
            let address =
                address.map(|address| images[program].instruction_set().byte_address(address));
            let line = address.and_then(|address| lines[program].at(address));
            Caller {
                function: callee.name.clone(),
                caller: caller.map(|caller| seen.names.get(caller).name.clone()),
                address,
                line: line.map(|line| format!("{}:{}", line.file, line.line)),
                way,
                count: *count,
                instructions: *instructions,
                program,
            }
        })
        .collect();
    callers.sort_by_key(|caller| (Reverse(caller.count), caller.address));
    (!callers.is_empty()).then_some(callers)
}
