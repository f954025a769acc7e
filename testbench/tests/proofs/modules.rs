//! What a harness needs to know of generated modules: their names, and the widths of their signals.

/// Generated Verilog.
pub struct Modules<'a> {
    text: &'a str,
}

/// One of its modules.
pub struct Module<'a> {
    /// Its name.
    pub name: &'a str,
    text: &'a str,
}

impl<'a> Modules<'a> {
    /// The modules of this text, whose top module is `dut`.
    pub fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The first module whose name begins so, after the top module's; nothing is the top module.
    pub fn find(&self, beginning: &str) -> Module<'a> {
        let wanted = match beginning {
            "" => "module dut (".into(),
            _ => format!("module dut_{beginning}"),
        };
        let begin = self.text.find(&wanted).unwrap_or_else(|| panic!("there is no `{wanted}`"));
        let text = &self.text[begin..];
        let text = &text[..text.find("\nendmodule").expect("the module ends")];
        let name = text.split([' ', '(']).nth(1).expect("a name");
        Module { name, text }
    }
}

impl Module<'_> {
    /// The names and widths of ports, registers and wires.
    pub fn widths(&self) -> impl Iterator<Item = (&str, usize)> {
        self.text.lines().filter_map(|line| {
            let declared = declared(line)?;
            Some((declared.name, declared.width))
        })
    }

    /// The signal as Yosys names it after flattening, the words of a memory from the last to the first; none if the
    /// module does not have it.
    pub fn view(&self, instance: &str, signal: &str) -> Option<String> {
        let declared =
            self.text.lines().filter_map(declared).find(|declared| declared.name == signal)?;
        let cell = |number| format!("\\{instance}.{signal}[{number}]");
        Some(match declared.last_word {
            None => format!("\\{instance}.{signal}"),
            Some(last) => (0..=last).rev().map(cell).collect::<Vec<_>>().join(","),
        })
    }
}

struct Declared<'a> {
    name: &'a str,
    width: usize,
    /// The number of the last word of a memory.
    last_word: Option<usize>,
}

/// The signal that a line declares.
fn declared(line: &str) -> Option<Declared<'_>> {
    let line = line.split("//").next()?.trim_end_matches([' ', ',', ';']);
    let mut words = line.split_whitespace();
    if !["input", "output", "reg", "wire"].contains(&words.next()?) {
        return None;
    }
    let (mut name, mut width, mut last_word) = ("", 1, None);
    for word in words {
        if let Some(range) = word.strip_prefix('[') {
            let (high, low) = range.strip_suffix(']')?.split_once(':')?;
            match name {
                "" => width = high.parse::<usize>().ok()? + 1,
                _ => last_word = Some(low.parse().ok()?),
            }
        } else if !["reg", "wire"].contains(&word) {
            name = word;
        }
    }
    Some(Declared { name, width, last_word })
}
