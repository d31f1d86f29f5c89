//! Models that run in this process: the one inside the program, and those in a folder.

use std::fs;
use std::path::Path;

use crate::bert::Bert;
use crate::encode::{Model, Quick};
use crate::error::Error;
use crate::model::ModelFile;
use crate::safetensors::{Besides, convert};

/// Puts the bytes where wide loads cross no cache line.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static SMALL: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/small.model"));

/// The built-in model. Its pages are read from the program's file when they are first needed.
pub fn built_in() -> Result<Bert, Error> {
    Bert::load(&ModelFile::trusted(&SMALL.0)?)
}

/// Raised when the kernels give other vectors for the same weights.
const ARITHMETIC: u32 = 2;

/// The name of vectors that the model inside the program makes in a certain way.
fn inside(way: &str) -> String {
    let digest = ModelFile::digest(&SMALL.0).unwrap_or_default();
    format!("{way} {}.{ARITHMETIC}", &digest[..digest.len().min(16)])
}

impl Model {
    /// The model inside the program: few layers for passages, all of them for questions.
    pub fn built_in() -> Model {
        Model::new(inside("built-in"), || Ok(Box::new(Quick(built_in()?))))
    }

    /// The same model with all its layers for passages too: better vectors at a higher cost.
    pub fn large() -> Model {
        Model::new(inside("large"), || Ok(Box::new(built_in()?)))
    }

    /// A sentence encoder of the BERT family in a folder: `config.json`, `tokenizer.json` and
    /// `model.safetensors`. Its vectors are named after the weights' path, size and age.
    pub fn in_folder(folder: &Path) -> Result<Model, Error> {
        let weights = folder.join("model.safetensors");
        let unreadable = |error: std::io::Error| Error::Read {
            path: weights.clone(),
            reason: error.to_string(),
        };
        let metadata = fs::metadata(&weights).map_err(unreadable)?;
        let age = metadata.modified().map_err(unreadable)?;
        let age = age.duration_since(std::time::UNIX_EPOCH).map_or(0, |age| age.as_nanos());
        let (path, size) = (folder.display(), metadata.len());
        let id = format!("folder {path} {size} {age:x}.{ARITHMETIC}");
        let folder = folder.to_owned();
        Ok(Model::new(id, move || {
            // A model lives as long as the program.
            let file: &'static [u8] =
                convert(&folder, Besides::default(), &folder.to_string_lossy())?.leak();
            Ok(Box::new(Bert::load(&ModelFile::trusted(file)?)?))
        }))
    }
}
