//! The model file: everything an encoder needs, in one piece, ready to be used where it lies.
//!
//! Layout: magic and version, the length and digest of the rest, a header (postcard), then the
//! tensors. Weights are bytes in the kernels' block layout; small tensors are 32-bit floats.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::kernels;
use crate::kernels::product::BLOCK;

/// The first bytes of a model file; the digit is its version. Version 2 holds what version 1 left
/// to be worked out at each start: the sums of the columns, and the tokens in order. Version 3 may
/// hold layers for passages alone, version 4 a judge.
const MAGIC: [u8; 16] = *b"wherein model 4\n";
const PREFIX: usize = MAGIC.len() + 8 + 32;
/// Tensors start at multiples of this, so that no load crosses a cache line.
const ALIGNMENT: usize = 64;

/// What the model is, and where its tensors are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// A name for people.
    pub name: String,
    /// Width of a token's state and of the vector.
    pub hidden: u32,
    /// Attention heads.
    pub heads: u32,
    /// Width between the two products of a layer.
    pub inner: u32,
    /// Added to a variance before its root is taken.
    pub epsilon: f32,
    /// Longest text in tokens.
    pub positions: u32,
    /// How token states become one vector.
    pub pooling: Pooling,
    /// Whether identifiers are split into words before tokenizing.
    pub split_identifiers: bool,
    /// The tokens.
    pub vocabulary: Vocabulary,
    /// Word embeddings as bytes, with a scale a row.
    pub words: Rows,
    /// Position embeddings with the type embedding of type 0 added.
    pub places: Place,
    /// Gain and shift of the first normalisation.
    pub norm: (Place, Place),
    /// The layers, first to last.
    pub layers: Vec<Layer>,
    /// Fewer layers that make nearly the same vectors of passages; none if there are no such.
    pub quick_layers: Vec<Layer>,
    /// What says how well a passage answers a question, if there is such.
    pub judge: Option<Judge>,
}

impl Header {
    fn shape(&self) -> Shape {
        let Header { hidden, heads, inner, positions, .. } = *self;
        Shape { hidden, heads, inner, positions }
    }
}

/// The measures of a model.
#[derive(Clone, Copy)]
pub struct Shape {
    pub hidden: u32,
    pub heads: u32,
    pub inner: u32,
    pub positions: u32,
}

impl Shape {
    /// Whether the kernels can run such a model.
    pub fn check(self) -> Result<(), Error> {
        let fits = |width: u32| width != 0 && width.is_multiple_of(BLOCK as u32);
        if !fits(self.hidden) || !fits(self.inner) {
            return Err(Error::model(format!("its widths must be multiples of {BLOCK}")));
        }
        let head = self.hidden / self.heads.max(1);
        if head * self.heads != self.hidden || !fits(head) {
            return Err(Error::model(format!(
                "{} heads in a width of {} are not supported, only heads of a multiple of {BLOCK}",
                self.heads, self.hidden
            )));
        }
        if self.positions < 2 {
            return Err(Error::model("it has no room for a text"));
        }
        Ok(())
    }
}

/// How token states become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first one.
    First,
}

/// A run of bytes in the file, counted from the end of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub length: u64,
}

/// Tokens in the order of their bytes, to be found by halving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// One after the other, with nothing between them.
    pub text: Place,
    /// Where each ends, as an integer of 32 bits.
    pub ends: Place,
    /// The id of each, as an integer of 32 bits.
    pub ids: Place,
}

/// A matrix whose rows are looked up: bytes and a scale a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// Signed bytes, row after row.
    pub bytes: Place,
    /// One float a row.
    pub scales: Place,
}

/// A matrix that is multiplied with: packed bytes, scales and bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dense {
    /// Bytes in blocks.
    pub packed: Place,
    /// One float a column.
    pub scales: Place,
    /// The sum of each column's bytes, as an integer of 32 bits.
    pub sums: Place,
    /// One float a column.
    pub bias: Place,
}

