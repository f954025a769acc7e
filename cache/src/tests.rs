//! Good entries, damaged ones, and directories of others.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use super::*;

fn build(cache: &Cache, text: &str) -> Result<String, Error> {
    let path = cache.get_or_build("thing", |room| {
        let file = room.join("made");
        fs::write(&file, text).map_err(Error::of(&file))?;
        Ok::<_, Error>(file)
    })?;
    fs::read_to_string(&path).map_err(Error::of(&path))
}

#[test]
fn of_many_one_builds() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path().join("not").join("there"));
    let builds = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let path = cache
                    .get_or_build("thing", |room| {
                        builds.fetch_add(1, Ordering::Relaxed);
                        thread::sleep(Duration::from_millis(20));
                        let file = room.join("made");
                        fs::write(&file, "made").map_err(Error::of(&file))?;
                        Ok::<_, Error>(file)
                    })
                    .expect("built");
                assert_eq!(fs::read_to_string(path).expect("there"), "made");
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
    let left = fs::read_dir(cache.directory()).expect("a directory").count();
    assert_eq!(left, 2, "only the file and its digest are left");
    let mode = fs::metadata(cache.directory()).expect("a directory").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_failed_build_leaves_nothing_under_the_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path());
    let failed = cache.get_or_build("thing", |room| {
        fs::write(room.join("half"), "half").map_err(Error::of(room))?;
        Err(Error::NoDirectory)
    });
    assert!(matches!(failed, Err(Error::NoDirectory)));
    assert!(!directory.path().join("thing").exists());
}

#[test]
fn a_directory_that_cannot_be_is_an_error() {
    let error = build(&Cache::at("/dev/null/cache"), "made").expect_err("no directory");
    assert!(matches!(error, Error::File { .. }), "{error}");
    assert!(error.to_string().contains("TRACEWRIGHT_CACHE"), "{error}");
}

/// Every single bit of an entry and of its digest.
#[test]
fn a_damaged_entry_is_made_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path());
    build(&cache, "the first text").expect("built");
    for name in ["thing", "thing.sha256"] {
        let path = directory.path().join(name);
        for bit in 0..8 * fs::read(&path).expect("an entry").len() {
            let mut bytes = fs::read(&path).expect("an entry");
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).expect("written");
            assert_eq!(build(&cache, "the other text").expect("built"), "the other text", "{name}");
        }
        fs::write(&path, "").expect("written");
        assert_eq!(build(&cache, "a third text").expect("built"), "a third text");
        fs::remove_file(&path).expect("removed");
        assert_eq!(build(&cache, "a fourth text").expect("built"), "a fourth text");
    }
}

#[test]
fn an_entry_that_is_a_link_or_open_to_others_is_made_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path().join("cache"));
    build(&cache, "good").expect("built");
    let path = cache.directory().join("thing");
    let elsewhere = directory.path().join("elsewhere");
    fs::rename(&path, &elsewhere).expect("moved");
    symlink(&elsewhere, &path).expect("a link");
    assert_eq!(build(&cache, "made again").expect("built"), "made again");
    assert_eq!(fs::read_to_string(&elsewhere).expect("a file"), "good");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("changed");
    assert_eq!(build(&cache, "and again").expect("built"), "and again");
}

#[test]
fn a_lock_that_is_a_link_is_not_followed() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path().join("cache"));
    fs::create_dir(cache.directory()).expect("a directory");
    let precious = directory.path().join("precious");
    fs::write(&precious, "text").expect("written");
    symlink(&precious, cache.directory().join("thing.lock")).expect("a link");
    assert!(matches!(build(&cache, "made"), Err(Error::File { .. })));
    assert_eq!(fs::read_to_string(&precious).expect("a file"), "text");
}

#[test]
fn a_directory_that_others_can_write_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path());
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).expect("changed");
    for refused in
        [build(&cache, "made").err(), cache.bytes("thing").err(), cache.keep("a", b"").err()]
    {
        let said = refused.expect("refused").to_string();
        assert!(said.contains("others can write to it (mode 777)"), "{said}");
    }
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("changed");
    build(&cache, "made").expect("built");
    // A link of the user's own is followed to a directory of the user's own.
    let link = directory.path().join("link");
    symlink(directory.path(), &link).expect("a link");
    assert_eq!(build(&Cache::at(&link), "not needed").expect("found"), "made");
}

#[test]
fn bytes_are_kept_as_long_as_they_are_good() {
    let directory = tempfile::tempdir().expect("a directory");
    let cache = Cache::at(directory.path()).within("figures");
    assert_eq!(cache.bytes("thing").expect("a directory"), None);
    cache.keep("thing", b"6944").expect("kept");
    assert_eq!(cache.bytes("thing").expect("a directory").as_deref(), Some(&b"6944"[..]));
    fs::write(cache.directory().join("thing"), "6744").expect("written");
    assert_eq!(cache.bytes("thing").expect("a directory"), None);
    cache.keep("thing", b"6944").expect("kept");
    assert!(cache.bytes("thing").expect("a directory").is_some());
}
