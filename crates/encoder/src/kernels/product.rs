//! The product of byte activations and byte weights, the one loop that costs.
//!
//! Weights lie in blocks of sixteen columns, four rows at a time (`[column block][row / 4][column]
//! [row % 4]`), which is what one AVX-512 VNNI instruction eats. The other instruction sets read
//! the same layout. All of them compute the same integers.

use super::math::Quantised;

/// Columns in a block of packed weights.
pub const BLOCK: usize = 16;

/// A matrix of weights as stored: packed bytes, a scale and a sum a column, and the bias.
pub struct Matrix<'w> {
    /// `inputs * outputs` bytes in blocks.
    pub packed: &'w [u8],
    /// Rows of the matrix.
    pub inputs: usize,
    /// Columns of the matrix.
    pub outputs: usize,
    /// What one step of a column stands for.
    pub scales: &'w [f32],
    /// The sum of a column's bytes, to take the activations' zero point off.
    pub sums: &'w [i32],
    /// Added to each output.
    pub bias: &'w [f32],
}

/// Turns an integer product into the value it stands for.
#[inline(always)]
fn value(matrix: &Matrix, column: usize, product: i32, scale: f32, zero: i32) -> f32 {
    let product = product - zero * matrix.sums[column];
    product as f32 * (scale * matrix.scales[column]) + matrix.bias[column]
}

/// Columns the portable kernel works on at a time.
const FEW: usize = 4;

/// The portable kernel: four columns at a time, whose sixteen weights of a step stand side by side.
/// The activations are repeated for each of the four beforehand and a byte by a byte fits sixteen
/// bits, so the compiler multiplies eight at a time or more.
#[inline(always)]
pub fn portable(activations: &Quantised, matrix: &Matrix, out: &mut [f32]) {
    let (inputs, outputs) = (matrix.inputs, matrix.outputs);
    let mut steps: Vec<[i16; 4 * FEW]> = Vec::new();
    for (row, line) in out.chunks_exact_mut(outputs).enumerate() {
        let bytes = &activations.bytes[row * inputs..][..inputs];
        steps.clear();
        steps.extend(bytes.chunks_exact(4).map(|quad| std::array::from_fn(|i| quad[i % 4].into())));
        let (scale, zero) = (activations.scales[row], activations.zeros[row]);
        for column in (0..outputs).step_by(FEW) {
            let packed = &matrix.packed[column / BLOCK * inputs * BLOCK..][..inputs * BLOCK];
            let parts = few_columns(&steps, &packed[column % BLOCK * 4..]);
            for (c, four) in parts.chunks_exact(4).enumerate() {
                line[column + c] = value(matrix, column + c, four.iter().sum(), scale, zero);
            }
        }
    }
}

/// Sums of products, apart for each of the four rows of a step.
#[inline(always)]
fn few_columns(steps: &[[i16; 4 * FEW]], packed: &[u8]) -> [i32; 4 * FEW] {
    let mut parts = [0i32; 4 * FEW];
    for (step, weights) in steps.iter().zip(packed.chunks(4 * BLOCK)) {
        let Some(weights) = weights.first_chunk::<{ 4 * FEW }>() else { break };
        for i in 0..4 * FEW {
            parts[i] += i32::from(step[i] * i16::from(weights[i] as i8));
        }
    }
    parts
}

