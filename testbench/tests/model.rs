//! Models are built, kept, loaded and clocked as promised.

use std::fs;
use std::thread;

use crate::common::{asynchronous, counter};
use tracewright_testbench::coverage::Coverage;
use tracewright_testbench::{BuildOptions, Cache, Error, Model, Port, VerilogFile};

fn build(
    source: &tracewright_testbench::ModelSource,
) -> std::sync::Arc<tracewright_testbench::Library> {
    source.build(&BuildOptions::default()).expect("a model")
}

#[test]
fn outputs_are_those_before_the_rising_edge() {
    let library = build(&counter());
    let mut model = Model::new(&library, 1).expect("a model");
    let enable = library.input("enable", 1).expect("enable");
    let addend = library.input("addend", 8).expect("addend");
    let count = library.output("count", 8).expect("count");
    let sum = library.output("sum", 8).expect("sum");
    model.reset(2).expect("reset");
    model.set(enable, 1);
    for clock in 0..1000u64 {
        model.set(addend, clock * 3);
        model.cycle().expect("a clock");
        assert_eq!(model.get(count), clock % 256);
        assert_eq!(model.get(sum), clock * 4 % 256, "combinational in the same cycle");
    }
    model.set(enable, 0);
    model.set(addend, 0xff01);
    model.settle().expect("settled");
    assert_eq!(model.get(count), 1000 % 256, "after the last edge");
    assert_eq!(model.get(sum), 1001 % 256, "bits beyond the width are dropped");
    assert_eq!(model.cycles(), 1002);
}

#[test]
fn an_asynchronous_reset_needs_no_clock() {
    let library = build(&asynchronous());
    let mut model = Model::new(&library, 1).expect("a model");
    let stored = library.output("stored", 64).expect("stored");
    let data = library.input("data", 64).expect("data");
    model.reset(0).expect("reset");
    assert_eq!(model.get(stored), 5);
    model.set(data, u64::MAX - 1);
    model.cycle().expect("a clock");
    model.settle().expect("settled");
    assert_eq!(model.get(stored), u64::MAX - 1);
}

/// Everything `asynchronous.v` starts with.
fn initial_state(library: &std::sync::Arc<tracewright_testbench::Library>, seed: u64) -> Vec<u64> {
    let mut model = Model::new(library, seed).expect("a model");
    let address = library.input("address", 12).expect("address");
    let word = library.output("word", 32).expect("word");
    let mut state = vec![model.get(library.output("unreset", 64).expect("unreset"))];
    for place in 0..16 {
        model.set(address, place * 271);
        model.settle().expect("settled");
        state.push(model.get(word));
    }
    state
}

#[test]
fn what_has_no_reset_starts_with_bits_of_the_seed() {
    let library = build(&asynchronous());
    let first = initial_state(&library, 1);
    assert_eq!(first, initial_state(&library, 1));
    let second = initial_state(&library, 2);
    let same = first.iter().zip(&second).filter(|(a, b)| a == b).count();
    assert_eq!(same, 0, "{first:x?} {second:x?}");
}

#[test]
fn models_on_many_threads_are_independent_and_repeatable() {
    let library = build(&asynchronous());
    let expected: Vec<_> = (0..4).map(|seed| initial_state(&library, seed)).collect();
    thread::scope(|scope| {
        for seed in 0..4u64 {
            let (library, expected) = (&library, &expected);
            scope.spawn(move || {
                for _ in 0..200 {
                    assert_eq!(initial_state(library, seed), expected[seed as usize]);
                }
            });
        }
    });
    let mut model = Model::new(&library, 9).expect("a model");
    thread::spawn(move || model.cycle().expect("a clock on another thread"))
        .join()
        .expect("joined");
}

#[test]
fn two_different_models_live_side_by_side() {
    let mut backwards = counter();
    let text = backwards.files[0].text.replace("count + 8'd1", "count - 8'd1");
    backwards.files[0].text = text;
    let (up, down) = (build(&counter()), build(&backwards));
    let mut models = [Model::new(&up, 1).expect("up"), Model::new(&down, 1).expect("down")];
    for model in &mut models {
        model.reset(1).expect("reset");
        let enable = model.library().input("enable", 1).expect("enable");
        model.set(enable, 1);
    }
    for _ in 0..10 {
        models.iter_mut().for_each(|model| model.cycle().expect("a clock"));
    }
    let counts = models.map(|model| model.get(model.library().output("count", 8).expect("count")));
    assert_eq!(counts, [9, 247]);
}

#[test]
fn a_model_is_built_once_by_many_at_a_time() {
    let directory = tempfile::tempdir().expect("a directory");
    let options =
        BuildOptions { cache: Some(Cache::at(directory.path())), ..BuildOptions::default() };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| counter().build(&options).expect("a model"));
        }
    });
    // Beside models the cache has the prelude that they are compiled with.
    let models = || {
        let files = fs::read_dir(directory.path()).expect("the cache").flatten();
        let is_model = |file: &fs::DirEntry| file.path().extension().is_some_and(|end| end == "so");
        files.filter(is_model).collect::<Vec<_>>()
    };
    let files = models();
    assert_eq!(files.len(), 1, "{files:?}");
    let built = files[0].metadata().and_then(|m| m.modified()).expect("a time");
    counter().build(&options).expect("from the cache");
    assert_eq!(files[0].metadata().and_then(|m| m.modified()).expect("a time"), built);

    let mut other = counter();
    other.files[0].text += "\n";
    other.build(&options).expect("another model");
    assert_eq!(models().len(), 2);
}

