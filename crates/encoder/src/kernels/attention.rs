//! Self-attention of one text as two products of bytes: queries by keys, then weights by values.
//!
//! Comes in: a row a token with its queries, keys and values. Goes out: a row a token of blended
//! values. Keys have a scale a token and values a scale a dimension; the weights of softmax, which
//! lie between 0 and 1, become bytes as they are. In 32-bit floats this took a quarter of the
//! encoder's time.

use super::math::{LANES, Quantised, exp, fixed, largest, quantise_row};
use super::product::{BLOCK, Matrix};
use super::{Level, pack, product, quantise_queries, weigh};

/// Queries answered at a time: their scores stay in the nearest cache.
const QUERIES: usize = 24;

/// Heads of a model and their dimensions, a multiple of [`BLOCK`].
#[derive(Clone, Copy)]
pub struct Heads {
    /// How many.
    pub count: usize,
    /// Dimensions of each.
    pub size: usize,
}

/// Buffers of attention, kept between calls.
#[derive(Default)]
pub struct AttentionScratch {
    keys: Packed,
    values: Packed,
    queries: Quantised,
    scores: Vec<f32>,
    weights: Quantised,
    blended: Vec<f32>,
}

/// Attends with every head. `qkv` holds a row a token: queries, keys, values, each of all heads;
/// `out` gets a row of all heads.
pub fn attend(
    level: Level,
    qkv: &[f32],
    out: &mut [f32],
    heads: Heads,
    scratch: &mut AttentionScratch,
) {
    let width = heads.count * heads.size;
    let tokens = out.len() / width;
    for first in (0..width).step_by(heads.size) {
        let head = Head { qkv, width, first, size: heads.size, tokens };
        pack(level, &head, &mut scratch.keys, &mut scratch.values);
        for start in (0..tokens).step_by(QUERIES) {
            let count = QUERIES.min(tokens - start);
            blend(level, &head, start, count, scratch);
            for (n, row) in scratch.blended.chunks_exact(heads.size).enumerate() {
                out[(start + n) * width + first..][..heads.size].copy_from_slice(row);
            }
        }
    }
}

/// Answers `count` queries from `start` on.
fn blend(level: Level, head: &Head, start: usize, count: usize, scratch: &mut AttentionScratch) {
    let AttentionScratch { keys, values, queries, scores, weights, blended } = scratch;
    let padded = head.padded();
    quantise_queries(level, head, start, count, queries);
    scores.resize(count * padded, 0.0);
    product(level, queries, &keys.matrix(head.size, padded), scores);
    weigh(level, scores, head.tokens, padded, weights);
    blended.resize(count * head.size, 0.0);
    product(level, weights, &values.matrix(padded, head.size), blended);
}

/// One head of one text.
pub struct Head<'q> {
    qkv: &'q [f32],
    /// Of all heads together.
    width: usize,
    /// Where this head begins.
    first: usize,
    size: usize,
    tokens: usize,
}

impl Head<'_> {
    fn query(&self, token: usize) -> &[f32] {
        &self.qkv[token * 3 * self.width + self.first..][..self.size]
    }

    fn key(&self, token: usize) -> &[f32] {
        &self.qkv[(token * 3 + 1) * self.width + self.first..][..self.size]
    }

    fn value(&self, token: usize) -> &[f32] {
        &self.qkv[(token * 3 + 2) * self.width + self.first..][..self.size]
    }

    /// Tokens rounded up to whole blocks.
    fn padded(&self) -> usize {
        self.tokens.next_multiple_of(BLOCK)
    }
}

/// Keys or values of one head in the layout of [`Matrix`].
#[derive(Default)]
pub struct Packed {
    bytes: Vec<u8>,
    scales: Vec<f32>,
    sums: Vec<i32>,
    bias: Vec<f32>,
}

