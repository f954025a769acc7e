//! Names of designs become names of modules.

use tracewright_sim::scheme::Design;

/// A tool would warn of a signal that hides the module of the same name.
#[test]
fn a_design_cannot_have_the_name_of_a_pin() {
    let mut refused = 0;
    for preset in ["traptor-m4", "mctraptor-small-n2", "stride-64"] {
        let design = Design::preset(preset).expect("a preset");
        for port in tracewright_hdl::generate(&design).expect("a good design").ports {
            let named = Design::new(&port.name, design.scheme.clone()).expect("letters");
            let error = tracewright_hdl::generate(&named).err();
            let said = error.map(|error| error.to_string()).unwrap_or_default();
            assert!(said.ends_with("it is the name of a pin"), "{}: {said}", port.name);
            refused += 1;
        }
    }
    assert!(refused > 40);
}
