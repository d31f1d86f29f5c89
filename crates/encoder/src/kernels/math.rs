//! Elementwise arithmetic in plain Rust, written so that the compiler vectorises it.
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
pub fn exp<const FUSED: bool>(x: f32) -> f32 {
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

/// Numbers that one step of a loop works on; a register of AVX-512 holds as many.
pub const LANES: usize = 16;

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

impl Quantised {
    /// Forgets its rows and makes room for others.
    pub fn clear(&mut self, bytes: usize) {
        self.bytes.resize(bytes, 0);
        self.scales.clear();
        self.zeros.clear();
    }
}

/// Quantises rows of `width` values.
#[inline(always)]
pub fn quantise<const FUSED: bool>(rows: &[f32], width: usize, out: &mut Quantised) {
    out.clear(rows.len());
    for (row, bytes) in rows.chunks_exact(width).zip(out.bytes.chunks_exact_mut(width)) {
        let (scale, zero) = quantise_row::<FUSED>(row, bytes);
        out.scales.push(scale);
        out.zeros.push(zero);
    }
}

/// Quantises one row and returns its scale and zero point.
#[inline(always)]
pub fn quantise_row<const FUSED: bool>(row: &[f32], bytes: &mut [u8]) -> (f32, i32) {
    let (low, high) = extent(row);
    let scale = ((high - low) / 255.0).max(1e-12);
    let inverse = 1.0 / scale;
    let zero = (-low * inverse).round().clamp(0.0, 255.0);
    for (byte, &x) in bytes.iter_mut().zip(row) {
        // Adding this constant leaves the rounded integer in the low bits.
        let shifted = fma::<FUSED>(x, inverse, zero).clamp(0.0, 255.0) + 12_582_912.0;
        *byte = shifted.to_bits() as u8;
    }
    (scale, zero as i32)
}

/// Smallest and largest value, zero counted in.
#[inline(always)]
fn extent(row: &[f32]) -> (f32, f32) {
    (-largest(0.0, row, |x| -x), largest(0.0, row, |x| x))
}

/// The largest of `least` and all terms. They are compared as integers of the same order: a
/// maximum of floats has rules for NaN that keep the compiler from working on many at a time.
#[inline(always)]
pub fn largest(least: f32, values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let ordered = |bits: i32| bits ^ ((bits >> 31) as u32 >> 1) as i32;
    let order = |x: f32| ordered(x.to_bits() as i32);
    let most = values.iter().fold(order(least), |most, &x| most.max(order(term(x))));
    f32::from_bits(ordered(most) as u32)
}

/// The first values of a slice, as many as the type says.
#[inline(always)]
pub fn fixed<const N: usize>(slice: &[f32]) -> &[f32; N] {
    slice.first_chunk().expect("rows are as long as the model states")
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
}
