//! The call tree: instructions by the stack of their callers.

use std::collections::BTreeMap;
use std::io::{self, Write};

use inferno::flamegraph::{self, Options, TextTruncateDirection};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::{Entry, Observer};
use crate::names::{FunctionIndex, Names};

/// The largest depth; deeper calls count for the one at this depth, because recursion can be as deep as its data.
const DEEPEST: usize = 200;

/// The most nodes; calls of further stacks count for their callers.
const MOST_NODES: usize = 1 << 21;

/// The most contexts with stacks of their own; further ones share that of the last.
pub(crate) const MOST_CONTEXTS: usize = 1 << 16;

/// Instructions by stack.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    children: FxHashMap<(u32, FunctionIndex), u32>,
    threads: Vec<Position>,
    /// The contexts, if each has a root of its own in place of the one of all threads.
    contexts: Vec<u64>,
}

/// Functions that call each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The context, if the trace has contexts.
    pub context: Option<u64>,
    /// The functions, from the outermost.
    pub path: Vec<FunctionIndex>,
    /// Instructions of the innermost function when it was called through exactly these.
    pub instructions: u64,
}

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    function: FunctionIndex,
    instructions: u64,
}

/// The parent of roots, or of those of the first context; that of the next context's roots is lower by one.
const ROOT: u32 = u32::MAX;

/// True if a node's parent is not a node.
fn is_root(parent: u32) -> bool {
    parent > ROOT - MOST_CONTEXTS as u32
}

#[derive(Clone, Debug, Default)]
struct Position {
    /// The nodes from the root to the current function.
    path: Vec<u32>,
    /// Open calls without a node of their own.
    beyond: u64,
}

impl Observer for Tree {
    fn enter(&mut self, _: &Names, entry: Entry) {
        let Entry { thread, function, .. } = entry;
        if thread >= self.threads.len() {
            self.threads.resize(thread + 1, Position::default());
        }
        let position = &self.threads[thread];
        let root = if self.contexts.is_empty() { ROOT } else { ROOT - thread as u32 };
        let parent = position.path.last().copied().unwrap_or(root);
        let is_inside = position.beyond == 0 && position.path.len() < DEEPEST;
        let child = if is_inside { self.child(parent, function) } else { None };
        match child {
            Some(node) => self.threads[thread].path.push(node),
            None => self.threads[thread].beyond += 1,
        }
    }

    fn leave(&mut self, thread: usize, _: u64) {
        let Some(position) = self.threads.get_mut(thread) else { return };
        match position.beyond.checked_sub(1) {
            Some(less) => position.beyond = less,
            None => _ = position.path.pop(),
        }
    }

    #[inline]
    fn run(&mut self, thread: usize, instructions: u64, inlined: &[FunctionIndex]) {
        let position = self.threads.get(thread);
        let Some(mut node) = position.and_then(|position| position.path.last().copied()) else {
            return;
        };
        for function in inlined {
            node = self.child(node, *function).unwrap_or(node);
        }
        self.nodes[node as usize].instructions += instructions;
    }
}

impl Tree {
    /// Begins the stacks of another context; the first one must come before all calls.
    pub(crate) fn add_context(&mut self, context: u64) {
        self.contexts.push(context);
    }