impl Packed {
    /// Makes room. The bytes of padding keep what they had: no weight ever falls on them.
    fn resize(&mut self, inputs: usize, outputs: usize) {
        self.bytes.resize(inputs * outputs, 0);
        self.scales.resize(outputs, 0.0);
        self.sums.resize(outputs, 0);
        self.bias.resize(outputs, 0.0);
    }

    fn matrix(&self, inputs: usize, outputs: usize) -> Matrix<'_> {
        let Packed { bytes, scales, sums, bias } = self;
        Matrix { packed: bytes, inputs, outputs, scales, sums, bias }
    }
}

/// Packs the keys and the values of a head.
#[inline(always)]
pub fn pack_head<const FUSED: bool>(head: &Head, keys: &mut Packed, values: &mut Packed) {
    pack_keys(head, keys);
    pack_values(head, values);
}

/// Keys are the columns of their matrix.
#[inline(always)]
fn pack_keys(head: &Head, keys: &mut Packed) {
    keys.resize(head.size, head.padded());
    // The scores are divided by the root of the dimensions here, once.
    let shrink = 1.0 / (head.size as f32).sqrt();
    for token in 0..head.tokens {
        let row = head.key(token);
        let scale = (largest(0.0, row, f32::abs) / 127.0).max(1e-12);
        let block = &mut keys.bytes[token / BLOCK * BLOCK * head.size..][..BLOCK * head.size];
        let mut sum = 0;
        for (four, quad) in row.chunks_exact(4).zip(block.chunks_exact_mut(4 * BLOCK)) {
            for (x, byte) in four.iter().zip(&mut quad[token % BLOCK * 4..][..4]) {
                let value = signed(*x, 1.0 / scale);
                sum += value;
                *byte = value as u8;
            }
        }
        keys.scales[token] = scale * shrink;
        keys.sums[token] = sum;
    }
}

/// Values are the rows of their matrix, four of which stand side by side. Sums stay zero, since
/// the byte of weight zero is zero.
#[inline(always)]
fn pack_values(head: &Head, values: &mut Packed) {
    let padded = head.padded();
    values.resize(padded, head.size);
    for part in (0..head.size).step_by(LANES) {
        let row = |token: usize| -> &[f32; LANES] {
            fixed(&head.value(token.min(head.tokens - 1))[part..])
        };
        let mut most = [1e-12f32; LANES];
        for token in 0..head.tokens {
            let row = row(token);
            for i in 0..LANES {
                most[i] = if row[i].abs() > most[i] { row[i].abs() } else { most[i] };
            }
        }
        let inverse: [f32; LANES] = std::array::from_fn(|i| 127.0 / most[i]);
        for (scale, most) in values.scales[part..].iter_mut().zip(most) {
            *scale = most / 127.0;
        }
        let block = &mut values.bytes[part * padded..][..BLOCK * padded];
        for (quad, bytes) in block.chunks_exact_mut(4 * BLOCK).enumerate() {
            let rows: [&[f32; LANES]; 4] = std::array::from_fn(|n| row(quad * 4 + n));
            for i in 0..LANES {
                let byte = |n: usize| (signed(rows[n][i], inverse[i]) & 255) as u32;
                let four = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
                bytes[i * 4..i * 4 + 4].copy_from_slice(&four.to_le_bytes());
            }
        }
    }
}

/// The nearest integer to `x * inverse`, which lies between -127 and 127.
#[inline(always)]
fn signed(x: f32, inverse: f32) -> i32 {
    // Adding this constant leaves the rounded integer in the low bits.
    ((x * inverse + 12_582_912.0).to_bits() as i32).wrapping_sub(0x4b40_0000)
}

/// Quantises the queries of `count` tokens from `start` on.
#[inline(always)]
pub fn take_queries<const FUSED: bool>(
    head: &Head,
    start: usize,
    count: usize,
    queries: &mut Quantised,
) {
    queries.clear(count * head.size);
    for (n, bytes) in queries.bytes.chunks_exact_mut(head.size).enumerate() {
        let (scale, zero) = quantise_row::<FUSED>(head.query(start + n), bytes);
        queries.scales.push(scale);
        queries.zeros.push(zero);
    }
}

