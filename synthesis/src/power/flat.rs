//! A netlist of modules in modules as cells and nets.

use std::collections::{BTreeMap, HashMap};

use super::cells::Cell;
use crate::netlist::{Bit, Module, Netlist};

/// The nets of constants.
pub(super) const CONSTANTS: [usize; 2] = [0, 1];

/// All cells of a netlist, and the nets between them.
#[derive(Debug, Default)]
pub(super) struct Flat {
    /// The instances with cells of their own, the top first.
    pub(super) blocks: Vec<String>,
    pub(super) cells: Vec<Placed>,
    /// Memory words, each with its place: an instance, the memory's name, the number of the word.
    pub(super) words: Vec<(usize, String, usize)>,
    pub(super) nets: usize,
    /// The nets of instances: by path, then by number in the module, or port and bit.
    pub(super) local: HashMap<String, HashMap<Local, usize>>,
}

/// A net in a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Local {
    Net(u64),
    Port(String, usize),
}

/// A cell in its place.
#[derive(Debug)]
pub(super) struct Placed {
    /// Which cell of the library.
    pub(super) kind: usize,
    pub(super) block: usize,
    /// The net of each pin; none where it is not connected.
    pub(super) nets: Vec<Option<usize>>,
    /// The memory word that it keeps a bit of.
    pub(super) word: Option<usize>,
}

/// Nets that are one: each has another one of them, or itself.
#[derive(Default)]
struct Joined(Vec<usize>);

impl Joined {
    fn new_net(&mut self) -> usize {
        self.0.push(self.0.len());
        self.0.len() - 1
    }

    fn root(&mut self, mut net: usize) -> usize {
        while self.0[net] != net {
            self.0[net] = self.0[self.0[net]];
            net = self.0[net];
        }
        net
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        // The nets of constants stay what they are.
        self.0[one.max(other)] = one.min(other);
    }
}

struct Walk<'a> {
    netlist: &'a Netlist,
    kinds: &'a [Cell],
    flat: Flat,
    joined: Joined,
}

impl Flat {
    /// The cells below a module, which are all among `kinds`.
    pub(super) fn of(netlist: &Netlist, top: &str, kinds: &[Cell]) -> Flat {
        let mut walk =
            Walk { netlist, kinds, flat: Flat::default(), joined: Joined(CONSTANTS.into()) };
        if let Some(module) = netlist.modules.get(top) {
            walk.enter(module, String::new());
        }
        let Walk { mut flat, mut joined, .. } = walk;
        flat.nets = joined.0.len();
        let nets = flat.cells.iter_mut().flat_map(|cell| cell.nets.iter_mut().flatten());
        let local = flat.local.values_mut().flat_map(HashMap::values_mut);
        nets.chain(local).for_each(|net| *net = joined.root(*net));
        flat
    }
}

impl Walk<'_> {
    /// Takes the cells of an instance at this path; gives its nets.
    fn enter(&mut self, module: &Module, path: String) -> HashMap<u64, usize> {
        let mut nets: HashMap<u64, usize> = HashMap::new();
        let words = words(module);
        let mut numbers: HashMap<(&str, usize), usize> = HashMap::new();
        let mut block = None;
        for (name, cell) in &module.cells {
            if let Some(inner) = self
                .netlist
                .modules
                .get(&cell.kind)
                .filter(|_| self.netlist.is_design_module(&cell.kind))
            {
                let inside = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let inner_nets = self.enter(inner, inside);
                for (port, declared) in &inner.ports {
                    let outside = cell.bits(port);
                    for (inside, outside) in declared.bits.iter().zip(outside) {
                        let inside = match inside {
                            Bit::Net(number) => inner_nets[number],
                            Bit::Constant(text) => constant(text),
                        };
                        let outside = self.net(&mut nets, outside);
                        self.joined.join(inside, outside);
                    }
                }
                continue;
            }
            let Some(kind) = self.kinds.iter().position(|kind| kind.name == cell.kind) else {
                continue;
            };
            let block = *block.get_or_insert_with(|| {
                self.flat.blocks.push(path.clone());
                self.flat.blocks.len() - 1
            });
            let pins = &self.kinds[kind].pins;
            let of_pins = pins.iter().map(|pin| cell.bits(&pin.name).first());
            let of_pins: Vec<Option<&Bit>> = of_pins.collect();
            let kept = self.kinds[kind].kept.is_some();
            let outputs = of_pins.iter().zip(pins).filter(|(_, pin)| kept && pin.is_output);
            let word = outputs.filter_map(|(bit, _)| words.get(bit.as_ref()?)).next();
            let word = word.map(|(memory, word)| {
                *numbers.entry((memory, *word)).or_insert_with(|| {
                    self.flat.words.push((block, (*memory).to_owned(), *word));
                    self.flat.words.len() - 1
                })
            });
            let of_pins = of_pins.into_iter().map(|bit| Some(self.net(&mut nets, bit?))).collect();
            self.flat.cells.push(Placed { kind, block, nets: of_pins, word });
        }
        let mut local = HashMap::new();
        for (port, declared) in &module.ports {
            for (place, bit) in declared.bits.iter().enumerate() {
                local.insert(Local::Port(port.clone(), place), self.net(&mut nets, bit));
            }
        }
        local.extend(nets.iter().map(|(number, net)| (Local::Net(*number), *net)));
        self.flat.local.insert(path, local);
        nets
    }

    /// The net of a bit of an instance.
    fn net(&mut self, nets: &mut HashMap<u64, usize>, bit: &Bit) -> usize {
        match bit {
            Bit::Net(number) => *nets.entry(*number).or_insert_with(|| self.joined.new_net()),
            Bit::Constant(text) => constant(text),
        }
    }
}

fn constant(text: &str) -> usize {
    CONSTANTS[usize::from(text == "1")]
}

/// The bits of words of memories that became flip-flops: Yosys names them `MEMORY[WORD]`.
fn words(module: &Module) -> BTreeMap<&Bit, (&str, usize)> {
    let named = module.netnames.iter().filter(|(_, named)| named.hide_name == 0);
    let words = named.filter_map(|(name, named)| {
        let (memory, word) = name.strip_suffix(']')?.rsplit_once('[')?;
        Some((memory, word.parse::<usize>().ok()?, named))
    });
    words
        .flat_map(|(memory, word, named)| named.bits.iter().map(move |bit| (bit, (memory, word))))
        .collect()
}
