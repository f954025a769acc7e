//! What is set wrong around a design is said by the name that it was set by: the key of a section with its file, or the option.

use crate::common::Folder;

/// Sections, what the options that do the same are, the place in the section, that of the option, and what is said of both.
const WRONG: [(&str, &str, &str, &str, &str); 14] = [
    (
        "[ingress]\nport = \"tip\"\nxlen = 64",
        "--ingress tip --xlen 64",
        "[ingress] xlen",
        "--xlen",
        "rvfi or retired",
    ),
    (
        "[ingress]\nport = \"tip\"\nitype_bits = 5",
        "--ingress tip --itype-bits 5",
        "[ingress] itype_bits = 5",
        "--itype-bits 5",
        "must be 3 or 4",
    ),
    (
        "[ingress]\nport = \"rvfi\"\nlanes = 9",
        "--ingress rvfi --nret 9",
        "[ingress] lanes = 9",
        "--nret 9",
        "must be 1 to 4",
    ),
    (
        "[ingress]\nport = \"rvfi\"\nqueue = 2",
        "--ingress rvfi --ingress-queue 2",
        "[ingress] queue = 2",
        "--ingress-queue 2",
        "expected at least 9, or",
    ),
    (
        "[ingress]\nport = \"blocks\"\nslack = 2",
        "--ingress-slack 2",
        "[ingress] slack",
        "--ingress-slack",
        "rvfi, retired or tip",
    ),
    (
        "[ingress]\nport = \"rvfi\"\npins = []",
        "--ingress rvfi --ingress-pins trap",
        "[ingress] pins",
        "--ingress-pins",
        "retired",
    ),
    (
        "[ingress]\nport = \"retired\"\npins = [\"foo\"]",
        "--ingress retired --ingress-pins foo",
        "[ingress] pins",
        "--ingress-pins",
        "found foo",
    ),
    (
        "[control]\nbus = \"apb\"\ntriggers_in = 9",
        "--control apb --triggers-in 9",
        "[control] triggers_in = 9",
        "--triggers-in 9",
        "expected at most 8",
    ),
    (
        "[control]\nbus = \"apb\"\n[ram_sink]\nbytes = 1000",
        "--control apb --ram-sink 1000",
        "[ram_sink] bytes = 1000",
        "--ram-sink 1000",
        "must be a power of two",
    ),
    (
        "[control]\nbus = \"apb\"\n[ram_sink]\nbytes = 64",
        "--control apb --ram-sink 64",
        "[ram_sink] bytes = 64",
        "--ram-sink 64",
        "expected at least",
    ),
    ("[ram_sink]\nbytes = 4096", "--ram-sink 4096", "[ram_sink] bytes", "--ram-sink", "expected"),
    (
        "[control]\nbus = \"apb\"\n[ram_sink]\nmode = \"smem\"\ndata_bits = 16",
        "--control apb --system-memory --memory-data-bits 16",
        "[ram_sink] data_bits = 16",
        "--memory-data-bits 16",
        "must be 32 or 64",
    ),
    (
        "[control]\nbus = \"apb\"\n[ram_sink]\nbytes = 4096\n[sink]\nport = \"atb\"",
        "--control apb --ram-sink 4096 --sink atb",
        "[sink] port",
        "--sink",
        "which takes the trace",
    ),
    (
        "[reader]\nport = \"uart\"",
        "--reader uart",
        "[reader] port",
        "--reader",
        "whose ring it reads",
    ),
];

#[test]
fn what_is_set_wrong_is_said_by_the_name_that_it_was_set_by() {
    let folder = Folder::new();
    let preset = "preset = \"traptor-s1\"\n";
    folder.write("bare.toml", preset);
    for (section, options, key, option, says) in WRONG {
        folder.write("unit.toml", format!("{preset}{section}\n"));
        for (arguments, place) in [
            ("unit.toml".to_owned(), format!("unit.toml, {key}")),
            (format!("bare.toml {options}"), option.to_owned()),
        ] {
            let done = folder.run(&format!("generate {arguments} -o refused"));
            let begin = format!("error: {place}: ");
            let is_said = done.stderr.starts_with(&begin) && done.stderr.contains(says);
            assert!(done.status == 2 && is_said, "{arguments}: {}", done.stderr);
        }
        // No option is named that nobody gave.
        let done = folder.run("generate unit.toml -o refused");
        assert!(!done.stderr.contains(" --") && !done.stderr.contains('{'), "{}", done.stderr);
    }
}

/// An option that is given prevails, and is what is said.
#[test]
fn an_option_over_a_section_is_said() {
    let folder = Folder::new();
    let text = "preset = \"traptor-s1\"\n[ingress]\nport = \"rvfi\"\nlanes = 2\n[control]\nbus = \"apb\"\n[ram_sink]\nbytes = 4096\n";
    folder.write("unit.toml", text);
    for (options, says) in [
        ("--nret 7", "error: --nret 7: must be 1 to 4"),
        ("--ram-sink 100", "error: --ram-sink 100: must be a power of two"),
        (
            "--ingress-queue 4",
            "error: --ingress-queue 4: expected at least 18, or --ingress-slack of at most 2",
        ),
    ] {
        let done = folder.run(&format!("generate unit.toml {options} -o refused"));
        assert!(done.status == 2 && done.stderr.starts_with(says), "{options}: {}", done.stderr);
    }
    let harts = |lanes: u32| {
        let hart =
            format!("design = \"ntrace-htm\"\ningress = {{ port = \"rvfi\", lanes = {lanes} }}\n");
        format!("[[hart]]\nname = \"a\"\n{hart}[[hart]]\nname = \"b\"\n{hart}")
    };
    folder.write("pair.toml", harts(6));
    let done = folder.run("generate pair.toml -o refused");
    let says = "error: pair.toml: hart a: [ingress] lanes = 6: must be 1 to 4";
    assert!(done.status == 2 && done.stderr.starts_with(says), "{}", done.stderr);
}
