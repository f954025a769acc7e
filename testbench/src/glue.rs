//! The C++ between a Verilated class and `harness.cpp`, which has the C functions.

use std::fmt::Write as _;

use crate::port::{Direction, Port};

/// The class that Verilator writes.
pub(crate) const CLASS: &str = "Vmodel";

/// The part of the glue that is the same for every model, and is compiled once.
pub(crate) const HARNESS: &str = include_str!("harness.cpp");

/// The ports of a Verilated class, read from its header.
///
/// They are declared there as `VL_IN8(&clock,0,0);`, one per line, with the first and last bit.
pub(crate) fn ports_of_header(header: &str) -> Vec<Port> {
    header.lines().filter_map(|line| port_of_line(line.trim())).collect()
}

fn port_of_line(line: &str) -> Option<Port> {
    let (macro_name, rest) = line.split_once("(&")?;
    let direction = if macro_name.starts_with("VL_OUT") {
        Direction::Output
    } else if macro_name.starts_with("VL_IN") && !macro_name.starts_with("VL_INOUT") {
        Direction::Input
    } else {
        return None;
    };
    let mut arguments = rest.strip_suffix(");")?.split(',');
    let name = arguments.next()?.to_string();
    let most: u32 = arguments.next()?.parse().ok()?;
    let least: u32 = arguments.next()?.parse().ok()?;
    Some(Port { name, direction, width: most.checked_sub(least)? + 1 })
}

/// One sentence for each difference between the ports described and those of the Verilog.
pub(crate) fn port_differences(described: &[Port], actual: &[Port]) -> Vec<String> {
    let mut differences = Vec::new();
    for port in described {
        match actual.iter().find(|other| other.name == port.name) {
            None => differences.push(format!("the Verilog has no {port}")),
            Some(other) if other != port => {
                differences.push(format!("described is {port}, in the Verilog it is {other}"));
            }
            Some(_) => {}
        }
    }
    for other in actual {
        if !described.iter().any(|port| port.name == other.name) {
            differences.push(format!("the Verilog has another {other}"));
        }
    }
    differences
}

/// The header that models and the harness include first.
pub(crate) const PRELUDE_FILE: &str = "prelude.h";

/// What models and the harness include.
pub(crate) const PRELUDE: &str = include_str!("prelude.h");

/// What is the same in the generated part of every model. `trace` is called only in models that write waves.
const CALLS: &str = "\
Vmodel* construct(VerilatedContext* context) { return new Vmodel{context}; }
void destroy(Vmodel* model) { delete model; }
void eval(Vmodel& model) { model.eval(); }
void finish(Vmodel& model) { model.final(); }
#if VM_TRACE
void trace(Vmodel& model, VerilatedVcdC* waves) { model.trace(waves, 99); }
#endif
";

/// The one translation unit of a model: the prelude, the Verilated sources, and what the harness calls.
pub(crate) fn translation_unit(sources: &[String], ports: &[Port], clock: Option<&str>) -> String {
    let mut text = String::new();
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{arguments}");
    };
    line(format_args!("#include \"{PRELUDE_FILE}\""));
    let is_plain =
        |source: &&String| source.ends_with("__Slow.cpp") || source.contains("__Trace__");
    let (plain, often): (Vec<_>, Vec<_>) = sources.iter().partition(is_plain);
    for source in often {
        line(format_args!("#include \"{source}\""));
    }
    // What runs once a model is an eighth of the compiler's time if it is optimized, and what writes the waves of a netlist
    // nearly all of it.
    line(format_args!("#pragma GCC push_options\n#pragma GCC optimize(\"O0\")"));
    for source in plain {
        line(format_args!("#include \"{source}\""));
    }
    line(format_args!("#pragma GCC pop_options"));
    let inputs: Vec<&Port> = in_order(ports, Direction::Input, clock).collect();
    line(format_args!("const unsigned input_count = {};", inputs.len()));
    line(format_args!("void set_inputs({CLASS}& model, const uint64_t* inputs) {{"));
    for (index, port) in inputs.iter().enumerate() {
        line(format_args!("    model.{} = inputs[{index}] & {:#x}ULL;", port.name, port.mask()));
    }
    line(format_args!("}}"));
    line(format_args!("void get_outputs({CLASS}& model, uint64_t* outputs) {{"));
    for (index, port) in in_order(ports, Direction::Output, clock).enumerate() {
        line(format_args!("    outputs[{index}] = model.{};", port.name));
    }
    line(format_args!("}}"));
    line(format_args!("void set_clock({CLASS}& model, bool level) {{"));
    if let Some(clock) = clock {
        line(format_args!("    model.{clock} = level;"));
    }
    line(format_args!("}}"));
    text.push_str(CALLS);
    text
}

/// The ports of one direction in the order of the arrays that cross to C++; the clock is not in them.
pub(crate) fn in_order<'a>(
    ports: &'a [Port],
    direction: Direction,
    clock: Option<&'a str>,
) -> impl Iterator<Item = &'a Port> {
    ports.iter().filter(move |p| p.direction == direction && Some(p.name.as_str()) != clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "
class Vmodel VL_NOT_FINAL : public VerilatedModel {
    VL_IN8(&clock,0,0);
    VL_IN16(&address,9,0);
    VL_OUT(&q,31,0);
    VL_OUT64(&w,63,0);
    VL_INW(&wide,127,0,4);
    VL_INOUT8(&pad,0,0);
";

    #[test]
    fn a_header_is_read() {
        let expected = [
            Port::input("clock", 1),
            Port::input("address", 10),
            Port::output("q", 32),
            Port::output("w", 64),
            Port::input("wide", 128),
        ];
        assert_eq!(ports_of_header(HEADER), expected);
    }

    #[test]
    fn every_difference_is_told() {
        let actual = ports_of_header("VL_IN8(&a,0,0);\nVL_IN8(&b,3,0);\nVL_OUT8(&c,0,0);");
        let described = [Port::input("a", 1), Port::output("b", 4), Port::input("d", 2)];
        let expected = [
            "described is output `b` of 4 bits, in the Verilog it is input `b` of 4 bits",
            "the Verilog has no input `d` of 2 bits",
            "the Verilog has another output `c` of 1 bits",
        ];
        assert_eq!(port_differences(&described, &actual), expected);
        assert!(port_differences(&actual, &actual).is_empty());
    }

    #[test]
    fn the_clock_is_in_neither_array() {
        let ports = [Port::input("clock", 1), Port::input("a", 12), Port::output("q", 1)];
        let sources = ["Vmodel__Slow.cpp".into(), "Vmodel.cpp".into()];
        let text = translation_unit(&sources, &ports, Some("clock"));
        assert!(text.starts_with("#include \"prelude.h\"\n#include \"Vmodel.cpp\"\n"), "{text}");
        assert!(
            text.contains("(\"O0\")\n#include \"Vmodel__Slow.cpp\"\n#pragma GCC pop"),
            "{text}"
        );
        assert!(text.contains("model.a = inputs[0] & 0xfffULL;"));
        assert!(text.contains("outputs[0] = model.q;"));
        assert!(text.contains("model.clock = level;"));
    }
}