/// Softmax: turns the first `tokens` scores of each row into bytes, the highest into 255, with the
/// scale that makes them add up to 1.
#[inline(always)]
pub fn softmax<const FUSED: bool>(
    scores: &[f32],
    tokens: usize,
    padded: usize,
    weights: &mut Quantised,
) {
    weights.clear(scores.len());
    let rows = scores.chunks_exact(padded).zip(weights.bytes.chunks_exact_mut(padded));
    for (row, bytes) in rows {
        let highest = largest(f32::MIN, &row[..tokens], |x| x);
        for (chunk, bytes) in row.chunks_exact(LANES).zip(bytes.chunks_exact_mut(LANES)) {
            for i in 0..LANES {
                let weight = exp::<FUSED>(chunk[i] - highest) * 255.0;
                bytes[i] = (weight + 12_582_912.0).to_bits() as u8;
            }
        }
        bytes[tokens..].fill(0);
        let total: u32 = bytes.iter().map(|&byte| u32::from(byte)).sum();
        weights.scales.push(1.0 / total as f32);
        weights.zeros.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: u64, count: usize) -> Vec<f32> {
        let numbers = (1..=count as u64).map(|n| ((n * 0x9E37_79B9 + seed) * 0x2545_F491) >> 7);
        numbers.map(|n| (n % 2001) as f32 / 500.0 - 2.0).collect()
    }

    /// Attention in 64-bit floats, straight from its definition.
    fn exact(qkv: &[f32], heads: Heads) -> Vec<f64> {
        let width = heads.count * heads.size;
        let tokens = qkv.len() / (3 * width);
        let at = |token: usize, part: usize, d: usize| {
            f64::from(qkv[token * 3 * width + part * width + d])
        };
        let mut out = Vec::new();
        for token in 0..tokens {
            for d in 0..width {
                let head = d / heads.size * heads.size..(d / heads.size + 1) * heads.size;
                let score = |other: usize| {
                    let dot: f64 = head.clone().map(|d| at(token, 0, d) * at(other, 1, d)).sum();
                    (dot / (heads.size as f64).sqrt()).exp()
                };
                let total: f64 = (0..tokens).map(score).sum();
                out.push((0..tokens).map(|other| score(other) / total * at(other, 2, d)).sum());
            }
        }
        out
    }

    #[track_caller]
    fn check(tokens: usize, heads: Heads) {
        let qkv = random(tokens as u64, tokens * 3 * heads.count * heads.size);
        let expected = exact(&qkv, heads);
        for level in Level::available() {
            let mut found = vec![f32::NAN; expected.len()];
            attend(level, &qkv, &mut found, heads, &mut AttentionScratch::default());
            let apart = found.iter().zip(&expected).map(|(x, y)| (f64::from(*x) - y).abs());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < 0.05, "{level:?}, {tokens} tokens: {apart}");
        }
    }

    #[test]
    fn attention_is_near_the_exact_one_at_any_length() {
        for tokens in [1, 2, 15, 16, 17, 31, 100] {
            check(tokens, Heads { count: 2, size: 32 });
        }
        check(20, Heads { count: 1, size: 64 });
    }

    #[test]
    fn attention_to_equal_keys_is_the_mean_of_the_values() {
        let (tokens, heads) = (5, Heads { count: 2, size: 16 });
        let width = heads.count * heads.size;
        let mut qkv = vec![0.5; tokens * 3 * width];
        for token in 0..tokens {
            for d in 0..width {
                qkv[token * 3 * width + 2 * width + d] = token as f32;
            }
        }
        let mut out = vec![0.0; tokens * width];
        attend(Level::best(), &qkv, &mut out, heads, &mut AttentionScratch::default());
        assert!(out.iter().all(|x| (x - 2.0).abs() < 0.02), "{out:?}");
    }
}
