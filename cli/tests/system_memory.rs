//! `--system-memory`, and `mode = "smem"` in a design file: the RAM sink that writes to the memory of the system.

use crate::common::{Folder, without_columns};

const PACKETS: &str = "traptor-s1 --set trace_port_width=8";

/// Options and sections make the same unit, whose files know where the ring is.
#[test]
fn options_and_sections_make_the_same_unit() {
    let folder = Folder::new();
    let wide = "--memory-address-bits 40 --memory-data-bits 64 --memory-burst-beats 8";
    folder.succeed(&format!(
        "generate {PACKETS} --set name=unit --control axi-lite --system-memory {wide} -o options"
    ));
    folder.write(
        "unit.toml",
        "preset = \"traptor-s1\"\nname = \"unit\"\ntrace_port_width = 8\n[control]\nbus = \"axi-lite\"\n[ram_sink]\n\
         mode = \"smem\"\naddress_bits = 40\ndata_bits = 64\nburst_beats = 8\n",
    );
    folder.succeed("generate unit.toml -o sections");
    for name in ["unit.toml", "unit.v", "unit_control.v", "driver/tracewright.h"] {
        let [one, other] =
            ["options", "sections"].map(|from| folder.text(&format!("{from}/unit/{name}")));
        assert_eq!(one, other, "{name}");
    }
    let text = |name: &str| folder.text(&format!("options/unit/{name}"));
    for line in ["sync_bytes = 4096", "mode = \"smem\"", "address_bits = 40", "burst_beats = 8"] {
        assert!(text("unit.toml").lines().any(|found| found == line), "{line}");
    }
    assert!(without_columns(&text("unit_control.v")).contains("output wire [39:0] m_axi_awaddr"));
    assert!(
        text("unit-registers.md").contains("| 31:3 | `trRamStartLow` | read, write | 0x1fffffff |")
    );
    assert!(text("driver/tracewright.h").contains("tracewright_set_ring"));
    // An option prevails over the file.
    folder.succeed("generate unit.toml --ram-sink 16384 -o own");
    let own = folder.text("own/unit/unit.toml");
    assert!(own.ends_with("[ram_sink]\nbytes = 16384\n"), "{own}");
    folder.succeed("generate unit.toml --system-memory --memory-burst-beats 32 -o longer");
    let longer = folder.text("longer/unit/unit.toml");
    assert!(longer.contains("data_bits = 64\nburst_beats = 32\n"), "{longer}");
}

#[test]
fn what_does_not_go_is_refused() {
    let folder = Folder::new();
    let file = |name: &str, section: &str| {
        let text =
            format!("preset = \"traptor-s1\"\n[control]\nbus = \"apb\"\n[ram_sink]\n{section}");
        folder.write(name, text);
    };
    file("none.toml", "");
    file("bytes.toml", "mode = \"smem\"\nbytes = 1024\n");
    file("bits.toml", "bytes = 1024\ndata_bits = 32\n");
    file("mode.toml", "mode = \"dram\"\n");
    for (arguments, says) in [
        ("traptor-s1 --system-memory", "--system-memory: expected --control apb or axi-lite"),
        ("traptor-s1 --control apb --system-memory --ram-sink 1024", "--ram-sink"),
        ("traptor-s1 --control apb --memory-data-bits 64", "--system-memory"),
        (
            "traptor-s1 --control apb --system-memory --sink atb",
            "--sink: expected no --system-memory",
        ),
        (
            "traptor-s1 --control apb --system-memory --memory-address-bits 31",
            "--memory-address-bits 31: must be 32 to 64",
        ),
        (
            "traptor-s1 --control apb --system-memory --memory-burst-beats 12",
            "must be a power of two from 2 to 256",
        ),
        (
            "traptor-s1 --control apb --system-memory --set trace_port_width=64",
            "system memory of 32 bits needs a divisor of them",
        ),
        ("traptor-s1 --control apb --system-memory --reader uart", "--reader: expected"),
        (
            "none.toml",
            "none.toml, [ram_sink] bytes: expected a number of bytes, or mode = \"smem\"",
        ),
        ("bytes.toml", "bytes.toml, [ram_sink] bytes: expected no bytes with mode = \"smem\""),
        ("bits.toml", "bits.toml, [ram_sink] mode: expected \"smem\" with address_bits"),
        ("mode.toml", "unknown variant `dram`"),
    ] {
        let done = folder.run(&format!("generate {arguments} -o refused"));
        assert_eq!(done.status, 2, "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(says), "{arguments}: {}", done.stderr);
        assert!(!folder.path("refused").exists());
    }
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads/rv32imac-traps.elf");
    let done = folder.run(&format!("live traptor-s1 {program} --control apb --system-memory"));
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("--system-memory: expected --ram-sink"), "{}", done.stderr);
}
