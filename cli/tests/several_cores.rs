//! Several cores through the commands.

use crate::common::Folder;
use tracewright_sim::event::Event;
use tracewright_sim::trace_io::Reader;

fn events(folder: &Folder, file: &str) -> Vec<Event> {
    let bytes = folder.read(file);
    let reader = Reader::new(std::io::Cursor::new(bytes)).unwrap();
    reader.collect::<Result<_, _>>().unwrap()
}

fn of_thread(events: &[Event], thread: u8) -> Vec<Event> {
    events.iter().filter(|event| event.thread == thread).copied().collect()
}

#[test]
fn threads_come_back_with_the_times_of_their_records() {
    let folder = Folder::new();
    for cores in [2u8, 4, 8] {
        folder.succeed(&format!(
            "trace generate --cores {cores} --seed {cores} --isa arm --events 20000 -o run.pet.zst"
        ));
        let run = events(&folder, "run.pet.zst");
        assert_eq!(run.iter().map(|event| event.thread).max(), Some(cores - 1));
        for (design, set) in [("mctraptor-medium", " --set elided_upper_bits=12"), ("nexus", "")] {
            let design = format!("{design}-n{cores}-timed{set}");
            let done = folder.json(&format!("encode {design} run.pet.zst -o run.bits --json"));
            let measured =
                folder.json(&format!("measure --design {design} run.pet.zst --json"))[0].clone();
            assert_eq!(done["bits"], measured["bits"]);
            let back = folder.json(
                "decode run.bits --program run.pet.zst -o back.pet.zst --times times.csv --json",
            );
            assert_eq!((&back["verified"], &back["records"]), (&true.into(), &measured["records"]));
            let decoded = events(&folder, "back.pet.zst");
            for thread in 0..cores {
                assert_eq!(of_thread(&decoded, thread), of_thread(&run, thread), "{design}");
            }
            let times = folder.text("times.csv");
            let mut lines = times.lines();
            assert_eq!(lines.next(), Some("core,cycle,events"));
            let clocks: Vec<u64> =
                lines.map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
            assert_eq!(measured["records"], clocks.len());
            assert!(clocks.is_sorted(), "{design}");
        }
    }
}

#[test]
fn what_a_trace_does_not_have_is_refused() {
    let folder = Folder::new();
    folder.succeed("trace generate --cores 4 --seed 1 --isa arm --events 500 -o run.pet");
    folder.succeed("encode nexus-n4 run.pet -o run.bits");
    let refused = folder.run("decode run.bits --program run.pet -o back.pet --times times.csv");
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.contains("traces of nexus-n4 have no time stamps"),
        "{}",
        refused.stderr
    );
    let few = folder.run("encode nexus-n2 run.pet -o few.bits");
    assert_eq!(few.status, 1);
    assert!(few.stderr.contains("this design traces threads below 2"), "{}", few.stderr);
    let both = folder.run("trace generate --cores 4 --threads 2");
    assert_eq!(both.status, 2);
}

#[test]
fn hardware_and_model_agree_and_a_fault_is_told() {
    let folder = Folder::new();
    let done = folder.json(
        "cosim mctraptor-small-n2-timed,nexus-n4 --synthetic 3,5 --limit 4000 --stall random --bubbles 20 --json",
    );
    for one in done.as_array().unwrap() {
        assert_eq!((&one["mismatches"], &one["decoded_equal"]), (&0.into(), &true.into()), "{one}");
    }
    folder.succeed("generate nexus-n2-timed -o build");
    let file = "build/nexus-n2-timed/nexus_n2_timed.v";
    let text = folder.text(file);
    let broken = text.replace("count <= {31'd0, tracing}", "count <= {30'd0, tracing, 1'd0}");
    assert_ne!(broken, text);
    folder.write(file, &broken);
    let done = folder.run("cosim nexus-n2-timed --synthetic 3 --limit 4000 --verilog build");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains(", clocks: the model of the encoder sends"), "{}", done.stderr);
}