#[cfg(target_arch = "x86_64")]
pub use x86::{avx2, avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Matrix, Quantised};

    /// Rows of activations that share each load of weights.
    const ROWS: usize = 12;

    /// AVX-512 with VNNI: two blocks of columns by up to twelve rows in registers.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub fn avx512(activations: &Quantised, matrix: &Matrix, out: &mut [f32]) {
        let rows = out.len() / matrix.outputs;
        let blocks = matrix.outputs / BLOCK;
        let mut block = 0;
        while block < blocks {
            let wide = blocks - block >= 2;
            let mut row = 0;
            while row < rows {
                let many = (rows - row).min(ROWS);
                match wide {
                    true => tiles::<2>(activations, matrix, out, row, many, block),
                    false => tiles::<1>(activations, matrix, out, row, many, block),
                }
                row += many;
            }
            block += if wide { 2 } else { 1 };
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn tiles<const WIDE: usize>(
        activations: &Quantised,
        matrix: &Matrix,
        out: &mut [f32],
        row: usize,
        many: usize,
        block: usize,
    ) {
        match many {
            12 => tile::<12, WIDE>(activations, matrix, out, row, block),
            8..=11 => {
                tile::<8, WIDE>(activations, matrix, out, row, block);
                tiles::<WIDE>(activations, matrix, out, row + 8, many - 8, block);
            }
            4..=7 => {
                tile::<4, WIDE>(activations, matrix, out, row, block);
                tiles::<WIDE>(activations, matrix, out, row + 4, many - 4, block);
            }
            1..=3 => {
                tile::<1, WIDE>(activations, matrix, out, row, block);
                tiles::<WIDE>(activations, matrix, out, row + 1, many - 1, block);
            }
            _ => {}
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn tile<const R: usize, const WIDE: usize>(
        activations: &Quantised,
        matrix: &Matrix,
        out: &mut [f32],
        row: usize,
        block: usize,
    ) {
        let (inputs, outputs) = (matrix.inputs, matrix.outputs);
        let bytes = &activations.bytes[row * inputs..(row + R) * inputs];
        let packed = &matrix.packed[block * inputs * BLOCK..(block + WIDE) * inputs * BLOCK];
        let mut products = [[_mm512_setzero_si512(); WIDE]; R];
        for quad in 0..inputs / 4 {
            let mut weights = [_mm512_setzero_si512(); WIDE];
            for (n, weight) in weights.iter_mut().enumerate() {
                // SAFETY: block n of `packed` has `inputs * BLOCK` bytes and `quad < inputs / 4`,
                // so these 64 bytes lie inside it; the load needs no alignment.
                *weight = unsafe {
                    _mm512_loadu_si512(packed.as_ptr().add(n * inputs * BLOCK + quad * 64).cast())
                };
            }
            for (r, line) in products.iter_mut().enumerate() {
                // SAFETY: row r of `bytes` has `inputs` bytes and `quad * 4 + 4 <= inputs`.
                let four = unsafe {
                    bytes.as_ptr().add(r * inputs + quad * 4).cast::<i32>().read_unaligned()
                };
                let four = _mm512_set1_epi32(four);
                for (product, weight) in line.iter_mut().zip(weights) {
                    *product = _mm512_dpbusd_epi32(*product, four, weight);
                }
            }
        }
        for n in 0..WIDE {
            let column = (block + n) * BLOCK;
            let (sums, scales) =
                (&matrix.sums[column..][..BLOCK], &matrix.scales[column..][..BLOCK]);
            let bias = &matrix.bias[column..][..BLOCK];
            // SAFETY: each of the three slices holds the sixteen values read here.
            let (sums, scales, bias) = unsafe {
                (
                    _mm512_loadu_si512(sums.as_ptr().cast()),
                    _mm512_loadu_ps(scales.as_ptr()),
                    _mm512_loadu_ps(bias.as_ptr()),
                )
            };
            for (r, line) in products.iter().enumerate() {
                let zero = _mm512_set1_epi32(activations.zeros[row + r]);
                let exact = _mm512_sub_epi32(line[n], _mm512_mullo_epi32(zero, sums));
                let scale = _mm512_mul_ps(_mm512_set1_ps(activations.scales[row + r]), scales);
                let result = _mm512_fmadd_ps(_mm512_cvtepi32_ps(exact), scale, bias);
                let target = &mut out[(row + r) * outputs + column..][..BLOCK];
                // SAFETY: the slice has room for the sixteen values written.
                unsafe { _mm512_storeu_ps(target.as_mut_ptr(), result) };
            }
        }
    }

    /// Rows whose bytes are widened together; a multiple of [`TALL`], small enough for the cache.
    const GROUP: usize = 48;
    /// Rows of activations that share each load of weights: what fits sixteen registers.
    const TALL: usize = 6;
    /// Columns of a tile.
    const HALF: usize = BLOCK / 2;

    /// AVX2: bytes are widened to sixteen bits first, since its byte product saturates.
    #[target_feature(enable = "avx2,fma")]
    pub fn avx2(activations: &Quantised, matrix: &Matrix, out: &mut [f32]) {
        let (inputs, rows) = (matrix.inputs, out.len() / matrix.outputs);
        let mut words: Vec<i16> = Vec::new();
        for start in (0..rows).step_by(GROUP) {
            let end = (start + GROUP).min(rows);
            words.clear();
            words.extend(
                activations.bytes[start * inputs..end * inputs].iter().map(|&b| i16::from(b)),
            );
            for column in (0..matrix.outputs).step_by(HALF) {
                let mut row = start;
                while row + TALL <= end {
                    let words = &words[(row - start) * inputs..];
                    narrow::<TALL>(words, activations, matrix, out, row, column);
                    row += TALL;
                }
                for row in row..end {
                    let words = &words[(row - start) * inputs..];
                    narrow::<1>(words, activations, matrix, out, row, column);
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn narrow<const R: usize>(
        words: &[i16],
        activations: &Quantised,
        matrix: &Matrix,
        out: &mut [f32],
        row: usize,
        column: usize,
    ) {
        let (inputs, outputs) = (matrix.inputs, matrix.outputs);
        let words = &words[..R * inputs];
        let packed = &matrix.packed[column / BLOCK * inputs * BLOCK..][..inputs * BLOCK];
        let half = column % BLOCK * 4;
        // Each register holds four columns, two partial sums a column.
        let mut products = [[_mm256_setzero_si256(); 2]; R];
        for quad in 0..inputs / 4 {
            let mut weights = [_mm256_setzero_si256(); 2];
            for (n, weight) in weights.iter_mut().enumerate() {
                // SAFETY: 64 bytes of `packed` belong to this quad; `half` is 0 or 32 and `n` at
                // most 1, so these are sixteen of them.
                *weight = _mm256_cvtepi8_epi16(unsafe {
                    _mm_loadu_si128(packed.as_ptr().add(quad * 64 + half + n * 16).cast())
                });
            }
            for (r, line) in products.iter_mut().enumerate() {
                // SAFETY: row r of `words` has `inputs` of them and `quad * 4 + 4 <= inputs`.
                let four = unsafe {
                    words.as_ptr().add(r * inputs + quad * 4).cast::<i64>().read_unaligned()
                };
                let four = _mm256_set1_epi64x(four);
                for (product, weight) in line.iter_mut().zip(weights) {
                    *product = _mm256_add_epi32(*product, _mm256_madd_epi16(four, weight));
                }
            }
        }
        let (sums, scales) = (&matrix.sums[column..][..HALF], &matrix.scales[column..][..HALF]);
        let bias = &matrix.bias[column..][..HALF];
        for (r, [low, high]) in products.into_iter().enumerate() {
            let scale = _mm256_set1_ps(activations.scales[row + r]);
            let zero = _mm256_set1_epi32(activations.zeros[row + r]);
            let target = &mut out[(row + r) * outputs + column..][..HALF];
            // Pairs are added within halves of a register; the quarters are then put in order.
            let product = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_hadd_epi32(low, high));
            // SAFETY: each of the four slices holds the eight values read or written here.
            unsafe {
                let sums = _mm256_loadu_si256(sums.as_ptr().cast());
                let exact = _mm256_sub_epi32(product, _mm256_mullo_epi32(zero, sums));
                let scale = _mm256_mul_ps(scale, _mm256_loadu_ps(scales.as_ptr()));
                let bias = _mm256_loadu_ps(bias.as_ptr());
                let result = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(exact), scale), bias);
                _mm256_storeu_ps(target.as_mut_ptr(), result);
            }
        }
    }
}
