//! Waves of a simulated netlist, as changes of its nets.

use std::collections::HashMap;
use std::io::{self, BufRead};

use super::flat::{Flat, Local};
use super::verilog;

/// What takes the changes of nets, in the order of time.
pub(super) trait Changes {
    /// A net has this value from now on.
    fn change(&mut self, net: usize, value: bool);

    /// All changes of a time are told. Those of the first time are no changes, but what all nets are.
    fn end_of_time(&mut self);
}

/// Reads a file of waves; the netlist's outermost module is in these scopes.
///
/// # Errors
/// When it cannot be read, or has no waves of the netlist.
pub(super) fn read(
    mut waves: impl BufRead,
    scopes: &[&str],
    flat: &Flat,
    changes: &mut impl Changes,
) -> io::Result<()> {
    let codes = header(&mut waves, scopes, flat)?;
    if codes.is_empty() {
        let module = scopes.join(".");
        return Err(io::Error::other(format!("expected waves of nets in {module}, found none")));
    }
    let mut line = Vec::new();
    let mut is_begun = false;
    loop {
        line.clear();
        if waves.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = line.trim_ascii();
        match text.first() {
            Some(b'#') if is_begun => changes.end_of_time(),
            Some(b'#') => is_begun = true,
            Some(value @ (b'0' | b'1')) => {
                for nets in codes.get(&code(&text[1..])).into_iter().flatten() {
                    changes.change(nets[0], *value == b'1');
                }
            }
            Some(b'b') => {
                let mut words = text[1..].split(|byte| *byte == b' ');
                let (Some(bits), Some(of)) = (words.next(), words.next()) else { continue };
                for nets in codes.get(&code(of)).into_iter().flatten() {
                    // Zeros in front may be left out.
                    let bits = bits.iter().rev().chain(std::iter::repeat(&b'0'));
                    nets.iter().zip(bits).for_each(|(net, bit)| changes.change(*net, *bit == b'1'));
                }
            }
            _ => {}
        }
    }
    changes.end_of_time();
    Ok(())
}

/// The nets of every variable, by its code, the lowest bit first.
fn header(
    waves: &mut impl BufRead,
    scopes: &[&str],
    flat: &Flat,
) -> io::Result<HashMap<u64, Vec<Vec<usize>>>> {
    let mut codes: HashMap<u64, Vec<Vec<usize>>> = HashMap::new();
    let mut path: Vec<String> = Vec::new();
    let mut line = String::new();
    while waves.read_line(&mut line)? > 0 {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => path.push(name.to_owned()),
            ["$upscope", ..] => drop(path.pop()),
            ["$enddefinitions", ..] => break,
            ["$var", _, width, of, name, ..]
                if path
                    .iter()
                    .map(String::as_str)
                    .take(scopes.len())
                    .eq(scopes.iter().copied()) =>
            {
                let (instance, width) =
                    (path[scopes.len()..].join("."), width.parse().unwrap_or(0));
                let local = flat.local.get(&instance);
                let net = |place: usize| {
                    let net = verilog::net_number(name).map(Local::Net);
                    local?.get(&net.unwrap_or_else(|| Local::Port(name.to_owned(), place))).copied()
                };
                let nets: Option<Vec<usize>> = (0..width).map(net).collect();
                if let Some(nets) = nets.filter(|nets| !nets.is_empty()) {
                    codes.entry(code(of.as_bytes())).or_default().push(nets);
                }
            }
            _ => {}
        }
        line.clear();
    }
    Ok(codes)
}

/// A code as a number.
fn code(text: &[u8]) -> u64 {
    text.iter().fold(0, |code, byte| code.wrapping_mul(95) + u64::from(byte.wrapping_sub(32)))
}
