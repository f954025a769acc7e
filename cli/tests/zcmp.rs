//! Programs with Zcmp and Zcmt: what their files say, and what only an option does.

use std::path::Path;

use crate::common::Folder;

/// The calls and returns of `workloads/zcmp` balance, so that no call is in itself.
const STACKS: &str = "\
_start 2
main 32
main;top 65
main;top;leaf 30
main;top;work 302
main;top;work;leaf 300
";

fn workload(name: &str) -> String {
    let workloads = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads/zcmp");
    workloads.join(name).display().to_string()
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// The program without anything that says its extensions: neither sections nor the segment of its attributes.
fn stripped() -> Vec<u8> {
    let mut elf = std::fs::read(workload("calls.elf")).expect("a workload");
    put(&mut elf, 32, 0);
    elf[48..52].fill(0);
    put(&mut elf, 52 + 5 * 32, 0);
    elf
}

/// The trace as text.
fn dump(folder: &Folder, trace: &str) -> String {
    folder.succeed(&format!("trace dump {trace} -o {trace}.txt"));
    folder.text(&format!("{trace}.txt"))
}

#[test]
fn a_program_whose_functions_return_by_cm_popret() {
    let folder = Folder::new();
    folder.write("stripped.elf", stripped());
    let (elf, run) = (workload("calls.elf"), workload("calls.txt.zst"));
    folder.succeed(&format!("trace convert {run} -o run.txt"));
    folder.succeed("encode traptor-m4 run.txt --set alignment=1 -o run.bits");
    let programs = [format!("--program {elf}"), "--program stripped.elf --extensions zcmp".into()];
    for program in &programs {
        folder.succeed(&format!("decode run.bits {program} -o back.pet.zst"));
        assert_eq!(dump(&folder, "back.pet.zst"), folder.text("run.txt"));
        folder.succeed(&format!("view run.bits {program} --listing listing.txt"));
        let listing = folder.text("listing.txt");
        assert!(listing.contains("  cm.popret {ra, s0-s4}, 32  ; returns to "), "{listing}");
        folder.succeed(&format!(
            "trace import {} {program} -o log.pet.zst",
            workload("calls.log.zst")
        ));
        assert!(dump(&folder, "log.pet.zst").starts_with(&folder.text("run.txt")));
    }
    folder.succeed(&format!("view run.bits {} --folded folded.txt", programs[0]));
    assert_eq!(folder.text("folded.txt"), STACKS);
    let done = folder.run("decode run.bits --program stripped.elf -o bad.pet.zst");
    assert_ne!(done.status, 0);
    let done =
        folder.run("decode run.bits --program stripped.elf --extensions zcmp,zba -o bad.pet.zst");
    let said = "expected an extension that changes the flow (zcmp, zcmt), found \"zba\"";
    assert!(done.stderr.contains(said), "{}", done.stderr);
}

#[test]
fn what_runs_programs_itself_refuses_them() {
    let folder = Folder::new();
    let done = folder.run(&format!("wset capture {} -o run.wset", workload("calls.elf")));
    let said = "expected a program without instructions of Zcmp and Zcmt, found one for a processor with zcmp";
    assert_eq!(done.status, 1);
    assert!(done.stderr.replace('\n', " ").contains(said), "{}", done.stderr);
}

/// `cm.jalt 32`, `cm.jt 0`, a loop, and a return, with the table at 0x10040: an encoder that does as N-Trace says does not
/// send where they lead.
#[test]
fn jumps_by_a_table() {
    let folder = Folder::new();
    let mut elf = stripped();
    // The segment of the code ends after the entry 32 of the table.
    put(&mut elf, 52 + 2 * 32 + 16, 0xc4);
    put(&mut elf, 52 + 2 * 32 + 20, 0xc4);
    let code = [0x82, 0xa0, 0x02, 0xa0, 0x01, 0xa0, 0x82, 0x80];
    elf[0x1000..0x1008].copy_from_slice(&code);
    put(&mut elf, 0x1040, 0x1_0004);
    put(&mut elf, 0x10c0, 0x1_0006);
    folder.write("jumps.elf", elf);
    let trace = |kind: &str| {
        format!(
            "\
machine riscv alignment=1 address_bits=32 lengths
0 exception 0x0 taken 0x10000
1 {kind} 0x10000 call length=2 taken 0x10006
1 indirect-jump 0x10006 return taken 0x10002
1 {kind} 0x10002 taken 0x10004
1 direct-jump 0x10004 taken 0x10004
"
        )
    };
    let program = "--program jumps.elf --extensions zcmt";
    for (kind, table) in [("indirect-jump", ""), ("direct-jump", "--jump-table 0x10040")] {
        folder.write("run.txt", trace(kind));
        folder.succeed("encode traptor-m4 run.txt --set alignment=1 -o run.bits");
        folder.succeed(&format!("decode run.bits {program} {table} -o back.pet.zst"));
        assert_eq!(dump(&folder, "back.pet.zst"), trace(kind));
        folder.succeed(
            "encode ntrace-htm run.txt --set alignment=1 --standard ntrace -o run.nex --encoder run.toml",
        );
        let standard = "--standard ntrace --encoder run.toml";
        folder.succeed(&format!("decode {standard} run.nex {program} {table} -o back.pet.zst"));
        let found = dump(&folder, "back.pet.zst");
        let events = |text: &str| {
            text.lines().filter(|line| line.contains("jump")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(events(&found), events(&trace(kind)));
    }
    let done =
        folder.run(&format!("decode run.bits {program} --jump-table 0x20000 -o bad.pet.zst"));
    let said = "expected the jump table at 0x20000 in the code of the program's files";
    assert!(done.stderr.replace('\n', " ").contains(said), "{}", done.stderr);
}
