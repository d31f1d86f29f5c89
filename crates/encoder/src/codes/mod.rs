//! Vectors made small, and compared without being made large again.
//!
//! A vector is kept twice: as one bit a dimension, for a first pass over all of them, and as one
//! byte a dimension, for the few that pass. The bits are the signs of the vector after a fixed
//! rotation, which spreads what it says evenly over the dimensions. A dot product estimated from
//! them is divided by the bits' own dot product with their vector, so that it errs to neither side
//! (the RaBitQ estimator).

mod kernels;

pub use kernels::dot;

use kernels::Counts;

/// Bits of a question's dimensions in the first pass.
pub const PLANES: usize = 4;

/// How vectors of one width are coded.
#[derive(Clone, Debug)]
pub struct Codec {
    width: usize,
    signs: Vec<Vec<f32>>,
}

/// One vector in its small form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// The signs, in words of 64, little end first.
    pub bits: Vec<u8>,
    /// What a dot product with the signs is multiplied with.
    pub factor: f32,
    /// Signed bytes.
    pub bytes: Vec<u8>,
    /// What a dot product with the bytes is multiplied with.
    pub scale: f32,
}

const ROUNDS: usize = 3;

impl Codec {
    /// The codec for vectors of `width` numbers.
    pub fn new(width: usize) -> Codec {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut round = || (0..width).map(|_| sign(next(&mut seed))).collect();
        Codec { width, signs: (0..ROUNDS).map(|_| round()).collect() }
    }

    /// Numbers in a vector.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes that hold the signs of one vector.
    pub fn bit_bytes(&self) -> usize {
        self.width.div_ceil(64) * 8
    }

    /// Makes a unit vector small.
    pub fn code(&self, vector: &[f32]) -> Code {
        let rotated = self.rotate(vector);
        let mut bits = vec![0u8; self.bit_bytes()];
        for (n, _) in rotated.iter().enumerate().filter(|(_, x)| **x > 0.0) {
            bits[n / 8] |= 1 << (n % 8);
        }
        let sum: f32 = rotated.iter().map(|x| x.abs()).sum();
        let most = vector.iter().fold(0f32, |most, x| most.max(x.abs()));
        let scale = (most / 127.0).max(f32::MIN_POSITIVE);
        let bytes = vector.iter().map(|x| (x / scale).round() as i8 as u8).collect();
        Code { bits, factor: 1.0 / sum.max(f32::MIN_POSITIVE), bytes, scale }
    }

    /// The vector a code stands for, as near as its bytes tell.
    pub fn vector(&self, bytes: &[u8], scale: f32) -> Vec<f32> {
        bytes.iter().map(|&byte| f32::from(byte as i8) * scale).collect()
    }

    /// Flips signs and mixes: orthogonal, so dot products stay what they are.
    fn rotate(&self, vector: &[f32]) -> Vec<f32> {
        let mut rotated = vector.to_vec();
        let block = 1 << self.width.max(1).ilog2();
        for signs in &self.signs {
            rotated.iter_mut().zip(signs).for_each(|(x, sign)| *x *= sign);
            mix(&mut rotated[..block]);
            mix(&mut rotated[self.width - block..]);
        }
        rotated
    }
}

