//! `--sink atb` with `--control`: the registers of the ATB bridge.

use crate::common::{Folder, without_columns};

/// Options and sections make the same unit, in which a register says the source of the bus, and no pin.
#[test]
fn registers_say_the_source_of_a_trace_bus() {
    let folder = Folder::new();
    folder.succeed("generate etrace-base --set name=unit --sink atb --control apb -o options");
    folder.write(
        "unit.toml",
        "preset = \"etrace-base\"\nname = \"unit\"\n[sink]\nport = \"atb\"\n[control]\nbus = \"apb\"\n",
    );
    folder.succeed("generate unit.toml -o sections");
    for name in ["unit.toml", "unit_atb_control.v", "unit.dtsi", "driver/tracewright.c"] {
        let [one, other] =
            ["options", "sections"].map(|from| folder.text(&format!("{from}/unit/{name}")));
        assert_eq!(one, other, "{name}");
    }
    let text = |name: &str| folder.text(&format!("options/unit/{name}"));
    let ports = text("unit_atb_control.v");
    let ports =
        ports.split("module unit_atb_control (").nth(1).and_then(|rest| rest.split(");").next());
    let ports = ports.expect("the top");
    let ports = without_columns(ports);
    assert!(ports.contains("output wire [6:0] atid") && !ports.contains("trace_id"), "{ports}");
    assert!(text("unit-registers.md").contains("| 14:8 | `trAtbBridgeID` | read, write | 0x0 |"));
    assert!(text("driver/tracewright.h").contains("tracewright_set_trace_id"));
    assert!(text("driver/openocd.tcl").contains("proc tracewright_trace_id {id}"));
    assert!(text("unit.dtsi").contains("remote-endpoint = <&unit_bridge>"));
    // Without registers the number is a pin.
    folder.succeed("generate etrace-base --sink atb -o pins");
    let verilog = without_columns(&folder.text("pins/etrace-base/etrace_base_atb.v"));
    assert!(verilog.contains("input wire [6:0] trace_id"));
}
