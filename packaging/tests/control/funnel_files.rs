//! What tools say of the files of a funnel with registers.

use std::fs;
use std::process::Command;

use tempfile::TempDir;
use tracewright_hdl::unit::FunnelControl;
use tracewright_packaging::funnel;
use tracewright_testbench::design::source;
use tracewright_testbench::lint::lint;

use super::drivers::{check_svd, compiled_tree};
use super::funnel::{control, funnels, whole};
use super::tools::{check_component, check_exporters, check_rdl, fusesoc_lints, is_valid};
use crate::common::{chosen, for_each, is_long, run};

/// The files as `tracewright funnel` writes them.
fn folder(control: &FunnelControl<'_>) -> TempDir {
    let FunnelControl { name, config, style, bus } = *control;
    let files = funnel(name, config, style, Some(bus)).expect("a good funnel");
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
        fs::write(path, text).expect("written");
    }
    directory
}

#[test]
fn three_tools_are_silent() {
    for_each(&funnels(), |funnel| {
        let source = source(&whole(&control(funnel)));
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{funnel:?}: {}", all.join("\n"))) }
    });
}

/// Registers beside a funnel change nothing of it.
#[test]
fn the_funnel_is_as_without_registers() {
    for (config, style, bus) in funnels() {
        let plain = funnel("trace_funnel", &config, &style, None).expect("a good funnel");
        let with = funnel("trace_funnel", &config, &style, Some(bus)).expect("a good funnel");
        assert!(plain.iter().all(|(name, text)| with.get(name) == Some(text)));
        assert_eq!(with.len(), plain.len() + 9, "{:?}", with.keys());
    }
}

#[test]
fn tools_read_what_the_table_says() {
    for funnel in chosen(funnels(), &[2, 3]) {
        let control = control(&funnel);
        let (folder, map) = (folder(&control), control.map().expect("a good funnel"));
        check_rdl(folder.path(), control.name, &map);
        if is_long() || control.config.sources == 8 {
            check_exporters(folder.path(), control.name);
        }
        check_svd(folder.path(), control.name, &map);
        check_component(folder.path(), control.name, &whole(&control), control.bus);
        let tree = compiled_tree(folder.path(), control.name);
        assert_eq!(tree.matches("riscv,trace-component").count(), 1);
        let ends = control.config.sources as usize + 1;
        assert_eq!(tree.matches("endpoint {").count(), ends, "{tree}");
        let page = fs::read_to_string(folder.path().join("trace_funnel-registers.md"));
        assert!(page.expect("a page").contains("### 0x0008 trFunnelDisInput"));
    }
}

#[test]
fn components_are_valid_by_the_schema() {
    let folders: Vec<_> = funnels().iter().map(|funnel| folder(&control(funnel))).collect();
    is_valid(folders.iter().map(|folder| folder.path().join("trace_funnel-control.xml")));
}

#[test]
fn fusesoc_lints_the_core() {
    fusesoc_lints(folder(&control(&funnels()[1])).path(), "trace_funnel-control");
}

/// A program includes the driver beside that of a trace unit, for 32 and 64 bits and in C++.
#[test]
fn the_driver_is_good_c() {
    let folder = folder(&control(&funnels()[0]));
    let driver = folder.path().join("driver");
    let other = "#ifndef TRACEWRIGHT_REGISTERS_H\n#define TRACEWRIGHT_REGISTERS_H\n#endif\n";
    fs::write(driver.join("tracewright_registers.h"), other).expect("written");
    let program = "#include \"tracewright_registers.h\"\n#include \"tracewright_funnel.h\"\nuint32_t used(void);\n\
                   uint32_t used(void) { return tracewright_funnel_start(0x10020000, 1) | tracewright_funnel_stop(0x10020000) |\n\
                   TW_trFunnelDisInput_MASK; }\n";
    fs::write(driver.join("use.c"), program).expect("written");
    let compilers = [
        "gcc -m64 -std=c99",
        "gcc -m32 -std=c99",
        "riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -std=c99",
        "gcc -x c++ -std=c++11",
    ];
    let flags =
        "-ffreestanding -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -c use.c";
    for compiler in compilers {
        let mut words = compiler.split(' ').chain(flags.split(' '));
        let mut command = Command::new(words.next().expect("a name"));
        let done = run(command.args(words).current_dir(&driver));
        assert!(done.success && done.output.is_empty(), "{compiler}: {}", done.output);
    }
}

/// The program `funnel.c` answers the driver's accesses as the registers do.
#[test]
fn the_driver_switches_a_funnel() {
    let folder = folder(&control(&funnels()[0]));
    let driver = folder.path().join("driver");
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/control");
    let words = "-std=c99 -Wall -Wextra -Wpedantic -Werror -DTRACEWRIGHT_POLLS=100ul -include unit.h -o funnel";
    let done = run(Command::new("gcc")
        .args(words.split(' '))
        .args(["-I", tests, &format!("{tests}/funnel.c"), "-I", "."])
        .current_dir(&driver));
    assert!(done.success && done.output.is_empty(), "{}", done.output);
    let done = run(&mut Command::new(driver.join("funnel")));
    assert_eq!((done.success, done.output.as_str()), (true, "right\n"));
}