/// The Hadamard transform of a power of two of numbers, scaled to keep their length.
fn mix(numbers: &mut [f32]) {
    let mut half = 1;
    while half < numbers.len() {
        for pair in numbers.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let scale = (numbers.len() as f32).sqrt().recip();
    numbers.iter_mut().for_each(|x| *x *= scale);
}

/// The next number of a fixed sequence without pattern (splitmix64).
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *seed;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn sign(random: u64) -> f32 {
    if random & 1 == 0 { 1.0 } else { -1.0 }
}

/// A question's vector, prepared for comparison with many codes.
#[derive(Clone, Debug)]
pub struct Probe {
    vector: Vec<f32>,
    /// For each word of signs, the question's bits of each weight.
    planes: Vec<[u64; PLANES]>,
    /// The question's smallest number, the step between two of its levels, and its sum.
    low: f32,
    step: f32,
    sum: f32,
}

impl Probe {
    /// Prepares a unit vector of the codec's width.
    pub fn new(codec: &Codec, vector: &[f32]) -> Probe {
        let rotated = codec.rotate(vector);
        let low = rotated.iter().copied().fold(f32::MAX, f32::min);
        let high = rotated.iter().copied().fold(f32::MIN, f32::max);
        let levels = (1 << PLANES) - 1;
        let step = ((high - low) / levels as f32).max(f32::MIN_POSITIVE);
        let mut planes = vec![[0u64; PLANES]; codec.bit_bytes() / 8];
        for (n, x) in rotated.iter().enumerate() {
            let level = ((x - low) / step).round() as u64;
            for (plane, word) in planes[n / 64].iter_mut().enumerate() {
                *word |= (level >> plane & 1) << (n % 64);
            }
        }
        let sum = rotated.iter().sum();
        Probe { vector: vector.to_vec(), planes, low, step, sum }
    }

    /// Estimates the dot product with each row of signs. Factors are floats, little end first.
    pub fn estimate(&self, bits: &[u8], factors: &[u8], out: &mut Vec<f32>) {
        out.clear();
        let (factors, _) = factors.as_chunks::<4>();
        kernels::count(bits, &self.planes, &mut |row, Counts { set, levels }| {
            let under = self.low * set as f32 + self.step * levels as f32;
            out.push((2.0 * under - self.sum) * f32::from_le_bytes(factors[row]));
        });
    }

    /// The dot product with another vector.
    pub fn with(&self, other: &[f32]) -> f32 {
        self.vector.iter().zip(other).map(|(x, y)| x * y).sum()
    }

    /// The dot product with one row of bytes.
    pub fn exact(&self, bytes: &[u8], scale: f32) -> f32 {
        kernels::dot(&self.vector, bytes) * scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(seed: u64, width: usize) -> Vec<f32> {
        let mut seed = seed;
        let mut vector: Vec<f32> =
            (0..width).map(|_| (next(&mut seed) % 2001) as f32 / 1000.0 - 1.0).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn a_rotation_keeps_dot_products() {
        for width in [1, 2, 3, 64, 100, 384, 768] {
            let codec = Codec::new(width);
            let (a, b) = (unit(1, width), unit(2, width));
            let rotated = dot(&codec.rotate(&a), &codec.rotate(&b));
            assert!((rotated - dot(&a, &b)).abs() < 1e-4, "{width}: {rotated}");
        }
    }

    #[test]
    fn bytes_give_the_dot_product_back() {
        for width in [1, 7, 100, 384] {
            let codec = Codec::new(width);
            let (a, b) = (unit(3, width), unit(4, width));
            let code = codec.code(&b);
            let found = Probe::new(&codec, &a).exact(&code.bytes, code.scale);
            assert!((found - dot(&a, &b)).abs() < 0.01, "{width}: {found}");
            let back = codec.vector(&code.bytes, code.scale);
            assert!(dot(&back, &b) > 0.999, "{width}");
        }
    }

    /// Signs tell a dot product to within a few hundredths, and err to neither side.
    #[test]
    fn signs_estimate_dot_products_without_leaning() {
        let codec = Codec::new(384);
        let probe = Probe::new(&codec, &unit(5, 384));
        let (mut errors, mut out) = (Vec::new(), Vec::new());
        for seed in 0..500 {
            // From unrelated to nearly the same.
            let share = seed as f32 / 500.0;
            let other = unit(seed + 1000, 384);
            let mixed: Vec<f32> = unit(5, 384)
                .iter()
                .zip(&other)
                .map(|(x, y)| x * share + y * (1.0 - share))
                .collect();
            let length = dot(&mixed, &mixed).sqrt();
            let mixed: Vec<f32> = mixed.iter().map(|x| x / length).collect();
            let code = codec.code(&mixed);
            probe.estimate(&code.bits, &code.factor.to_le_bytes(), &mut out);
            errors.push(out[0] - dot(&mixed, &unit(5, 384)));
        }
        let mean = errors.iter().sum::<f32>() / errors.len() as f32;
        let spread = dot(&errors, &errors).sqrt() / (errors.len() as f32).sqrt();
        assert!(mean.abs() < 0.01 && spread < 0.06, "mean {mean}, spread {spread}");
    }

    #[test]
    fn rows_are_estimated_one_after_the_other() {
        let codec = Codec::new(100);
        let probe = Probe::new(&codec, &unit(6, 100));
        let codes: Vec<Code> = (0..9).map(|seed| codec.code(&unit(seed, 100))).collect();
        let bits: Vec<u8> = codes.iter().flat_map(|code| code.bits.clone()).collect();
        let factors: Vec<u8> = codes.iter().flat_map(|code| code.factor.to_le_bytes()).collect();
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        probe.estimate(&bits, &factors, &mut together);
        for (code, expected) in codes.iter().zip(&together) {
            probe.estimate(&code.bits, &code.factor.to_le_bytes(), &mut alone);
            assert_eq!(alone, [*expected]);
        }
        assert_eq!(together.len(), 9);
    }
}