/// A library cut to a quarter would end the process when it is loaded.
#[test]
fn a_damaged_model_is_built_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let options =
        BuildOptions { cache: Some(Cache::at(directory.path())), ..BuildOptions::default() };
    drop(counter().build(&options).expect("a model"));
    let files = fs::read_dir(directory.path()).expect("the cache").flatten();
    let path =
        files.map(|file| file.path()).find(|path| path.extension().is_some_and(|end| end == "so"));
    let path = path.expect("a model");
    let whole = fs::read(&path).expect("a model");
    // A new file, because the old one may still be mapped.
    fs::remove_file(&path).expect("removed");
    fs::write(&path, &whole[..whole.len() / 4]).expect("written");
    let library = counter().build(&options).expect("built again");
    Model::new(&library, 1).expect("a model").reset(1).expect("reset");
    assert!(fs::metadata(&path).expect("a model").len() > whole.len() as u64 / 4);
}

#[test]
fn waves_hold_the_clocks_that_were_asked_for() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("counter.vcd");
    let library =
        counter().build(&BuildOptions { waves: true, ..BuildOptions::default() }).expect("a model");
    let mut model = Model::new(&library, 1).expect("a model");
    model.reset(1).expect("reset");
    let enable = library.input("enable", 1).expect("enable");
    model.set(enable, 1);
    (0..10).for_each(|_| model.cycle().expect("a clock"));
    model.open_waves(&path).expect("opened");
    (0..5).for_each(|_| model.cycle().expect("a clock"));
    model.close_waves().expect("closed");
    model.cycle().expect("a clock");
    let text = fs::read_to_string(&path).expect("a file");
    let times: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let expected = ["#110", "#115", "#120", "#125", "#130", "#135", "#140", "#145", "#150", "#155"];
    assert_eq!(times, expected);
    assert!(text.contains(" count ") && text.contains("b00001111 "), "{text}");
    let lost = model.open_waves(&directory.path().join("not/there.vcd")).expect_err("no directory");
    assert!(lost.to_string().contains("not/there.vcd"), "{lost}");
}

#[test]
fn waves_need_a_model_built_with_them() {
    let library = build(&counter());
    let mut model = Model::new(&library, 1).expect("a model");
    let error = model.open_waves("unused.vcd".as_ref()).expect_err("no waves");
    assert!(matches!(error, Error::NoWaves { .. }), "{error}");
}

#[test]
fn ports_must_be_as_described() {
    let mut source = counter();
    source.ports[3] = Port::input("addend", 9);
    source.ports.pop();
    let error = source.build(&BuildOptions::default()).expect_err("other ports");
    let expected = "the ports of `counter` are not as described: described is input `addend` of 9 \
                    bits, in the Verilog it is input `addend` of 8 bits; the Verilog has another \
                    output `sum` of 8 bits";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let refused = |change: fn(&mut tracewright_testbench::ModelSource)| {
        let mut source = counter();
        change(&mut source);
        source.build(&BuildOptions::default()).expect_err("refused").to_string()
    };
    assert!(refused(|s| s.top = "x; y".into()).contains("top module"));
    assert!(refused(|s| s.files.clear()).contains("no Verilog file"));
    assert!(refused(|s| s.files[0].name = "../counter.v".into()).contains("../counter.v"));
    assert!(refused(|s| s.files.push(s.files[0].clone())).contains("two files"));
    assert!(refused(|s| s.ports[3].width = 65).contains("`addend` of 65 bits"));
    assert!(refused(|s| s.ports.push(s.ports[3].clone())).contains("two ports"));
    assert!(refused(|s| s.clock = Some("addend".into())).contains("the clock `addend`"));
}

#[test]
fn verilog_that_is_wrong_is_an_error_with_verilators_words() {
    let mut source = counter();
    source.files = vec![VerilogFile::new("counter.v", "module counter (; endmodule")];
    let error = source.build(&BuildOptions::default()).expect_err("no Verilog");
    assert!(matches!(error, Error::Verilator { .. }), "{error}");
    assert!(error.to_string().contains("counter.v:1"), "{error}");
}

#[test]
fn a_model_that_stops_is_an_error_and_not_the_end() {
    let mut source = counter();
    let text = source.files[0]
        .text
        .replace("endmodule", "always @(posedge clock) if (count == 8'd7) $stop;\nendmodule");
    source.files[0].text = text;
    let library = build(&source);
    let mut model = Model::new(&library, 1).expect("a model");
    model.reset(1).expect("reset");
    model.set(library.input("enable", 1).expect("enable"), 1);
    let error = (0..100).find_map(|_| model.cycle().err()).expect("it stops");
    let expected = "the model of `counter` failed in cycle 9: counter.v:14: Verilog $stop";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_pin_that_is_not_there_is_named() {
    let library = build(&counter());
    let error = library.output("count", 9).expect_err("8 bits");
    assert_eq!(error.to_string(), "`counter` has no output `count` of 9 bits");
    assert!(library.input_of_any_width("clock").is_err(), "the clock is cycle's");
}

#[test]
fn coverage_is_counted_if_asked_for() {
    let source = counter();
    let counting = BuildOptions { coverage: true, toggles: true, ..BuildOptions::default() };
    let mut model = Model::new(&source.build(&counting).expect("it builds"), 1).expect("a model");
    model.reset(2).expect("it runs");
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("coverage.dat");
    model.write_coverage(&path).expect("it counts");
    let mut coverage = Coverage::default();
    coverage.add(&path).expect("a good file");
    let summary = coverage.modules()["counter"];
    assert!(summary.branches.all > 0 && summary.toggles.covered < summary.toggles.all);

    let plain = build(&source);
    let mut model = Model::new(&plain, 1).expect("a model");
    let error = model.write_coverage(&path).expect_err("it does not count");
    assert!(error.to_string().ends_with("the model was built without coverage"), "{error}");
}
