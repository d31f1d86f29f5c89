//! Elementwise arithmetic and attention in plain Rust, written so that the compiler vectorises it.
//!
//! Every function is `#[inline(always)]`: it takes on the instruction set of the function it is
//! inlined into (see `mod.rs`), so one text serves AVX-512, AVX2 and the portable build.

/// `a * b + c`, fused where the instruction set has it; elsewhere `mul_add` would call a library.
#[inline(always)]
fn fma<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// e to the x, to about 1e-7 relative, for x between -87 and 88.
#[inline(always)]
fn exp<const FUSED: bool>(x: f32) -> f32 {
    const TO_INT: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = fma::<FUSED>(x, std::f32::consts::LOG2_E, TO_INT);
    let n = shifted - TO_INT;
    let r = fma::<FUSED>(n, -0.693_359_4, x);
    let r = fma::<FUSED>(n, 2.121_944_4e-4, r);
    let mut p = 1.987_569_1e-4;
    for c in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        p = fma::<FUSED>(p, r, c);
    }
    let p = fma::<FUSED>(p, r * r, r + 1.0);
    // The low bits of `shifted` are n; moved into the exponent they make 2 to the n.
    p * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

/// `x/2 (1 + erf(x/√2))` in place, by Abramowitz and Stegun 7.1.26 (error below 2e-7).
#[inline(always)]
pub fn gelu<const FUSED: bool>(values: &mut [f32]) {
    for value in values {
        let x = *value;
        let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
        let t = 1.0 / fma::<FUSED>(0.327_591_1, z, 1.0);
        let mut p = 1.061_405_4;
        for c in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6] {
            p = fma::<FUSED>(p, t, c);
        }
        let erf = 1.0 - p * t * exp::<FUSED>(-z * z);
        *value = 0.5 * (x + x.abs() * erf);
    }
}

/// Sum in sixteen strands, so that additions need not wait for each other.
#[inline(always)]
fn sum(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut strands = [0f32; 16];
    let chunks = values.chunks_exact(16);
    let rest: f32 = chunks.remainder().iter().map(|&x| term(x)).sum();
    for chunk in chunks {
        for (strand, &x) in strands.iter_mut().zip(chunk) {
            *strand += term(x);
        }
    }
    strands.iter().sum::<f32>() + rest
}

/// Adds `other` to each row and normalises it to mean 0 and variance 1, then scales and shifts.
#[inline(always)]
pub fn add_and_normalise<const FUSED: bool>(
    rows: &mut [f32],
    other: &[f32],
    gain: &[f32],
    shift: &[f32],
    epsilon: f32,
) {
    let width = gain.len();
    for (row, other) in rows.chunks_exact_mut(width).zip(other.chunks_exact(width)) {
        for (x, y) in row.iter_mut().zip(other) {
            *x += y;
        }
        normalise::<FUSED>(row, gain, shift, epsilon);
    }
}

/// Normalises one row to mean 0 and variance 1, then scales and shifts.
#[inline(always)]
pub fn normalise<const FUSED: bool>(row: &mut [f32], gain: &[f32], shift: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row, |x| x) / count;
    let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, gain), shift) in row.iter_mut().zip(gain).zip(shift) {
        *x = fma::<FUSED>((*x - mean) * scale, *gain, *shift);
    }
}

/// Rows of activations as unsigned bytes, each row with its own scale and zero point.
#[derive(Default)]
pub struct Quantised {
    /// Row after row.
    pub bytes: Vec<u8>,
    /// What one step stands for.
    pub scales: Vec<f32>,
    /// The byte that stands for zero.
    pub zeros: Vec<i32>,
}

/// Quantises rows of `width` values.
#[inline(always)]
pub fn quantise<const FUSED: bool>(rows: &[f32], width: usize, out: &mut Quantised) {
    out.bytes.resize(rows.len(), 0);
    out.scales.clear();
    out.zeros.clear();
    for (row, bytes) in rows.chunks_exact(width).zip(out.bytes.chunks_exact_mut(width)) {
        let (low, high) = extent(row);
        let scale = ((high - low) / 255.0).max(1e-12);
        let inverse = 1.0 / scale;
        let zero = (-low * inverse).round().clamp(0.0, 255.0);
        for (byte, &x) in bytes.iter_mut().zip(row) {
            // Adding this constant leaves the rounded integer in the low bits.
            let shifted = fma::<FUSED>(x, inverse, zero).clamp(0.0, 255.0) + 12_582_912.0;
            *byte = shifted.to_bits() as u8;
        }
        out.scales.push(scale);
        out.zeros.push(zero as i32);
    }
}

