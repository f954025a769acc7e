//! Every IP-XACT component is valid by the schema of IEEE 1685-2014 and has the module's ports.

use std::process::Command;

use crate::common::{Folder, is_long, run};
use tracewright_sim::preset;

#[test]
fn components_are_valid_by_the_schema() {
    let presets = preset::all().step_by(if is_long() { 1 } else { 4 });
    let folders: Vec<Folder> = presets.map(|preset| Folder::of_preset(preset.name)).collect();
    let files = folders.iter().map(|folder| folder.path(&format!("{}.xml", folder.design.name)));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/validate_ip_xact.py");
    let done = run(Command::new("python3").arg(script).args(files));
    assert!(done.success, "{}", done.output);
    assert_eq!(done.output.trim(), format!("{} valid", folders.len()));
}

#[test]
fn a_component_has_every_port_and_file() {
    let folder = Folder::of_preset("mctraptor-small-n2");
    let generated = tracewright_hdl::generate(&folder.design).expect("a good design");
    let component = folder.text("mctraptor-small-n2.xml");
    // The component is the AXI4-Stream wrapper, which has a bus instead of the trace port.
    let replaced = ["clock", "reset", "trace_data", "trace_valid", "trace_ready"];
    let kept = generated.ports.iter().map(|port| &*port.name);
    let kept = kept.filter(|name| !replaced.contains(name));
    let bus = ["m_axis_tdata", "m_axis_tvalid", "m_axis_tlast", "m_axis_tready"];
    let expected: Vec<&str> = ["aclk", "aresetn"].into_iter().chain(kept).chain(bus).collect();
    let ports: Vec<&str> = component
        .split("<ipxact:port>\n        <ipxact:name>")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap_or_default())
        .collect();
    assert_eq!(ports, expected);
    for file in ["mctraptor_small_n2.v", "mctraptor_small_n2_axis.v"] {
        assert!(component.contains(&format!("<ipxact:name>{file}</ipxact:name>")), "{file}");
    }
    assert!(component.contains("<ipxact:moduleName>mctraptor_small_n2_axis</ipxact:moduleName>"));
    // A bus has whole bytes.
    let data =
        component.split("<ipxact:name>m_axis_tdata</ipxact:name>\n        <ipxact:wire>").nth(1);
    let left = data.and_then(|data| data.split("<ipxact:left>").nth(1)?.split('<').next());
    let left: u32 = left.and_then(|left| left.parse().ok()).expect("a vector");
    assert_eq!((left + 1) % 8, 0);
    for logical in ["ACLK", "ARESETn", "TDATA", "TVALID", "TLAST", "TREADY"] {
        assert!(component.contains(&format!("<ipxact:name>{logical}</ipxact:name>")), "{logical}");
    }
}
