//! The encoder itself: token ids to one unit vector a text.
//!
//! Texts of a batch are laid end to end without padding, so a batch costs what its tokens cost and
//! nothing has to be sorted. Products run on bytes; everything between them on 32-bit floats.

use std::borrow::Cow;
use std::cell::RefCell;

use rayon::prelude::*;

use crate::error::Error;
use crate::kernels::attention::{AttentionScratch, Heads, attend};
use crate::kernels::math::Quantised;
use crate::kernels::product::Matrix;
use crate::kernels::{self, Level};
use crate::model::{Dense, Header, Judge, Layer, ModelFile, Place, Pooling, Vocabulary};
use crate::wordpiece::WordPiece;
use crate::words::split_identifiers;

/// A loaded model.
pub struct Bert {
    header: Header,
    tokens: WordPiece<'static>,
    words: Bytes,
    word_scales: Words,
    places: Words,
    norm: Norm,
    layers: Vec<LoadedLayer>,
    quick_layers: Vec<LoadedLayer>,
    judge: Option<LoadedJudge>,
    level: Level,
}

type Bytes = &'static [u8];
/// Floats where they lie in the file: of thousands of rows, a query needs a few.
type Words = &'static [[u8; 4]];

/// Numbers of which all are needed: where they lie, or copied.
type Numbers<T> = Cow<'static, [T]>;

struct Norm {
    gain: Numbers<f32>,
    shift: Numbers<f32>,
}

struct LoadedDense {
    packed: Bytes,
    inputs: usize,
    outputs: usize,
    scales: Numbers<f32>,
    sums: Numbers<i32>,
    bias: Numbers<f32>,
}

struct LoadedLayer {
    attention: LoadedDense,
    output: LoadedDense,
    norm: Norm,
    up: LoadedDense,
    down: LoadedDense,
    last_norm: Norm,
}

struct LoadedJudge {
    layers: Vec<LoadedLayer>,
    weights: Numbers<f32>,
    bias: f32,
}

/// What is read of a text when it should cost little, in tokens.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    /// A text of at most so many is read as it stands.
    pub whole: usize,
    /// Of a longer one the first so many as they stand …
    pub head: usize,
    /// … and then, so many in all, each word that comes up only later.
    pub told: usize,
}

/// Tokens of a batch that stay in a core's own cache on their way through a layer.
const BATCH_TOKENS: usize = 256;

impl Bert {
    /// Prepares a model whose bytes live as long as the program.
    pub fn load(file: &ModelFile<'static>) -> Result<Bert, Error> {
        let header = file.header.clone();
        let (hidden, inner) = (header.hidden as usize, header.inner as usize);
        let words = file.bytes(header.words.bytes)?;
        let count = words.len() / hidden;
        let Vocabulary { text, ends, ids } = header.vocabulary;
        let (ends, ids) = (file.words(ends, count)?, file.words(ids, count)?);
        let tokens = WordPiece::new(file.bytes(text)?, ends, ids)
            .ok_or_else(|| Error::model("its vocabulary lacks [UNK], [CLS] or [SEP]"))?;
        let loader = Loader { file };
        let load = |layers: &[Layer]| -> Result<Vec<LoadedLayer>, Error> {
            layers.iter().map(|layer| loader.layer(layer, hidden, inner)).collect()
        };
        let (layers, quick_layers) = (load(&header.layers)?, load(&header.quick_layers)?);
        let judge = |it: &Judge| -> Result<LoadedJudge, Error> {
            let weights = file.floats(it.weights, hidden)?;
            Ok(LoadedJudge { layers: load(&it.layers)?, weights, bias: it.bias })
        };
        Ok(Bert {
            tokens,
            words,
            word_scales: file.words(header.words.scales, count)?,
            places: file.words(header.places, header.positions as usize * hidden)?,
            norm: loader.norm(header.norm, hidden)?,
            layers,
            quick_layers,
            judge: header.judge.as_ref().map(judge).transpose()?,
            level: Level::best(),
            header,
        })
    }

    /// The same model on another instruction set, for comparison.
    pub fn at(self, level: Level) -> Bert {
        Bert { level, ..self }
    }

    /// What the model is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// One unit vector a text, each text cut at `limit` tokens, on every core. A single one, as a
    /// question is, stays on this thread: to hand it to another takes turns that others wait for.
    pub fn encode_up_to(&self, texts: &[&str], limit: usize) -> Vec<Vec<f32>> {
        if let [text] = texts {
            return units(self.batch(&[self.ids(text, limit)], &self.layers));
        }
        let ids = texts.par_iter().map(|text| self.ids(text, limit)).collect();
        units(self.run(ids, &self.layers))
    }

