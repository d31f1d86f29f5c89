//! Any tree: names, ignore files and contents out of the input. Walking it never fails, and what it
//! lists is there.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use wherein_corpus::{WalkSettings, read, walk};

/// Names that mean something to the walker, besides those of the input.
const NAMES: [&str; 8] =
    [".gitignore", ".ignore", ".whereinignore", ".git", "a.py", "b.rs", "c", "d.min.js"];

fuzz_target!(|input: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    for piece in input.split(|&byte| byte == 0xff).take(12) {
        make(folder.path(), piece);
    }
    let settings = WalkSettings::default();
    let found = walk(folder.path(), &settings).expect("the root is there");
    for file in &found.files {
        let path = folder.path().join(&file.path);
        assert!(path.symlink_metadata().is_ok_and(|it| it.is_file()), "{}", file.path);
        let _ = read(&path, settings.max_file_size);
    }
});

/// A file or folder: where, under which name, with what in it.
fn make(root: &Path, piece: &[u8]) {
    let [depth, name, rest @ ..] = piece else { return };
    let mut folder = root.to_owned();
    (0..depth % 4).for_each(|level| folder.push(NAMES[4 + usize::from(level)]));
    if std::fs::create_dir_all(&folder).is_err() {
        return;
    }
    let own = String::from_utf8_lossy(&rest[..rest.len().min(6)]).replace(['/', '\0'], "_");
    let name = match name % 16 {
        known @ 0..8 => NAMES[usize::from(known)],
        _ if own.is_empty() || own == "." || own == ".." => return,
        _ => &own,
    };
    let path = folder.join(name);
    if depth & 0x80 == 0 {
        let _ = std::fs::write(path, rest);
    } else {
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(NAMES[usize::from(depth % 8)], path);
    }
}
