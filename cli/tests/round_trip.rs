//! Presets on real traces, through files: what is decoded is what was encoded, to the byte.

use crate::common::{Folder, WORKLOADS, is_long};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::preset;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::trace_io;

/// Without LONG_TESTS each preset takes one of the traces, and each trace every sixth preset. The numbers of presets have
/// few divisors in common with six, so that every scheme meets several machines.
#[test]
fn every_preset_on_every_trace() {
    let folder = Folder::new();
    // These traces have no data records.
    let presets = preset::all().map(|preset| preset.name);
    let presets: Vec<&str> =
        presets.filter(|name| !Design::preset(name).unwrap().traces_data()).collect();
    for (place, name) in WORKLOADS.iter().enumerate() {
        folder.take_head(name, 30_000, "run.pet.zst");
        let (run, text) = (folder.read("run.pet.zst"), folder.succeed("trace dump run.pet.zst"));
        let (first, step) = if is_long() { (0, 1) } else { (place, WORKLOADS.len()) };
        for design in presets.iter().skip(first).step_by(step) {
            // A design that takes elided_upper_bits from the trace says so.
            let encoded = folder.run(&format!("encode {design} run.pet.zst -o run.bits"));
            assert_eq!(encoded.status, 0, "{design} on {name}: {}", encoded.stderr);
            let done = folder.json("decode run.bits --program run.pet.zst -o back.pet.zst --json");
            assert_eq!(
                (&done["events"], &done["verified"]),
                (&30_000.into(), &true.into()),
                "{design} on {name}"
            );
            assert!(folder.read("back.pet.zst") == run, "{design} on {name}");
        }
        assert!(
            folder.succeed("decode run.bits --program run.pet.zst -o -") == text,
            "{name} as text"
        );
        let piped = "decode - --program run.pet.zst -o piped.pet.zst";
        assert_eq!(folder.run_with_input(piped, &folder.read("run.bits")).status, 0, "{name}");
        assert!(folder.read("piped.pet.zst") == run, "{name} by a pipe");
        folder.succeed("decode run.bits --program run.pet.zst -o back.pet");
        assert!(folder.succeed("trace dump back.pet") == text, "{name} as PET1");
    }
}

#[test]
fn synthetic_programs_and_other_parameters() {
    let folder = Folder::new();
    let sets = [
        "",
        "--set trace_port_width=3",
        "--set trace_port_width=64 --set gshare_entries=1",
        "--set return_address_stack_depth=0 --set instruction_count_bits=8",
        "--set branch_count_bits=2 --set indirect_branch_target_buffer_entries=0",
    ];
    for (seed, set) in (0..40).zip(sets.iter().cycle()) {
        folder.succeed(&format!("trace generate --seed {seed} --events 5000 -o run.pet"));
        folder.succeed(&format!(
            "encode traptor-m4 run.pet -o run.bits --set address_width=64 {set}"
        ));
        folder.succeed("decode run.bits --program run.pet -o back.pet");
        assert!(folder.read("back.pet") == folder.read("run.pet"), "seed {seed} {set}");
    }
}

#[test]
fn empty_and_shortest_traces() {
    let folder = Folder::new();
    let machine = "machine riscv alignment=1 address_bits=32 lengths\n";
    for lines in [
        "",
        "1 exception 0x1000\n",
        "7 exception 0x1000 taken 0x8000\n",
        "1 direct-jump 0x10 call length=2 taken 0x20\n",
    ] {
        folder.write("run.txt", format!("{machine}{lines}"));
        folder.succeed("encode traptor-s0 run.txt -o run.bits");
        folder.succeed("decode run.bits --program run.txt -o back.txt");
        assert_eq!(folder.text("back.txt"), folder.text("run.txt"));
    }
}

/// The bits of the trace port alone, as a capture of hardware has them.
#[test]
fn raw_captures() {
    let folder = Folder::with_run();
    let path = folder.path("run.pet.zst");
    let machine = trace_io::open(&path).unwrap().machine();
    let mut builder = ProgramBuilder::new(machine);
    trace_io::open(&path).unwrap().for_each(|event| builder.event(&event.unwrap()).unwrap());
    let program = builder.finish().unwrap();
    let design = Design::preset("traptor-m4").unwrap().for_machine(machine).unwrap();
    let mut encoder = Encoder::new(&design).unwrap();
    let mut packer = BitPacker::new();
    for event in trace_io::open(&path).unwrap() {
        let mut event = event.unwrap();
        if event.call {
            event.length = program.call_length(event.program_counter).unwrap();
        }
        encoder.event(&event, &mut packer).unwrap();
    }
    encoder.flush(&mut packer);
    folder.write("pins.bin", packer.finish());
    let done = folder.json(
        "decode --raw --design traptor-m4 pins.bin --program run.pet.zst -o back.pet.zst --json",
    );
    assert_eq!((&done["events"], &done["verified"]), (&20_000.into(), &false.into()));
    assert!(folder.read("back.pet.zst") == folder.read("run.pet.zst"));
}

#[test]
fn the_design_travels_with_the_file() {
    let folder = Folder::with_run();
    folder.write("mine.toml", "preset = \"traptor-s1\"\ngshare_entries = 64\npc_shift = 2\n");
    let done =
        folder.json("encode mine.toml run.pet.zst -o mine.bits --set trace_port_width=4 --json");
    assert_eq!(done["design"], "mine");
    let done = folder.json("decode mine.bits --program run.pet.zst -o back.pet.zst --json");
    assert_eq!(done["design"], "mine");
    folder.succeed("decode mine.bits --program run.pet.zst -o back.pet.zst --design mine.toml --set trace_port_width=4");
    assert!(folder.read("back.pet.zst") == folder.read("run.pet.zst"));
}

/// `-o -` writes nothing but the result.
#[test]
fn standard_output() {
    let folder = Folder::with_run();
    let script = format!(
        "{} encode traptor-m4 run.pet.zst -o - > piped.bits",
        env!("CARGO_BIN_EXE_tracewright")
    );
    let status = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path("."))
        .status();
    assert!(status.unwrap().success());
    assert!(folder.read("piped.bits") == folder.read("run.bits"));
    let text = folder.succeed("trace dump run.pet.zst");
    let piped = folder.run_with_input("trace convert - -o again.pet.zst", text.as_bytes());
    assert_eq!((piped.status, piped.stderr.as_str()), (0, ""));
    assert!(folder.read("again.pet.zst") == folder.read("run.pet.zst"));
}