    /// The node of a function that `parent` calls; `None` if there is no room for another.
    fn child(&mut self, parent: u32, function: FunctionIndex) -> Option<u32> {
        if let Some(known) = self.children.get(&(parent, function)) {
            return Some(*known);
        }
        if self.nodes.len() >= MOST_NODES && !is_root(parent) {
            return None;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parent, function, instructions: 0 });
        self.children.insert((parent, function), node);
        Some(node)
    }

    /// Instructions of every function with those that it called, a function that calls itself counted once.
    pub fn inclusive(&self) -> FxHashMap<FunctionIndex, u64> {
        // Children come after their parents.
        let mut sums: Vec<u64> = self.nodes.iter().map(|node| node.instructions).collect();
        for (place, node) in self.nodes.iter().enumerate().rev() {
            if !is_root(node.parent) {
                sums[node.parent as usize] += sums[place];
            }
        }
        let mut inclusive: FxHashMap<FunctionIndex, u64> = FxHashMap::default();
        let mut above = FxHashSet::default();
        for (node, sum) in self.nodes.iter().zip(sums) {
            above.clear();
            let mut at = node.parent;
            while !is_root(at) {
                let parent = &self.nodes[at as usize];
                above.insert(parent.function);
                at = parent.parent;
            }
            if !above.contains(&node.function) {
                *inclusive.entry(node.function).or_default() += sum;
            }
        }
        inclusive
    }

    /// Every stack of functions from the outermost, with the context that it is of and the instructions of the innermost
    /// function.
    pub fn paths(&self) -> impl Iterator<Item = Stack> {
        self.nodes.iter().filter(|node| node.instructions > 0).map(|node| {
            let mut path = vec![node.function];
            let mut at = node.parent;
            while !is_root(at) {
                let parent = &self.nodes[at as usize];
                path.push(parent.function);
                at = parent.parent;
            }
            path.reverse();
            let context = self.contexts.get((ROOT - at) as usize).copied();
            Stack { context, path, instructions: node.instructions }
        })
    }

    /// The folded stacks, one per line: functions from the outermost, and the instructions of the innermost.
    pub fn folded(&self, names: &Names) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for Stack { context, path, instructions } in self.paths() {
            let mut line = String::new();
            if let Some(context) = context {
                line += &format!("context {context:#x}");
            }
            for function in &path {
                if !line.is_empty() {
                    line.push(';');
                }
                // A semicolon separates functions.
                line.push_str(&names.get(*function).name.replace(';', ":"));
            }
            line.push_str(&format!(" {instructions}"));
            lines.push(line);
        }
        lines.sort_unstable();
        lines
    }

    /// The folded stacks of this and of an earlier execution, with the instructions of the earlier one first.
    pub fn folded_twice(&self, names: &Names, earlier: (&Tree, &Names)) -> Vec<String> {
        let mut both: BTreeMap<String, [u64; 2]> = BTreeMap::new();
        for (run, stacks) in [earlier.0.folded(earlier.1), self.folded(names)].iter().enumerate() {
            for (stack, count) in stacks.iter().filter_map(|line| line.rsplit_once(' ')) {
                both.entry(stack.to_owned()).or_default()[run] += count.parse().unwrap_or(0);
            }
        }
        both.iter().map(|(stack, [first, second])| format!("{stack} {first} {second}")).collect()
    }
}

/// Draws folded stacks as a flame graph; the width of a function is the number of its instructions and of those it called.
/// Stacks with two counts are as wide as the second one, red where it is larger than the first, and blue where it is
/// smaller.
///
/// # Errors
/// When the file cannot be written.
pub fn draw(lines: &[String], title: &str, mut into: impl Write) -> io::Result<()> {
    let mut options = Options::default();
    options.title = title.into();
    options.count_name = "instructions".into();
    options.deterministic = true;
    options.hash = true;
    options.text_truncate_direction = TextTruncateDirection::Right;
    let none = ["(nothing) 1"];
    let lines: Vec<&str> =
        if lines.is_empty() { none.to_vec() } else { lines.iter().map(String::as_str).collect() };
    let mut graph = Vec::new();
    flamegraph::from_lines(&mut options, lines, &mut graph)?;
    // Only a script in the file would write into the lowest row, and a picture in a page runs none.
    let graph = String::from_utf8_lossy(&graph);
    match graph.split_once("<title>all (") {
        Some((before, after)) => {
            let after = after.replacen("></text>", ">all</text>", 1);
            write!(into, "{before}<title>all ({after}")
        }
        None => into.write_all(graph.as_bytes()),
    }
}
