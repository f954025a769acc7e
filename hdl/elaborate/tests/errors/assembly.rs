//! Two modules put together, and what does not fit.

use tracewright_elaborate::{
    Assembly, Connection, Direction, Instantiated, Net, Options, Port, Value,
};

fn ports(list: &[(&str, Direction, usize)]) -> Vec<Port> {
    let port = |(name, direction, width): &(&str, Direction, usize)| Port {
        name: (*name).to_owned(),
        direction: *direction,
        width: *width,
    };
    list.iter().map(port).collect()
}

fn part(ports: &[Port]) -> Instantiated<'_> {
    Instantiated { module: "part", ports, faults: &[] }
}

#[test]
fn an_assembly_is_written_as_any_module() {
    let ports = ports(&[
        ("clock", Direction::Input, 1),
        ("a", Direction::Input, 2),
        ("period", Direction::Input, 3),
        ("b", Direction::Output, 2),
        ("idle", Direction::Output, 1),
    ]);
    let mut assembly = Assembly::new(&Options::new("whole"));
    let clock = assembly.clock("clock", "");
    let a = assembly.input("a", 2, "what comes in");
    let runs = assembly.input("runs", 1, "");
    let b = assembly.output("b", 2, "");
    let period = assembly.parameter("PERIOD", 8, 1, "1 to 8 cycles");
    assembly.instance("one", part(&ports), &[period], |_, port| match port.name.as_str() {
        "clock" => clock.into(),
        "a" => (a.value() & Value::beside([runs.value(), !runs.value()])).into(),
        "period" => period.value().less_one().bits(0, 3).into(),
        "b" => b.into(),
        _ => Connection::Open,
    });
    let made = assembly.finish("// header\n", "// A whole").unwrap();
    assert_eq!(
        made.text,
        "\
// header
// A whole
module whole #(
    parameter [7:0] PERIOD = 8'd1 // 1 to 8 cycles
) (
    input  wire       clock,
    input  wire [1:0] a, // what comes in
    input  wire       runs,
    output wire [1:0] b
);

    wire one_idle;

    part #(.PERIOD (PERIOD)) one (
        .clock  (clock),
        .a      (a & {!runs, runs}),
        .period (PERIOD[2:0] - 3'd1),
        .b      (b),
        .idle   (one_idle)
    );

    wire _unused_ok = &{1'b0, one_idle};

endmodule
"
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let ports = ports(&[("a", Direction::Input, 2), ("b", Direction::Output, 2)]);
    let refused = |joins: fn(Net, Net) -> [Connection; 2], width: usize| {
        let mut assembly = Assembly::new(&Options::new("whole"));
        let input = assembly.input("in", width, "");
        let output = assembly.output("out", 2, "");
        let mut joins = joins(input, output).into_iter();
        assembly.instance("one", part(&ports), &[], |_, _| joins.next().unwrap());
        assembly.finish("", "").map(|_| ()).map_err(|error| (error.at, error.reason))
    };
    let at = |at: &str, reason| Err((at.to_owned(), reason));
    assert_eq!(refused(|input, output| [input.into(), output.into()], 2), Ok(()));
    let low = |input: Net, output: Net| [input.value().bits(0, 2).into(), output.into()];
    assert_eq!(refused(low, 3), Ok(()));
    let parts = "the value has another width, or parts that do not fit";
    assert_eq!(refused(low, 1), at("one.a", parts));
    let wide = refused(|input, output| [input.into(), output.into()], 3);
    assert_eq!(wide, at("one.a", "the net has another width"));
    let odd = |input: Net, output: Net| [(input.value() & output.value()).into(), output.into()];
    assert_eq!(refused(odd, 3), at("one.a", parts));
    let open = refused(|_, output| [Connection::Open, output.into()], 2);
    assert_eq!(open, at("one.a", "an input is open"));
    let value = refused(|input, output| [input.into(), output.value().into()], 2);
    assert_eq!(value, at("one.b", "an output drives one net"));
    let free = refused(|input, _| [input.into(), Connection::Open], 2);
    assert_eq!(free, at("out", "nothing drives the net"));
    let twice = refused(|input, _| [input.into(), input.into()], 2);
    assert_eq!(twice, at("one.b", "the net has another driver"));
}

#[test]
fn a_module_with_the_name_of_a_net_is_refused() {
    let named = |top: &str| {
        let mut assembly = Assembly::new(&Options::new(top));
        assembly.clock("clock", "");
        assembly.finish("", "").map(|_| ()).map_err(|error| error.at)
    };
    assert_eq!(named("whole"), Ok(()));
    assert_eq!(named("clock"), Err("clock".to_owned()));
}

#[test]
fn a_fault_is_in_every_joint_and_numbered_after_those_of_the_instances() {
    let mut inner = Vec::new();
    let mut text = String::new();
    for top in ["inner", "outer"] {
        let of_part = ports(&[("a", Direction::Input, 2), ("b", Direction::Output, 2)]);
        let mut assembly = Assembly::new(&Options { faults: true, ..Options::new(top) });
        let a = assembly.input("a", 2, "");
        let b = assembly.output("b", 2, "");
        let (made, faults): (Vec<Port>, Vec<_>) = match inner.pop() {
            Some((ports, faults)) => (ports, faults),
            None => (of_part, Vec::new()),
        };
        let of = Instantiated { module: "part", ports: &made, faults: &faults };
        assembly.instance(
            "one",
            of,
            &[],
            |_, port| if port.name == "a" { a.into() } else { b.into() },
        );
        let made = assembly.finish("", "// it").unwrap();
        text.clone_from(&made.text);
        inner.push((made.ports, made.faults));
    }
    let (ports, faults) = inner.pop().unwrap();
    assert_eq!(ports[0].name, "fault_select");
    let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "inner one_a bit-inverted 1",
            "inner b bit-inverted 1",
            "outer one_a bit-inverted 1",
            "outer b bit-inverted 1"
        ]
    );
    assert!(text.contains("wire [19:0] fault = fault_select - 20'd2;"), "{text}");
}