    /// Nearly the same vectors for a part of the cost: by the quick layers, and of less of a text.
    pub fn encode_quickly(&self, texts: &[&str], read: Glance) -> Vec<Vec<f32>> {
        if self.quick_layers.is_empty() {
            return self.encode_up_to(texts, read.whole);
        }
        let ids = texts.par_iter().map(|text| self.glanced(text, read)).collect();
        units(self.run(ids, &self.quick_layers))
    }

    /// How well each passage answers a question, read together with it; the higher the better. None if the model has
    /// no judge. Of the question at most `asked` tokens are read.
    pub fn judge(
        &self,
        question: &str,
        asked: usize,
        passages: &[&str],
        read: Glance,
    ) -> Option<Vec<f32>> {
        let judge = self.judge.as_ref()?;
        let question = self.ids(question, asked);
        let together = |passage: &&str| {
            // The frame between the two stands once.
            let passage = self.glanced(passage, read);
            let mut ids = [&question, passage.get(1..).unwrap_or_default()].concat();
            ids.truncate(self.limit(ids.len()));
            ids
        };
        let ids: Vec<Vec<u32>> = passages.par_iter().map(together).collect();
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let sums = self.run(ids, &judge.layers);
        let worth = |(sum, length): (Vec<f32>, usize)| {
            let told: f32 = sum.iter().zip(&*judge.weights).map(|(x, weight)| x * weight).sum();
            told / length as f32 + judge.bias
        };
        Some(sums.into_iter().zip(lengths).map(worth).collect())
    }

    /// The token ids that are read of a text that should cost little.
    pub fn glanced(&self, text: &str, read: Glance) -> Vec<u32> {
        let (limit, told) = (self.limit(read.whole), self.limit(read.told));
        let text = self.split(text);
        let whole = self.tokens.ids(&text, limit + 1);
        if whole.len() <= limit { whole } else { self.tokens.told_ids(&text, read.head, told) }
    }

    fn run(&self, ids: Vec<Vec<u32>>, layers: &[LoadedLayer]) -> Vec<Vec<f32>> {
        batches(&ids).into_par_iter().flat_map_iter(|batch| self.batch(batch, layers)).collect()
    }

    /// The token ids of a text, at most `limit` of them: what [`Bert::encode_up_to`] encodes.
    pub fn ids(&self, text: &str, limit: usize) -> Vec<u32> {
        self.tokens.ids(&self.split(text), self.limit(limit))
    }

    fn limit(&self, limit: usize) -> usize {
        limit.min(self.header.positions as usize)
    }

    fn split<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.header.split_identifiers {
            true => Cow::Owned(split_identifiers(text)),
            false => Cow::Borrowed(text),
        }
    }

    /// Runs texts laid end to end through the layers; what comes out for each is added up, or the first of it.
    fn batch(&self, texts: &[Vec<u32>], layers: &[LoadedLayer]) -> Vec<Vec<f32>> {
        SCRATCH.with_borrow_mut(|scratch| {
            self.embed(texts, &mut scratch.states);
            for layer in layers {
                self.layer(layer, texts, scratch);
            }
            self.pool(texts, &scratch.states)
        })
    }

    fn embed(&self, texts: &[Vec<u32>], states: &mut Vec<f32>) {
        let hidden = self.header.hidden as usize;
        states.clear();
        for text in texts {
            for (position, &id) in text.iter().enumerate() {
                let id = id as usize;
                let word = &self.words[id * hidden..][..hidden];
                let place = &self.places[position * hidden..][..hidden];
                let scale = f32::from_le_bytes(self.word_scales[id]);
                states.extend(word.iter().zip(place).map(|(&byte, &place)| {
                    f32::from(byte as i8) * scale + f32::from_le_bytes(place)
                }));
            }
        }
        for row in states.chunks_exact_mut(hidden) {
            kernels::normalise(
                self.level,
                row,
                &self.norm.gain,
                &self.norm.shift,
                self.header.epsilon,
            );
        }
    }

    fn layer(&self, layer: &LoadedLayer, texts: &[Vec<u32>], scratch: &mut Scratch) {
        let Scratch { states, wide, context, narrow, quantised, attention } = scratch;
        self.multiply(states, &layer.attention, quantised, wide);
        self.attend(texts, wide, context, attention);
        self.multiply(context, &layer.output, quantised, narrow);
        self.add(states, narrow, &layer.norm);
        self.multiply(states, &layer.up, quantised, wide);
        kernels::gelu(self.level, wide);
        self.multiply(wide, &layer.down, quantised, narrow);
        self.add(states, narrow, &layer.last_norm);
    }

    fn multiply(
        &self,
        rows: &[f32],
        by: &LoadedDense,
        quantised: &mut Quantised,
        out: &mut Vec<f32>,
    ) {
        kernels::quantise(self.level, rows, by.inputs, quantised);
        out.resize(rows.len() / by.inputs * by.outputs, 0.0);
        kernels::product(self.level, quantised, &by.matrix(), out);
    }

    fn attend(
        &self,
        texts: &[Vec<u32>],
        qkv: &[f32],
        out: &mut Vec<f32>,
        scratch: &mut AttentionScratch,
    ) {
        let (hidden, count) = (self.header.hidden as usize, self.header.heads as usize);
        let heads = Heads { count, size: hidden / count };
        out.resize(qkv.len() / 3, 0.0);
        let mut at = 0;
        for text in texts {
            let rows = at..at + text.len();
            let qkv = &qkv[rows.start * 3 * hidden..rows.end * 3 * hidden];
            let out = &mut out[rows.start * hidden..rows.end * hidden];
            attend(self.level, qkv, out, heads, scratch);
            at = rows.end;
        }
    }

    fn add(&self, states: &mut [f32], other: &[f32], norm: &Norm) {
        kernels::add_and_normalise(
            self.level,
            states,
            other,
            &norm.gain,
            &norm.shift,
            self.header.epsilon,
        );
    }

    fn pool(&self, texts: &[Vec<u32>], states: &[f32]) -> Vec<Vec<f32>> {
        let hidden = self.header.hidden as usize;
        let mut rows = states.chunks_exact(hidden);
        let pooled = texts.iter().map(|text| {
            let mut vector = vec![0f32; hidden];
            for (n, row) in rows.by_ref().take(text.len()).enumerate() {
                if self.header.pooling == Pooling::Mean || n == 0 {
                    vector.iter_mut().zip(row).for_each(|(x, y)| *x += y);
                }
            }
            vector
        });
        pooled.collect()
    }
}