/// Smallest and largest value, zero counted in. As a bound for softmax that is safe: the largest
/// exponent is then at most 0, and scores far below 0 throughout do not occur after normalising.
#[inline(always)]
fn extent(row: &[f32]) -> (f32, f32) {
    let (mut low, mut high) = ([0f32; 16], [0f32; 16]);
    for chunk in row.chunks(16) {
        for (i, &x) in chunk.iter().enumerate() {
            low[i] = if x < low[i] { x } else { low[i] };
            high[i] = if x > high[i] { x } else { high[i] };
        }
    }
    (low.iter().copied().fold(0.0, f32::min), high.iter().copied().fold(0.0, f32::max))
}

/// Scratch space of attention, kept between calls.
#[derive(Default)]
pub struct AttentionScratch {
    keys: Vec<f32>,
    weights: Vec<f32>,
}

const LANES: usize = 16;

/// Self-attention of one text. `qkv` holds a row a token: queries, keys, values, each of
/// `heads * head` values; `out` gets a row of `heads * head`.
#[inline(always)]
pub fn attend<const FUSED: bool, const HEAD: usize>(
    qkv: &[f32],
    out: &mut [f32],
    heads: usize,
    scratch: &mut AttentionScratch,
) {
    let width = heads * HEAD;
    let tokens = out.len() / width;
    let padded = tokens.next_multiple_of(SPAN);
    scratch.weights.resize(QUERIES * padded, 0.0);
    for head in 0..heads {
        transpose_keys::<HEAD>(qkv, width, head, tokens, padded, &mut scratch.keys);
        for first in (0..tokens).step_by(QUERIES) {
            // The last queries are asked again rather than asking for less at a time.
            let token = |n: usize| (first + n).min(tokens - 1);
            let queries =
                std::array::from_fn(|n| fixed(&qkv[token(n) * 3 * width + head * HEAD..]));
            score::<FUSED, HEAD>(queries, &scratch.keys, padded, &mut scratch.weights);
            for weights in scratch.weights.chunks_exact_mut(padded) {
                softmax::<FUSED>(weights, tokens);
            }
            let blended = blend::<FUSED, HEAD>(
                &scratch.weights,
                padded,
                tokens,
                qkv,
                2 * width + head * HEAD,
                3 * width,
            );
            for (n, row) in blended.iter().enumerate() {
                out[token(n) * width + head * HEAD..][..HEAD].copy_from_slice(row);
            }
        }
    }
}

/// The first values of a slice, as many as the type says.
#[inline(always)]
fn fixed<const N: usize>(slice: &[f32]) -> &[f32; N] {
    slice.first_chunk().expect("rows are as long as the model states")
}

/// Queries that share each load of keys and values.
const QUERIES: usize = 4;

/// Keys of one head, dimension by dimension, so that tokens stand side by side.
#[inline(always)]
fn transpose_keys<const HEAD: usize>(
    qkv: &[f32],
    width: usize,
    head: usize,
    tokens: usize,
    padded: usize,
    keys: &mut Vec<f32>,
) {
    keys.clear();
    keys.resize(HEAD * padded, 0.0);
    for token in 0..tokens {
        let row = &qkv[token * 3 * width + width + head * HEAD..][..HEAD];
        for (d, &x) in row.iter().enumerate() {
            keys[d * padded + token] = x;
        }
    }
}

/// Keys scored at a time: two registers of sixteen.
const SPAN: usize = 2 * LANES;

/// Scores of four queries against all keys, a span of keys at a time.
///
/// Here and in [`blend`] the loops run over indices of fixed arrays: written with iterators they
/// are not kept in registers, and attention takes four times as long.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn score<const FUSED: bool, const HEAD: usize>(
    queries: [&[f32; HEAD]; QUERIES],
    keys: &[f32],
    padded: usize,
    weights: &mut [f32],
) {
    let shrink = 1.0 / (HEAD as f32).sqrt();
    for block in (0..padded).step_by(SPAN) {
        let mut low = [[0f32; LANES]; QUERIES];
        let mut high = [[0f32; LANES]; QUERIES];
        for d in 0..HEAD {
            let lane = &keys[d * padded + block..][..SPAN];
            let q: [f32; QUERIES] = std::array::from_fn(|n| queries[n][d]);
            for n in 0..QUERIES {
                for i in 0..LANES {
                    low[n][i] = fma::<FUSED>(q[n], lane[i], low[n][i]);
                    high[n][i] = fma::<FUSED>(q[n], lane[LANES + i], high[n][i]);
                }
            }
        }
        for n in 0..QUERIES {
            let row = &mut weights[n * padded + block..][..SPAN];
            for i in 0..LANES {
                row[i] = low[n][i] * shrink;
                row[LANES + i] = high[n][i] * shrink;
            }
        }
    }
}

