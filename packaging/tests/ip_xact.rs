//! Every IP-XACT component is valid by the schema of IEEE 1685-2014 and has the module's ports.

use std::process::Command;

use crate::common::{Folder, run};
use tracewright_sim::preset;

#[test]
fn components_are_valid_by_the_schema() {
    let folders: Vec<Folder> = preset::all().map(|preset| Folder::of_preset(preset.name)).collect();
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
    for port in &generated.ports {
        let named = format!("<ipxact:port>\n        <ipxact:name>{}</ipxact:name>", port.name);
        assert!(component.contains(&named), "{}", port.name);
    }
    assert!(component.contains("<ipxact:name>mctraptor_small_n2.v</ipxact:name>"));
    let ports = component.matches("<ipxact:port>").count();
    assert_eq!(ports, generated.ports.len());
    assert!(component.contains("<ipxact:moduleName>mctraptor_small_n2</ipxact:moduleName>"));
}
