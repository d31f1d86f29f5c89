//! The model that ships inside the program.

use crate::bert::Bert;
use crate::error::Error;
use crate::model::ModelFile;

/// Puts the bytes where wide loads cross no cache line.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static SMALL: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/small.model"));

/// The built-in model. Its pages are read from the program's file when they are first needed.
pub fn built_in() -> Result<Bert, Error> {
    Bert::load(&ModelFile::trusted(&SMALL.0)?)
}
