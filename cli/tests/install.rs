//! The installed command, in a folder to which it was copied.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Done, Folder, done, workload};

/// The largest size of the command in bytes.
const MOST_BYTES: u64 = 51 << 20;

/// An installation that was moved, and a folder to work in.
pub struct Installed {
    folder: Folder,
    pub prefix: PathBuf,
}

impl Installed {
    pub fn new() -> Installed {
        let folder = Folder::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let command = Path::new(env!("CARGO_BIN_EXE_tracewright"));
        let installed = Command::new(root.join("scripts/install"))
            .env("DESTDIR", folder.path("root"))
            .env("PREFIX", "/usr")
            .env("RELEASE", command.parent().expect("a folder"))
            .output()
            .expect("the script");
        let said = String::from_utf8_lossy(&installed.stderr);
        assert!(installed.status.success() && said.is_empty(), "{said}");
        let prefix = folder.path("moved");
        fs::rename(folder.path("root/usr"), &prefix).expect("moved");
        Installed { folder, prefix }
    }

    /// Runs the installed command without what the build has on its search path.
    fn run(&self, arguments: &str) -> Done {
        let path = std::env::var("PATH").unwrap_or_default();
        let path: Vec<&str> = path.split(':').filter(|folder| !folder.contains("venv")).collect();
        let mut command = Command::new(self.prefix.join("bin/tracewright"));
        command.args(arguments.split_whitespace()).current_dir(self.folder.path("."));
        command.env("PATH", path.join(":")).env_remove("TRACEWRIGHT_PLUGIN");
        done(command.output().expect("the command"))
    }

    fn succeed(&self, arguments: &str) {
        let done = self.run(arguments);
        assert_eq!(done.status, 0, "{arguments}: {}", done.stderr);
    }
}

/// Tests are refused before anything is compiled where they would fail.
#[test]
fn a_path_with_a_space_is_told() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("with space/scripts")).expect("folders");
    let setup = folder.path("with space/scripts/setup");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/setup"), &setup)
        .expect("copied");
    let said = done(Command::new(setup).arg("test").output().expect("the script"));
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stderr.contains("/with space'; make alone works here"), "{}", said.stderr);
}

#[test]
fn the_main_commands_run_from_another_folder() {
    let installed = Installed::new();
    let bytes = fs::metadata(installed.prefix.join("bin/tracewright")).expect("the command").len();
    assert!(bytes < MOST_BYTES, "the command has {bytes} bytes");
    let elf = Path::new(&workload("x")).with_file_name("rv32imac-crc.elf");
    for command in [
        "designs traptor-m4",
        "generate traptor-m4 -o verilog",
        "trace generate --events 1000 --isa arm --seed 1 -o run.pet.zst",
        "encode traptor-m4 run.pet.zst -o run.bits",
        "decode run.bits --program run.pet.zst -o back.pet.zst",
        "measure --design traptor-m4 run.pet.zst",
        "cosim traptor-m4 run.pet.zst",
        "capture -o true.pet.zst -- true",
        "trace verify true.pet.zst",
    ] {
        installed.succeed(command);
    }
    installed.succeed(&format!("wset capture {} -o run.wset --limit 10000", elf.display()));
    // The designs that other tests have on these cores.
    for (core, design) in [("picorv32", "traptor-m4"), ("ibex", "stream-rbase-32")] {
        installed.succeed(&format!("live {design} {} --core {core} --limit 2000", elf.display()));
    }
    // Its model takes a minute to build.
    let cva6 = installed.prefix.join("share/tracewright/cores/cva6");
    assert!(cva6.join("core/cva6.sv").exists() && cva6.join("LICENSE").exists());
}

#[test]
fn manual_and_completions_have_every_command() {
    let installed = Installed::new();
    let page = |name: &str| {
        let path = installed.prefix.join(format!("share/man/man1/{name}.1"));
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(page("tracewright").contains(".TH tracewright 1"));
    for name in ["tracewright-encode", "tracewright-trace-info", "tracewright-wset-replay"] {
        assert!(page(name).contains("\\-\\-max\\-events"), "{name}");
    }
    let page = page("tracewright-measure");
    for heading in [".SH EXAMPLES", ".SH NOTES", ".SH \"SEE ALSO\""] {
        assert!(page.contains(heading) && !page.contains("EXTRA"), "{heading}: {page}");
    }
    let completions = [
        "bash-completion/completions/tracewright",
        "zsh/site-functions/_tracewright",
        "fish/vendor_completions.d/tracewright.fish",
    ];
    for file in completions {
        let path = installed.prefix.join("share").join(file);
        let text = fs::read_to_string(&path).expect("completions");
        assert!(text.contains("coverage") && text.contains("max-events"), "{file}");
    }
}