/// Turns the first `count` scores into weights that add up to 1; the padding becomes 0.
#[inline(always)]
fn softmax<const FUSED: bool>(scores: &mut [f32], count: usize) {
    let highest = extent(&scores[..count]).1;
    for score in scores.iter_mut() {
        *score = exp::<FUSED>(*score - highest);
    }
    scores[count..].fill(0.0);
    let total = sum(scores, |x| x);
    let scale = 1.0 / total;
    scores.iter_mut().for_each(|score| *score *= scale);
}

/// The weighted sums of the values of all tokens, for four queries.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn blend<const FUSED: bool, const HEAD: usize>(
    weights: &[f32],
    padded: usize,
    tokens: usize,
    qkv: &[f32],
    offset: usize,
    stride: usize,
) -> [[f32; HEAD]; QUERIES] {
    let rows: [&[f32]; QUERIES] = std::array::from_fn(|n| &weights[n * padded..][..tokens]);
    let mut sums = [[0f32; HEAD]; QUERIES];
    // Sixteen dimensions at a time: their four sums stay in registers over all tokens.
    for part in (0..HEAD).step_by(LANES) {
        let mut strands = [[0f32; LANES]; QUERIES];
        for token in 0..tokens {
            let value: &[f32; LANES] = fixed(&qkv[token * stride + offset + part..]);
            let weights: [f32; QUERIES] = std::array::from_fn(|n| rows[n][token]);
            for n in 0..QUERIES {
                for i in 0..LANES {
                    strands[n][i] = fma::<FUSED>(weights[n], value[i], strands[n][i]);
                }
            }
        }
        for (sum, strand) in sums.iter_mut().zip(strands) {
            sum[part..part + LANES].copy_from_slice(&strand);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f32, expected: f64, within: f64) {
        assert!((f64::from(found) - expected).abs() <= within, "{found} is not {expected}");
    }

    #[test]
    fn exp_and_gelu_match_the_exact_functions() {
        for n in -200..=200 {
            let x = n as f32 * 0.1;
            close(exp::<false>(x), f64::from(x).exp(), f64::from(x).exp() * 3e-7);
        }
        // Values of x/2 (1 + erf(x/√2)) to nine places.
        for (x, expected) in [
            (-3.0, -0.004_049_694),
            (-1.0, -0.158_655_254),
            (-0.5, -0.154_268_77),
            (0.0, 0.0),
            (0.5, 0.345_731_23),
            (1.0, 0.841_344_746),
            (3.0, 2.995_950_306),
        ] {
            let mut value = [x];
            gelu::<false>(&mut value);
            close(value[0], expected, 1e-6);
        }
    }

    #[test]
    fn quantising_keeps_values_within_half_a_step() {
        let row: Vec<f32> = (0..64).map(|n| (n as f32 * 0.37).sin() * 3.0 + 0.5).collect();
        let mut quantised = Quantised::default();
        quantise::<false>(&row, 64, &mut quantised);
        let (scale, zero) = (quantised.scales[0], quantised.zeros[0]);
        for (byte, x) in quantised.bytes.iter().zip(&row) {
            let back = (i32::from(*byte) - zero) as f32 * scale;
            assert!((back - x).abs() <= scale * 1.01, "{back} {x}");
        }
    }

    #[test]
    fn a_row_of_zeros_stays_zero() {
        let mut quantised = Quantised::default();
        quantise::<false>(&[0.0; 16], 16, &mut quantised);
        assert!(quantised.bytes.iter().all(|&byte| i32::from(byte) == quantised.zeros[0]));
    }

    #[test]
    fn attention_to_equal_keys_is_the_mean_of_the_values() {
        let (tokens, heads) = (5, 2);
        let width = heads * 16;
        let mut qkv = vec![0.5; tokens * 3 * width];
        for token in 0..tokens {
            for d in 0..width {
                qkv[token * 3 * width + 2 * width + d] = (token * width + d) as f32;
            }
        }
        let mut out = vec![0.0; tokens * width];
        attend::<false, 16>(&qkv, &mut out, heads, &mut AttentionScratch::default());
        for (d, &found) in out[..width].iter().enumerate() {
            close(found, (0..tokens).map(|t| (t * width + d) as f64).sum::<f64>() / 5.0, 1e-4);
        }
    }
}
