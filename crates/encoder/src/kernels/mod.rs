//! The arithmetic of the model for the instruction set at hand, chosen once at run time.

pub mod attention;
pub mod math;
pub mod product;

use std::borrow::Cow;

use attention::{Head, Packed};
use math::Quantised;
use product::Matrix;

/// An instruction set the kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// AVX-512 with VNNI.
    Avx512,
    /// AVX2 with FMA.
    Avx2,
    /// Whatever the target has.
    Portable,
}

impl Level {
    /// The best level of this machine.
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let has_512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vnni");
            if has_512 {
                return Level::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Level::Avx2;
            }
        }
        Level::Portable
    }

    /// Every level this machine can run, best first.
    pub fn available() -> Vec<Level> {
        let all = [Level::Avx512, Level::Avx2, Level::Portable];
        let best = Level::best();
        all.into_iter().skip_while(|level| *level != best).collect()
    }
}

/// Compiles a function of `math` for each instruction set and calls the one a level names.
macro_rules! dispatch {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) = $path:path) => {
        $(#[$doc])*
        pub fn $name(level: Level, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma,avx2")]
                fn avx512($($arg: $type),*) {
                    dispatch!(@call $path, true; $($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    dispatch!(@call $path, true; $($arg),*)
                }
                match level {
                    // SAFETY: a level is only made for a machine that has its instructions.
                    Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    Level::Avx2 => return unsafe { avx2($($arg),*) },
                    Level::Portable => {}
                }
            }
            let _ = level;
            dispatch!(@call $path, false; $($arg),*)
        }
    };
    (@call $path:path, $fused:literal; $($arg:ident),*) => {{ use $path as f; f::<$fused>($($arg),*) }};
}

dispatch!(
    /// See [`math::gelu`].
    gelu(values: &mut [f32]) = math::gelu
);
dispatch!(
    /// See [`math::normalise`].
    normalise(row: &mut [f32], gain: &[f32], shift: &[f32], epsilon: f32) = math::normalise
);
dispatch!(
    /// See [`math::add_and_normalise`].
    add_and_normalise(rows: &mut [f32], other: &[f32], gain: &[f32], shift: &[f32], epsilon: f32) =
        math::add_and_normalise
);
dispatch!(
    /// See [`math::quantise`].
    quantise(rows: &[f32], width: usize, out: &mut Quantised) = math::quantise
);
dispatch!(
    /// See [`attention::pack_head`].
    pack(head: &Head, keys: &mut Packed, values: &mut Packed) = attention::pack_head
);
dispatch!(
    /// See [`attention::take_queries`].
    quantise_queries(head: &Head, start: usize, count: usize, queries: &mut Quantised) =
        attention::take_queries
);
dispatch!(
    /// See [`attention::softmax`].
    weigh(scores: &[f32], tokens: usize, padded: usize, weights: &mut Quantised) =
        attention::softmax
);

/// `activations × matrix + bias`, a row of outputs for each row of activations.
///
/// # Panics
/// If the slices do not have the sizes the matrix states.
pub fn product(level: Level, activations: &Quantised, matrix: &Matrix, out: &mut [f32]) {
    let rows = activations.scales.len();
    assert!(matrix.inputs.is_multiple_of(4) && matrix.outputs.is_multiple_of(product::BLOCK));
    assert_eq!(matrix.packed.len(), matrix.inputs * matrix.outputs);
    assert_eq!(activations.bytes.len(), rows * matrix.inputs);
    assert_eq!(out.len(), rows * matrix.outputs);
    assert!(
        [matrix.scales.len(), matrix.sums.len(), matrix.bias.len()]
            .iter()
            .all(|&n| n == matrix.outputs)
    );
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a level is only made for a machine that has its instructions.
        Level::Avx512 => unsafe { product::avx512(activations, matrix, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx2 => unsafe { product::avx2(activations, matrix, out) },
        _ => product::portable(activations, matrix, out),
    }
}

/// A number of four bytes, of which any bits are one.
///
/// # Safety
///
/// It must be so.
pub unsafe trait Number: Copy {
    /// The number that four bytes of a file are.
    fn of(bytes: [u8; 4]) -> Self;
}

// SAFETY: any four bytes are a float.
unsafe impl Number for f32 {
    fn of(bytes: [u8; 4]) -> f32 {
        f32::from_le_bytes(bytes)
    }
}

// SAFETY: any four bytes are an integer.
unsafe impl Number for i32 {
    fn of(bytes: [u8; 4]) -> i32 {
        i32::from_le_bytes(bytes)
    }
}

/// Numbers where they lie, if they lie as this machine reads them, else copied.
pub fn numbers<T: Number>(words: &[[u8; 4]]) -> Cow<'_, [T]> {
    // SAFETY: any four bytes are such a number.
    let (before, numbers, after) = unsafe { words.as_flattened().align_to::<T>() };
    match cfg!(target_endian = "little") && before.is_empty() && after.is_empty() {
        true => Cow::Borrowed(numbers),
        false => words.iter().map(|&word| T::of(word)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::product::BLOCK;
    use super::*;

    fn random(seed: u64, count: usize) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        (0..count)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state % 2001) as f32 / 1000.0 - 1.0
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn every_level_computes_the_same_product(
            rows in 1usize..30, quads in 1usize..20, blocks in 1usize..5, seed in any::<u64>(),
        ) {
            let (inputs, outputs) = (quads * 4, blocks * BLOCK);
            let packed: Vec<u8> = random(seed, inputs * outputs).iter().map(|x| (x * 127.0) as i8 as u8).collect();
            let (scales, bias) = (random(seed ^ 1, outputs), random(seed ^ 2, outputs));
            let mut sums = vec![0; outputs];
            for (n, &byte) in packed.iter().enumerate() {
                sums[n / (inputs * BLOCK) * BLOCK + n % (4 * BLOCK) / 4] += i32::from(byte as i8);
            }
            let matrix = Matrix { packed: &packed, inputs, outputs, scales: &scales, sums: &sums, bias: &bias };
            let mut activations = Quantised::default();
            quantise(Level::Portable, &random(seed ^ 3, rows * inputs), inputs, &mut activations);
            let mut expected = vec![0.0; rows * outputs];
            product(Level::Portable, &activations, &matrix, &mut expected);
            for level in Level::available() {
                let mut found = vec![f32::NAN; rows * outputs];
                product(level, &activations, &matrix, &mut found);
                for (a, b) in found.iter().zip(&expected) {
                    prop_assert!((a - b).abs() <= 1e-3 * (1.0 + b.abs()), "{level:?}: {a} is not {b}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_read_in_place_or_copied() {
        let bytes: Vec<u8> = (0..64u8).map(|n| n.wrapping_mul(37)).collect();
        for start in 0..8 {
            let words = bytes[start..start + 32].as_chunks::<4>().0;
            let copied = words.iter().map(|&word| f32::from_le_bytes(word).to_bits());
            let floats = super::numbers::<f32>(words);
            assert!(floats.iter().map(|it| it.to_bits()).eq(copied), "{start}");
            let copied = words.iter().map(|&word| i32::from_le_bytes(word));
            assert!(super::numbers::<i32>(words).iter().copied().eq(copied), "{start}");
        }
        let is_borrowed = |at: &usize| {
            let words = bytes[*at..at + 32].as_chunks().0;
            matches!(super::numbers::<f32>(words), Cow::Borrowed(_))
        };
        let borrowed = (0..4).filter(is_borrowed).count();
        assert_eq!(borrowed, usize::from(cfg!(target_endian = "little")));
    }

    #[test]
    fn every_level_agrees_on_elementwise_work() {
        for level in Level::available() {
            let (mut a, mut b) = (random(7, 384), random(7, 384));
            gelu(Level::Portable, &mut a);
            gelu(level, &mut b);
            assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-6), "{level:?}");
            let (gain, shift) = (random(8, 384), random(9, 384));
            normalise(Level::Portable, &mut a, &gain, &shift, 1e-12);
            normalise(level, &mut b, &gain, &shift, 1e-12);
            assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-4), "{level:?}");
        }
    }
}
