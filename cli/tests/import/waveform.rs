//! Waveforms of a simulation, against what the same simulation prints.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Folder;

/// The small core on a memory, with a row of its RISC-V formal interface for each instruction.
const BENCH: &str = "\
`timescale 1ns/1ps
module bench;
    reg clock = 1'b0, reset = 1'b1;
    always #5 clock = !clock;
    wire [31:0] fetch_address, data_address, data_written;
    wire        data_request;
    wire [3:0]  data_strobe;
    reg  [63:0] fetch_data;
    reg  [1:0]  fetch_error;
    reg  [31:0] data_read, cycle = 32'd0;
    reg         data_error, timer_interrupt = 1'b0;
    wire [1:0]  rvfi_valid, rvfi_trap, rvfi_intr;
    wire [63:0] rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata;
    minimal_core #(.WIDTH(2), .RESET_ADDRESS(32'h0001_0000), .TRAP_ADDRESS(32'h0001_0004)) core (
        .clock(clock), .reset(reset), .stop(cycle[2:0] == 3'd5), .timer_interrupt(timer_interrupt),
        .external_interrupt(1'b0), .fetch_address(fetch_address), .fetch_data(fetch_data), .fetch_error(fetch_error),
        .data_request(data_request), .data_address(data_address), .data_strobe(data_strobe),
        .data_written(data_written), .data_read(data_read), .data_error(data_error), .rvfi_valid(rvfi_valid),
        .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap), .rvfi_intr(rvfi_intr), .rvfi_mode(),
        .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .tip_itype(), .tip_iaddr(), .tip_iretire(),
        .tip_ilastsize(), .tip_priv(), .tip_cause(), .tip_tval()
    );
    reg [31:0] memory [0:32767];
    wire [31:0] second = fetch_address + 32'd4;
    function is_memory(input [31:0] address);
        is_memory = address[31:17] == 15'd0 && address[16] || address[31:16] == 16'd2;
    endfunction
    integer lane, table_file;
    always @(posedge clock) begin
        cycle <= cycle + 32'd1;
        timer_interrupt <= cycle % 32'd97 < 32'd3;
        fetch_data <= {memory[second[16:2] ^ 15'h4000], memory[fetch_address[16:2] ^ 15'h4000]};
        fetch_error <= {!is_memory(second), !is_memory(fetch_address)};
        if (data_request) begin
            data_read <= memory[data_address[16:2] ^ 15'h4000];
            data_error <= !is_memory(data_address) && data_address[31:16] != 16'h1000;
            for (lane = 0; lane < 4; lane = lane + 1)
                if (data_strobe[lane] && is_memory(data_address))
                    memory[data_address[16:2] ^ 15'h4000][8*lane +: 8] <= data_written[8*lane +: 8];
        end
        for (lane = 0; lane < 2; lane = lane + 1)
            if (rvfi_valid[lane])
                $fwrite(table_file, \"%h,%b,%b,%h,%h\\n\", rvfi_insn[32*lane +: 32], rvfi_trap[lane], rvfi_intr[lane],
                    rvfi_pc_rdata[32*lane +: 32], rvfi_pc_wdata[32*lane +: 32]);
        if (cycle == 32'd3000)
            $finish;
    end
    initial begin
        $readmemh(\"memory.hex\", memory);
        table_file = $fopen(\"run.csv\", \"w\");
        $fwrite(table_file, \"rvfi_insn,rvfi_trap,rvfi_intr,rvfi_pc_rdata,rvfi_pc_wdata\\n\");
        $dumpfile(\"run.vcd\");
        $dumpvars(2, bench);
        #42 reset = 1'b0;
    end
endmodule
";

/// Its signals.
const CORE: &str = "\
scope = \"bench\"
clock = \"clock\"
isa = \"rv32\"

[[lane]]
valid = \"core.rvfi_valid[0]\"
program_counter = \"core.rvfi_pc_rdata[31:0]\"
next_program_counter = \"core.rvfi_pc_wdata[31:0]\"
instruction = \"core.rvfi_insn[31:0]\"
trap = \"core.rvfi_trap[0]\"
interrupt = \"core.rvfi_intr[0]\"

[[lane]]
valid = \"rvfi_valid[1]\"
program_counter = \"rvfi_pc_rdata[63:32]\"
next_program_counter = \"rvfi_pc_wdata[63:32]\"
instruction = \"rvfi_insn[63:32]\"
trap = \"rvfi_trap[1]\"
interrupt = \"rvfi_intr[1]\"
";

/// A waveform by hand: signals change at the edge, and after it.
const WAVES: &str = "\
$date today $end
$timescale 1ns $end
$scope module top $end
$var wire 1 ! clock $end
$var wire 1 \" valid $end
$scope module unit $end
$var wire 32 # pc [31:0] $end
$var reg 32 $ insn[31:0] $end
$var wire 16 % address [15:0] $end
$var wire 4 & store [3:0] $end
$var real 1 ' power $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars 0! 0\" bx # bx $ b0 % b0 & r0.5 ' $end
#5 1! 1\" b1000000000000 # b101000000000010010011 $
#10 0!
#15 1! b1000000000100 # b10100000000000000010000000100011 $ b11111111 % b1111 &
#20 0!
#25 1! b1000000001000 # b11111111100111111111000001101111 $ b0 &
#30 0!
#35 1! b1000000000000 # b101000000000010010011 $
#40 0!
#45 1! 0\"
";

const WAVES_CORE: &str = "\
scope = \"top\"
clock = \"clock\"
isa = \"rv32\"
[[lane]]
valid = \"valid\"
program_counter = \"unit.pc\"
instruction = \"unit.insn\"
memory_address = \"unit.address\"
memory_write = \"unit.store\"
";

fn tool(folder: &Folder, name: &str, arguments: &[&str]) {
    let output = Command::new(name).args(arguments).current_dir(folder.path(".")).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Imports a trace of a waveform that ends in the middle of a block, which is said.
fn import(folder: &Folder, arguments: &str) {
    let done = folder.run(&format!("trace import {arguments}"));
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("after the last event"), "{}", done.stderr);
}

/// Two instructions in a cycle, cycles without any, traps and interrupts.
#[test]
fn a_simulation() {
    let folder = Folder::new();
    crate::live_bench::load(&folder, "interrupts");
    folder.write("bench.v", BENCH);
    folder.write("core.toml", CORE);
    let live = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/live");
    let files = ["minimal_core.v", "minimal_instruction.v"]
        .map(|name| live.join(name).display().to_string());
    tool(&folder, "iverilog", &["-g2005", "-o", "bench.vvp", "bench.v", &files[0], &files[1]]);
    tool(&folder, "vvp", &["bench.vvp"]);
    import(&folder, "run.vcd --core core.toml -o waves.pet.zst");
    let part = folder.run("trace import run.vcd --core core.toml -o part.pet.zst");
    assert!(!part.stderr.contains("not all named"), "{}", part.stderr);
    folder.write("part.toml", CORE.replacen("interrupt =", "# interrupt =", 1));
    let part = folder.run("trace import run.vcd --core part.toml -o part.pet.zst");
    assert!(part.stderr.contains("next_program_counter are not all"), "{}", part.stderr);
    let check = "port-check run.vcd --core core.toml --json";
    let port = folder.json(check);
    assert_eq!(port["settings"]["lanes"], 2, "{port}");
    import(&folder, "run.csv -o table.pet.zst");
    let (waves, table) =
        (folder.succeed("trace dump waves.pet.zst"), folder.succeed("trace dump table.pet.zst"));
    let different = waves.lines().zip(table.lines()).find(|(one, other)| one != other);
    assert_eq!(different, None);
    assert_eq!(waves.lines().count(), table.lines().count());
    assert!(waves.lines().count() > 200, "{waves}");
    assert!(waves.matches(" exception ").count() > 10, "{waves}");
    // The same simulation writes FST, whatever the name of its file.
    tool(&folder, "vvp", &["bench.vvp", "-fst"]);
    import(&folder, "run.vcd --core core.toml -o fast.pet.zst");
    assert_eq!(folder.json(check)["conventions"], port["conventions"]);
    assert_eq!(folder.succeed("trace dump fast.pet.zst"), waves);
    damaged(&folder, "run.vcd");
}

/// A loop of three instructions, of which 3,000 are in the waveform when the bench says so; it does not end by itself.
const ENDLESS: &str = "\
module bench;
    reg clock = 1'b0, valid = 1'b1;
    reg [31:0] pc = 32'd0, count = 32'd0;
    wire [31:0] insn = pc == 32'd8 ? 32'hff9ff06f : 32'h00000013;
    always #5 if (count <= 32'd3100) clock = !clock;
    always @(posedge clock) begin
        pc <= pc == 32'd8 ? 32'd0 : pc + 32'd4;
        count <= count + 32'd1;
        if (count == 32'd3000)
            $dumpflush;
        if (count == 32'd3100) begin
            $display(\"flushed\");
            $fflush;
        end
    end
    initial begin
        $dumpfile(\"killed.fst\");
        $dumpvars;
    end
endmodule
";

/// An FST whose simulation was killed is read as far as it was written, with the names beside it.
#[test]
fn a_simulation_that_is_killed() {
    let folder = Folder::new();
    folder.write("bench.v", ENDLESS);
    let lane = "[[lane]]\nvalid = \"valid\"\nprogram_counter = \"pc\"\ninstruction = \"insn\"\n";
    folder.write(
        "core.toml",
        format!("scope = \"bench\"\nclock = \"clock\"\nisa = \"rv32\"\n{lane}"),
    );
    tool(&folder, "iverilog", &["-g2005", "-o", "bench.vvp", "bench.v"]);
    let mut simulation = Command::new("vvp")
        .args(["bench.vvp", "-fst"])
        .current_dir(folder.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .expect("vvp");
    let said = BufReader::new(simulation.stdout.take().expect("a pipe"));
    let is_flushed = said.lines().map_while(Result::ok).any(|line| line == "flushed");
    simulation.kill().expect("SIGKILL");
    simulation.wait().expect("its end");
    assert!(is_flushed);
    let done = folder.run("trace import killed.fst --core core.toml -o run.pet.zst");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stderr.contains("the simulation was ended before it had written"),
        "{}",
        done.stderr
    );
    let trace = folder.succeed("trace dump run.pet.zst");
    let jumps = trace.lines().filter(|line| line.ends_with("direct-jump 0x8 taken 0x0")).count();
    assert!((900..=1000).contains(&jumps), "{jumps} jumps");
    let port = folder.json("port-check killed.fst --core core.toml --json");
    assert_eq!(port["settings"]["port"], "retired", "{port}");
    std::fs::remove_file(folder.path("killed.fst.hier")).expect("the names");
    let done = folder.run("trace import killed.fst --core core.toml -o run.pet.zst");
    assert!(done.stderr.contains("expected the file with .hier after its name"), "{}", done.stderr);
}

/// A file of FST that is cut or has other bytes is refused, or read as far as it makes sense; nothing ends the command.
fn damaged(folder: &Folder, name: &str) {
    let whole = std::fs::read(folder.path(name)).unwrap();
    assert!(whole.len() > 4000, "{}", whole.len());
    let mut refused = 0;
    for number in 0..60 {
        let mut bytes = whole.clone();
        let place = 9 + number * (whole.len() - 9) / 60;
        match number % 3 {
            0 => bytes.truncate(place),
            1 => bytes[place] ^= 0xff,
            _ => bytes[place..place + 8].fill(0x7f),
        }
        std::fs::write(folder.path("damaged.fst"), bytes).unwrap();
        let done = folder.run("trace import damaged.fst --core core.toml -o damaged.pet");
        let written = folder.path("damaged.pet").exists();
        assert_eq!(done.status == 0, written, "{number}: {}", done.stderr);
        assert!(!done.stderr.contains("panicked"), "{number}: {}", done.stderr);
        if written {
            std::fs::remove_file(folder.path("damaged.pet")).unwrap();
        } else {
            assert!(done.stderr.starts_with("error: damaged.fst"), "{number}: {}", done.stderr);
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn by_hand() {
    let folder = Folder::new();
    folder.write("run.vcd", WAVES);
    folder.write("core.toml", WAVES_CORE);
    import(&folder, "run.vcd --core core.toml -o run.pet");
    assert_eq!(
        folder.succeed("trace dump run.pet"),
        "machine riscv alignment=1 address_bits=32 lengths data\n\
         0 exception 0x0 taken 0x1000\n\
         2 store 0x1004 0xff\n\
         3 direct-jump 0x1008 taken 0x1000\n"
    );
}

/// A waveform that is cut after any byte gives what is before it, and says that it is cut.
#[test]
fn cut() {
    let folder = Folder::new();
    folder.write("core.toml", WAVES_CORE);
    folder.write("run.vcd", WAVES);
    import(&folder, "run.vcd --core core.toml -o run.pet");
    let whole = folder.succeed("trace dump run.pet");
    let first = WAVES.find("#25 1!").expect("the second edge with an instruction");
    let mut said = 0;
    for end in first..WAVES.len() {
        folder.write("run.vcd", &WAVES[..end]);
        let done = folder.run("trace import run.vcd --core core.toml -o cut.pet");
        assert_eq!(done.status, 0, "{end}: {}", done.stderr);
        let events = folder.succeed("trace dump cut.pet");
        let is_beginning = whole.starts_with(events.trim_end());
        assert!(is_beginning && events.contains("exception 0x0"), "{end}: {events}");
        let rest = WAVES[..end].rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_cut = !rest.is_empty() && (rest == "#" || !rest.starts_with('#'))
            || WAVES[..end]
                .trim_end()
                .rsplit_once(' ')
                .is_some_and(|(_, word)| word.starts_with('b'));
        let text = done.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            text.contains("ends in the middle of a change, in line"),
            is_cut,
            "{end}: {text}"
        );
        said += u32::from(is_cut);
    }
    assert!(said > 100, "{said}");
}

/// What this waveform and this file are refused with, on one line.
fn refusal(folder: &Folder, waves: &str, core: &str) -> String {
    folder.write("run.vcd", waves);
    folder.write("core.toml", core);
    let done = folder.run("trace import run.vcd --core core.toml -o run.pet");
    assert_ne!(done.status, 0, "{waves}{core}");
    assert!(done.stderr.starts_with("error: "), "{}", done.stderr);
    assert!(!folder.path("run.pet").exists(), "{}", done.stderr);
    done.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One sentence for each, with the line where it is.
#[test]
fn bad_waveforms() {
    let folder = Folder::new();
    let cases = [
        (
            "b1000000000100 #",
            "b10000000001x0 #",
            "line 22: top.unit.pc has unknown bits in a cycle in which an instruction retires",
        ),
        ("#15 1!", "#15 q!", "line 19: expected a time or a change of a signal, found \"q!\""),
        (
            "b1000000000100 #",
            "b1000000000100",
            "line 19: expected a time or a change of a signal, found \"$\"",
        ),
        (
            "wire 32",
            "wire many",
            "the waveform has no signal \"top.unit.pc\": one whose width is \"many\"",
        ),
        ("$date", "$date \u{1}", "line 1: expected text, found the byte 0x01"),
    ];
    for (from, to, expected) in cases {
        let found = refusal(&folder, &WAVES.replacen(from, to, 1), WAVES_CORE);
        assert!(found.contains(expected), "{found}");
    }
    let vector = "$var wire 32 # pc [31:0] $end";
    assert!(WAVES.contains(vector));
    let pieces = "$var wire 16 # pc [31:16] $end\n$var wire 16 ~ pc [15:0] $end";
    let found = refusal(&folder, &WAVES.replacen(vector, pieces, 1), WAVES_CORE);
    assert!(found.contains("its bits are in 2 declarations, expected one"), "{found}");
    let wide = WAVES.replacen("$var wire 1 \"", "$var wire 32 \"", 1);
    let found = refusal(&folder, &wide, WAVES_CORE);
    assert!(found.contains("expected one bit of top.valid, found 32"), "{found}");
    let found = refusal(&folder, &WAVES.replace("1\"", "0\""), WAVES_CORE);
    assert!(found.contains("valid is 1 at no edge of the clock"), "{found}");
    let found = refusal(&folder, "pc,insn\n1000,13\n", WAVES_CORE);
    assert!(found.contains("names the signals of a waveform, found a table"), "{found}");
    let found = refusal(&folder, &WAVES[..300], WAVES_CORE);
    assert!(found.contains("found the end of the file"), "{found}");
}

/// A file of names that does not fit the waveform, or is none.
#[test]
fn bad_names() {
    let folder = Folder::new();
    let cases = [
        ("unit.pc", "pc", "no signal \"top.pc\": 1 of this name elsewhere: top.unit.pc"),
        ("unit.pc", "unit.pc[32:1]", "top.unit.pc has bits 31 to 0, expected 32 to 1"),
        ("unit.pc", "unit.pc[1:2]", "core.toml, line 6: expected a signal, such as valid"),
        ("clock =", "clocks =", "core.toml, line 2: unknown field `clocks`"),
        (
            "memory_write",
            "# memory_write",
            "core.toml, line 4: expected memory_address together with",
        ),
    ];
    for (from, to, expected) in cases {
        let found = refusal(&folder, WAVES, &WAVES_CORE.replacen(from, to, 1));
        assert!(found.contains(expected), "{found}");
    }
    assert!(refusal(&folder, WAVES, "clock = 1").contains("core.toml, line 1: "));
    let done = folder.run("trace import run.vcd -o run.pet");
    assert!(done.stderr.contains("--core CORE.toml"), "{}", done.stderr);
}