/// The tensors of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Queries, keys and values side by side.
    pub attention: Dense,
    /// After attention.
    pub output: Dense,
    /// Gain and shift after attention.
    pub norm: (Place, Place),
    /// To the inner width.
    pub up: Dense,
    /// And back.
    pub down: Dense,
    /// Gain and shift at the end.
    pub last_norm: (Place, Place),
}

/// Layers over a question and a passage end to end, and what makes a number of the mean of their states. Only a model
/// that pools by the mean can have such.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judge {
    /// The layers, first to last.
    pub layers: Vec<Layer>,
    /// What each direction of the mean counts, a float each.
    pub weights: Place,
    /// Added to their sum.
    pub bias: f32,
}

/// A model file in memory, checked.
pub struct ModelFile<'m> {
    /// What it is.
    pub header: Header,
    tensors: &'m [u8],
}

impl<'m> ModelFile<'m> {
    /// Reads a file that was checked when the program was built.
    pub fn trusted(bytes: &'m [u8]) -> Result<ModelFile<'m>, Error> {
        let body = body(bytes)?;
        let (header, rest) = postcard::take_from_bytes::<Header>(body)
            .map_err(|e| Error::model(format!("bad header: {e}")))?;
        let used = body.len() - rest.len();
        let tensors = body
            .get((PREFIX + used).next_multiple_of(ALIGNMENT) - PREFIX..)
            .ok_or_else(|| Error::model("it has no tensors"))?;
        header.shape().check()?;
        Ok(ModelFile { header, tensors })
    }

    /// Reads a file from anywhere: its digest must be right.
    pub fn checked(bytes: &'m [u8]) -> Result<ModelFile<'m>, Error> {
        let body = body(bytes)?;
        let digest = &bytes[PREFIX - 32..PREFIX];
        if blake3::hash(body).as_bytes() != digest {
            return Err(Error::model("its checksum is wrong; get the file again"));
        }
        ModelFile::trusted(bytes)
    }

    /// The digest a file says it has, in hexadecimal digits.
    pub fn digest(bytes: &[u8]) -> Option<String> {
        let digest = bytes.get(PREFIX - 32..PREFIX)?;
        Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The bytes at a place.
    pub fn bytes(&self, place: Place) -> Result<&'m [u8], Error> {
        let range = Range {
            start: place.offset as usize,
            end: place.offset.saturating_add(place.length) as usize,
        };
        self.tensors.get(range).ok_or_else(|| Error::model("a tensor lies outside the file"))
    }

    /// The floats at a place, of which there must be `count`; where they lie, if this machine can read them there.
    pub fn floats(&self, place: Place, count: usize) -> Result<Cow<'m, [f32]>, Error> {
        Ok(kernels::numbers(self.words(place, count)?))
    }

    /// The same of integers.
    pub fn integers(&self, place: Place, count: usize) -> Result<Cow<'m, [i32]>, Error> {
        Ok(kernels::numbers(self.words(place, count)?))
    }

    /// The floats or integers at a place as they lie there, of which there must be `count`.
    pub fn words(&self, place: Place, count: usize) -> Result<&'m [[u8; 4]], Error> {
        let (words, rest) = self.bytes(place)?.as_chunks();
        match words.len() == count && rest.is_empty() {
            true => Ok(words),
            false => Err(Error::model(format!(
                "a tensor has {} numbers instead of {count}",
                words.len()
            ))),
        }
    }
}

fn body(bytes: &[u8]) -> Result<&[u8], Error> {
    if !bytes.starts_with(&MAGIC[..]) {
        return Err(Error::model("it is not a model file of this version"));
    }
    let length = bytes
        .get(MAGIC.len()..MAGIC.len() + 8)
        .map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default()));
    match (length, bytes.get(PREFIX..)) {
        (Some(length), Some(body)) if body.len() as u64 == length => Ok(body),
        _ => Err(Error::model("it is cut short")),
    }
}

/// Collects tensors and writes the file.
#[derive(Default)]
pub struct ModelWriter {
    tensors: Vec<u8>,
}

