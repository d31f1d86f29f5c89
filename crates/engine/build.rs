//! Packs the rankers' trees from the text that the training script writes: see `src/search/rerank/written.rs`.

use std::path::Path;
use std::{env, fs};

#[expect(dead_code, reason = "only the program reads nodes")]
#[path = "src/search/rerank/node.rs"]
mod node;
#[path = "src/search/rerank/written.rs"]
mod written;

const TREES: [&str; 5] = ["asked", "asked-chunks", "pasted", "pasted-chunks", "confidence"];

fn main() {
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    for name in TREES {
        let text = Path::new("src/search/rerank").join(format!("{name}.txt"));
        println!("cargo::rerun-if-changed={}", text.display());
        let read = fs::read_to_string(&text).expect("the text is part of the source");
        let packed = written::packed(&read)
            .unwrap_or_else(|| panic!("{name}.txt is not what training/ranker.py writes"));
        fs::write(Path::new(&out).join(format!("{name}.trees")), packed)
            .expect("it can be written");
    }
    for part in ["node", "written"] {
        println!("cargo::rerun-if-changed=src/search/rerank/{part}.rs");
    }
}
