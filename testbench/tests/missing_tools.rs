//! A machine without the tools: every error names the tool and its Debian package.
//!
//! Each test runs a second test of this program, in a process of its own with another environment.

use crate::common;
use std::env;
use std::os::unix::fs::symlink;
use std::process::Command;

use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, Cache, VerilogFile};

/// Runs the ignored test `name` with these variables, and returns what it prints.
fn in_a_process_with(name: &str, variables: &[(&str, &str)]) -> String {
    let name = format!("missing_tools::{name}");
    let program = env::current_exe().expect("this program");
    let output = Command::new(program)
        .args(["--ignored", "--exact", "--nocapture", &name])
        .env_remove("VERILATOR_ROOT")
        .env_remove("CXX")
        .envs(variables.iter().copied())
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
#[ignore = "run by the tests below, in an environment of their own"]
fn print_the_error_of_a_build() {
    println!("{}", common::counter().build(&BuildOptions::default()).expect_err("no tools"));
}

#[test]
#[ignore = "run by the tests below, in an environment of their own"]
fn print_the_error_of_lint() {
    let file = VerilogFile::new("counter.v", common::verilog("counter.v"));
    println!("{}", lint(&[file], "counter").expect_err("no tools"));
}

#[test]
#[ignore = "run by the tests below, in an environment of their own"]
fn print_the_user_cache() {
    match Cache::of_user() {
        Ok(cache) => println!("{}", cache.directory().display()),
        Err(error) => println!("{error}"),
    }
}

#[test]
fn without_verilator() {
    let text = in_a_process_with("print_the_error_of_a_build", &[("PATH", "/nowhere")]);
    assert!(
        text.contains("`verilator` is not installed; on Debian: apt install verilator"),
        "{text}"
    );
    let text = in_a_process_with("print_the_error_of_lint", &[("PATH", "/nowhere")]);
    assert!(
        text.contains("`verilator` is not installed; on Debian: apt install verilator"),
        "{text}"
    );
}

#[test]
fn without_the_other_linters() {
    let tools = tempfile::tempdir().expect("a directory");
    let path = tools.path().to_str().expect("UTF-8");
    let install = |tool: &str| {
        let found = env::split_paths(&env::var_os("PATH").expect("PATH"))
            .map(|directory| directory.join(tool))
            .find(|program| program.is_file())
            .unwrap_or_else(|| panic!("{tool} is needed here"));
        symlink(found, tools.path().join(tool)).expect("a link");
    };
    ["verilator", "verilator_bin", "perl", "env", "sh"].into_iter().for_each(install);
    let text = in_a_process_with("print_the_error_of_lint", &[("PATH", path)]);
    assert!(
        text.contains("`iverilog` is not installed; on Debian: apt install iverilog"),
        "{text}"
    );
    install("iverilog");
    let text = in_a_process_with("print_the_error_of_lint", &[("PATH", path)]);
    assert!(text.contains("`yosys` is not installed; on Debian: apt install yosys"), "{text}");
}

#[test]
fn without_a_compiler() {
    let text = in_a_process_with("print_the_error_of_a_build", &[("CXX", "no-such-compiler")]);
    assert!(
        text.contains("`no-such-compiler` is not installed; on Debian: apt install g++"),
        "{text}"
    );
}

#[test]
fn a_cache_that_cannot_be_written() {
    let text =
        in_a_process_with("print_the_error_of_a_build", &[("TRACEWRIGHT_CACHE", "/dev/null/x")]);
    assert!(text.contains("the cache cannot be used: /dev/null/x"), "{text}");
}

#[test]
fn where_the_cache_is() {
    let where_is =
        |variables: &[(&str, &str)]| in_a_process_with("print_the_user_cache", variables);
    let none = ("TRACEWRIGHT_CACHE", "");
    assert!(where_is(&[("TRACEWRIGHT_CACHE", "/a")]).contains("\n/a\n"));
    assert!(where_is(&[none, ("XDG_CACHE_HOME", "/b")]).contains("\n/b/tracewright\n"));
    let home = [none, ("XDG_CACHE_HOME", ""), ("HOME", "/c")];
    assert!(where_is(&home).contains("\n/c/.cache/tracewright\n"));
    let nothing = [none, ("XDG_CACHE_HOME", ""), ("HOME", "")];
    assert!(where_is(&nothing).contains("no directory for the cache"));
}