impl ModelWriter {
    /// Adds bytes and says where they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Place {
        self.tensors.resize(self.tensors.len().next_multiple_of(ALIGNMENT), 0);
        let place = Place { offset: self.tensors.len() as u64, length: bytes.len() as u64 };
        self.tensors.extend_from_slice(bytes);
        place
    }

    /// Adds floats and says where they are.
    pub fn floats(&mut self, floats: &[f32]) -> Place {
        let bytes: Vec<u8> = floats.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.bytes(&bytes)
    }

    /// Adds integers and says where they are.
    pub fn integers(&mut self, integers: impl Iterator<Item = i32>) -> Place {
        let bytes: Vec<u8> = integers.flat_map(i32::to_le_bytes).collect();
        self.bytes(&bytes)
    }

    /// Adds tokens, given in the order of their ids.
    pub fn vocabulary(&mut self, tokens: &[String]) -> Vocabulary {
        let mut sorted: Vec<(&str, i32)> = tokens.iter().map(String::as_str).zip(0..).collect();
        sorted.sort_unstable();
        let text: String = sorted.iter().map(|(token, _)| *token).collect();
        let ends = sorted.iter().scan(0, |end, (token, _)| {
            *end += token.len() as i32;
            Some(*end)
        });
        Vocabulary {
            text: self.bytes(text.as_bytes()),
            ends: self.integers(ends),
            ids: self.integers(sorted.iter().map(|(_, id)| *id)),
        }
    }

    /// Adds a matrix of rows to be looked up.
    pub fn rows(&mut self, values: &[f32], width: usize) -> Rows {
        let (mut bytes, mut scales) = (Vec::with_capacity(values.len()), Vec::new());
        for row in values.chunks_exact(width) {
            let scale = scale_of(row.iter().copied());
            bytes.extend(row.iter().map(|&x| byte_of(x, scale)));
            scales.push(scale);
        }
        Rows { bytes: self.bytes(&bytes), scales: self.floats(&scales) }
    }

    /// Adds a matrix to be multiplied with: `weights[output][input]`, as trained.
    pub fn dense(&mut self, weights: &[f32], inputs: usize, bias: &[f32]) -> Dense {
        let outputs = weights.len() / inputs;
        let scales: Vec<f32> =
            weights.chunks_exact(inputs).map(|column| scale_of(column.iter().copied())).collect();
        let (mut packed, mut sums) = (vec![0; weights.len()], vec![0; outputs]);
        for output in 0..outputs {
            for input in 0..inputs {
                let block = output / BLOCK * inputs * BLOCK;
                let at = block + input / 4 * 4 * BLOCK + output % BLOCK * 4 + input % 4;
                packed[at] = byte_of(weights[output * inputs + input], scales[output]);
                sums[output] += i32::from(packed[at] as i8);
            }
        }
        Dense {
            packed: self.bytes(&packed),
            scales: self.floats(&scales),
            sums: self.integers(sums.into_iter()),
            bias: self.floats(bias),
        }
    }

    /// The whole file.
    pub fn finish(self, header: &Header) -> Vec<u8> {
        let mut body =
            postcard::to_stdvec(header).expect("a header holds nothing that cannot be encoded");
        body.resize((PREFIX + body.len()).next_multiple_of(ALIGNMENT) - PREFIX, 0);
        body.extend_from_slice(&self.tensors);
        let mut file = MAGIC.to_vec();
        file.extend_from_slice(&(body.len() as u64).to_le_bytes());
        file.extend_from_slice(blake3::hash(&body).as_bytes());
        file.extend_from_slice(&body);
        file
    }
}

fn scale_of(values: impl Iterator<Item = f32>) -> f32 {
    (values.fold(0f32, |most, x| most.max(x.abs())) / 127.0).max(1e-12)
}

fn byte_of(x: f32, scale: f32) -> u8 {
    (x / scale).round().clamp(-127.0, 127.0) as i8 as u8
}
