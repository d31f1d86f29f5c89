//! Files of an index that hold anything at all: read or refused, never more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherein_corpus::Digest;
use wherein_engine::Store;
use wherein_engine::index::manifest::Manifest;
use wherein_engine::index::pack::{self, Pack};
use wherein_engine::index::transfer;
use wherein_engine::index::vectors::list::List;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    if choice % 4 == 0 {
        let _ = pack::decode(bytes);
        return;
    }
    let Ok(folder) = tempfile::tempdir() else { return };
    let place = Store::at(folder.path().join("index")).tree(folder.path());
    match choice % 4 {
        1 => {
            let path = folder.path().join("any.pack");
            if std::fs::write(&path, bytes).is_ok() {
                let _ = Pack::open_any(&path).map(|pack| pack.find(Digest::of(b"any")));
            }
        }
        2 => {
            let _ = transfer::import(&place, bytes);
        }
        _ => {
            if std::fs::create_dir_all(place.vectors()).is_ok() {
                let _ = std::fs::write(place.vector_list(), bytes);
                let _ = std::fs::write(place.manifest(), bytes);
                let _ = (List::load(&place), Manifest::load_from(&place.folder));
            }
        }
    }
});