/// Scales vectors to length 1.
fn units(mut vectors: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    for vector in &mut vectors {
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vectors
}

/// Cuts texts into runs of about [`BATCH_TOKENS`] tokens.
fn batches(texts: &[Vec<u32>]) -> Vec<&[Vec<u32>]> {
    let mut batches = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (n, text) in texts.iter().enumerate() {
        if n > start && tokens + text.len() > BATCH_TOKENS {
            batches.push(&texts[start..n]);
            (start, tokens) = (n, 0);
        }
        tokens += text.len();
    }
    if start < texts.len() {
        batches.push(&texts[start..]);
    }
    batches
}

#[derive(Default)]
struct Scratch {
    states: Vec<f32>,
    wide: Vec<f32>,
    context: Vec<f32>,
    narrow: Vec<f32>,
    quantised: Quantised,
    attention: AttentionScratch,
}

thread_local! {
    /// Buffers are as large as a batch and are kept for the next one.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

struct Loader<'f> {
    file: &'f ModelFile<'static>,
}

impl Loader<'_> {
    fn layer(&self, layer: &Layer, hidden: usize, inner: usize) -> Result<LoadedLayer, Error> {
        Ok(LoadedLayer {
            attention: self.dense(&layer.attention, hidden, 3 * hidden)?,
            output: self.dense(&layer.output, hidden, hidden)?,
            norm: self.norm(layer.norm, hidden)?,
            up: self.dense(&layer.up, hidden, inner)?,
            down: self.dense(&layer.down, inner, hidden)?,
            last_norm: self.norm(layer.last_norm, hidden)?,
        })
    }

    fn norm(&self, (gain, shift): (Place, Place), hidden: usize) -> Result<Norm, Error> {
        Ok(Norm { gain: self.file.floats(gain, hidden)?, shift: self.file.floats(shift, hidden)? })
    }

    fn dense(&self, dense: &Dense, inputs: usize, outputs: usize) -> Result<LoadedDense, Error> {
        let packed = self.file.bytes(dense.packed)?;
        if packed.len() != inputs * outputs {
            return Err(Error::model("a matrix has another shape than its layer needs"));
        }
        let (scales, bias) =
            (self.file.floats(dense.scales, outputs)?, self.file.floats(dense.bias, outputs)?);
        let sums = self.file.integers(dense.sums, outputs)?;
        Ok(LoadedDense { packed, inputs, outputs, scales, sums, bias })
    }
}

impl LoadedDense {
    fn matrix(&self) -> Matrix<'_> {
        Matrix {
            packed: self.packed,
            inputs: self.inputs,
            outputs: self.outputs,
            scales: &self.scales,
            sums: &self.sums,
            bias: &self.bias,
        }
    }
}
