//! Pins that are wider than a model can have, one for each lane.

use tracewright_hdl::{Direction, Generated, Port};

/// A module around `whole` whose inputs of these names are divided into those of its lanes, the first one lowest.
pub fn by_lane(mut whole: Generated, lanes: usize, names: &[&str]) -> Generated {
    if lanes == 1 {
        return whole;
    }
    let top = format!("{}_by_lane", whole.top);
    let (mut ports, mut connections) = (Vec::new(), Vec::new());
    for port in &whole.ports {
        if !names.contains(&port.name.as_str()) {
            connections.push(format!(".{0} ({0})", port.name));
            ports.push(port.clone());
            continue;
        }
        let lane = |lane| format!("{}_lane{lane}", port.name);
        let all: Vec<String> = (0..lanes).rev().map(lane).collect();
        connections.push(format!(".{} ({{{}}})", port.name, all.join(", ")));
        let width = port.width / lanes;
        ports.extend((0..lanes).map(|at| Port { name: lane(at), width, ..port.clone() }));
    }
    let declared = ports.iter().map(|Port { name, direction, width }| {
        let direction = if *direction == Direction::Input { "input" } else { "output" };
        format!("    {direction} wire [{}:0] {name}", width - 1)
    });
    let declared: Vec<String> = declared.collect();
    let text = format!(
        "module {top} (\n{}\n);\n    {} whole ({});\nendmodule\n",
        declared.join(",\n"),
        whole.top,
        connections.join(", ")
    );
    whole.files.push((format!("{top}.v"), text));
    Generated { top, ports, ..whole }
}
