//! Commands that have to fail.

use std::fs;

use super::Folder;

/// Runs commands that have to fail and shows what they say.
pub struct Bad {
    /// Where they run.
    pub folder: Folder,
    /// What is in it, before and after.
    pub names: Vec<String>,
    /// Commands and errors, for a snapshot.
    pub shown: String,
}

impl Bad {
    /// Commands in this folder.
    pub fn new(folder: Folder) -> Bad {
        Bad { names: folder.names(), folder, shown: String::new() }
    }

    /// Runs one that has to end with this status, one sentence, and nothing left over. A decoder that has got
    /// somewhere says so, leaves what it has as a part, and ends with 3.
    pub fn fails(&mut self, mut status: i32, arguments: &str) {
        let done = self.folder.run(arguments);
        if done.stderr.contains(" events were decoded, then ") {
            status = 3;
            let (before, names) = (&self.names, self.folder.names());
            let parts: Vec<_> = names.iter().filter(|name| !before.contains(name)).collect();
            assert!(parts.len() == 1 && parts[0].contains(".part-1."), "{arguments}: {parts:?}");
            fs::remove_file(self.folder.path(parts[0])).expect("a file");
        }
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert_eq!(done.stdout, "", "{arguments}");
        assert!(
            done.stderr.starts_with("error: ") && done.stderr.lines().count() == 1,
            "{arguments}: {}",
            done.stderr
        );
        assert_eq!(self.folder.names(), self.names, "{arguments} left something behind");
        self.shown += &format!("$ tracewright {arguments}\n{status} {}\n", done.stderr);
    }
}

/// One of each kind of bad trace, made from the good `run.pet.zst`.
pub fn bad_traces(folder: &Folder) -> Vec<&'static str> {
    let good = folder.read("run.pet.zst");
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 4;
    folder.write("empty.pet.zst", "");
    folder.write("cut.pet.zst", &good[..good.len() / 2]);
    folder.write("flipped.pet.zst", flipped);
    folder.write("magic.pet.zst", "GIF89a, which is no trace");
    folder.write("future.pet.zst", b"PET2\0\x02\x20 to come");
    // A zstd frame that asks for a window of 4 GB.
    folder.write("huge.pet.zst", [0x28, 0xb5, 0x2f, 0xfd, 0x00, 22 << 3, 0, 0, 0]);
    folder.write(
        "long.txt",
        format!("machine arm alignment=2 address_bits=32\n# {}", "x".repeat(5000)),
    );
    folder.write(
        "typo.txt",
        "machine arm alignment=2 address_bits=32\n5 direct-jmp 0x1000 taken 0x1040\n",
    );
    fs::create_dir(folder.path("folder")).expect("a folder");
    vec![
        "missing.pet.zst",
        "folder",
        "empty.pet.zst",
        "cut.pet.zst",
        "flipped.pet.zst",
        "magic.pet.zst",
        "future.pet.zst",
        "huge.pet.zst",
        "long.txt",
        "typo.txt",
    ]
}

/// Runs commands that fail with this status and say this.
pub fn refused(folder: &Folder, cases: &[(String, i32, &str)]) {
    for (arguments, status, part) in cases {
        let done = folder.run(arguments);
        assert_eq!(done.status, *status, "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(part), "{arguments}: {}", done.stderr);
    }
}
