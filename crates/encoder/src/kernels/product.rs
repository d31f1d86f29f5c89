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

/// The portable kernel: four rows of a block at a time, as the compiler sees fit.
#[inline(always)]
pub fn portable(activations: &Quantised, matrix: &Matrix, out: &mut [f32]) {
    let (inputs, outputs) = (matrix.inputs, matrix.outputs);
    for (row, line) in out.chunks_exact_mut(outputs).enumerate() {
        let bytes = &activations.bytes[row * inputs..][..inputs];
        let (scale, zero) = (activations.scales[row], activations.zeros[row]);
        for block in 0..outputs / BLOCK {
            let packed = &matrix.packed[block * inputs * BLOCK..][..inputs * BLOCK];
            let mut products = [0i32; BLOCK];
            for (quad, weights) in bytes.chunks_exact(4).zip(packed.chunks_exact(4 * BLOCK)) {
                for (product, four) in products.iter_mut().zip(weights.chunks_exact(4)) {
                    for (&a, &w) in quad.iter().zip(four) {
                        *product += i32::from(a) * i32::from(w as i8);
                    }
                }
            }
            for (c, product) in products.into_iter().enumerate() {
                let column = block * BLOCK + c;
                line[column] = value(matrix, column, product, scale, zero);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{avx2, avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Matrix, Quantised, value};

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
        for (r, line) in products.iter().enumerate() {
            let scale = _mm512_set1_ps(activations.scales[row + r]);
            let zero = _mm512_set1_epi32(activations.zeros[row + r]);
            for (n, product) in line.iter().enumerate() {
                let column = (block + n) * BLOCK;
                let (sums, scales) =
                    (&matrix.sums[column..][..BLOCK], &matrix.scales[column..][..BLOCK]);
                let bias = &matrix.bias[column..][..BLOCK];
                let target = &mut out[(row + r) * outputs + column..][..BLOCK];
                // SAFETY: each of the four slices holds the sixteen values read or written here.
                unsafe {
                    let sums = _mm512_loadu_si512(sums.as_ptr().cast());
                    let exact = _mm512_sub_epi32(*product, _mm512_mullo_epi32(zero, sums));
                    let scale = _mm512_mul_ps(scale, _mm512_loadu_ps(scales.as_ptr()));
                    let bias = _mm512_loadu_ps(bias.as_ptr());
                    let result =
                        _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(exact), scale), bias);
                    _mm512_storeu_ps(target.as_mut_ptr(), result);
                }
            }
        }
    }

    /// AVX2: bytes are widened to sixteen bits first, since its byte product saturates.
    #[target_feature(enable = "avx2,fma")]
    pub fn avx2(activations: &Quantised, matrix: &Matrix, out: &mut [f32]) {
        let rows = out.len() / matrix.outputs;
        for block in 0..matrix.outputs / BLOCK {
            let mut row = 0;
            while row < rows {
                if rows - row >= 3 {
                    narrow::<3>(activations, matrix, out, row, block);
                    row += 3;
                } else {
                    narrow::<1>(activations, matrix, out, row, block);
                    row += 1;
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn narrow<const R: usize>(
        activations: &Quantised,
        matrix: &Matrix,
        out: &mut [f32],
        row: usize,
        block: usize,
    ) {
        let (inputs, outputs) = (matrix.inputs, matrix.outputs);
        let bytes = &activations.bytes[row * inputs..(row + R) * inputs];
        let packed = &matrix.packed[block * inputs * BLOCK..][..inputs * BLOCK];
        // Each register holds four columns, two partial sums a column.
        let mut products = [[_mm256_setzero_si256(); 4]; R];
        for quad in 0..inputs / 4 {
            let mut fours = [_mm256_setzero_si256(); R];
            for (r, four) in fours.iter_mut().enumerate() {
                // SAFETY: row r of `bytes` has `inputs` bytes and `quad * 4 + 4 <= inputs`.
                let word = unsafe {
                    bytes.as_ptr().add(r * inputs + quad * 4).cast::<i32>().read_unaligned()
                };
                *four = _mm256_broadcastq_epi64(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(word)));
            }
            for n in 0..4 {
                // SAFETY: 64 bytes of `packed` belong to this quad; these are sixteen of them.
                let weights =
                    unsafe { _mm_loadu_si128(packed.as_ptr().add(quad * 64 + n * 16).cast()) };
                let weights = _mm256_cvtepi8_epi16(weights);
                for (line, four) in products.iter_mut().zip(fours) {
                    line[n] = _mm256_add_epi32(line[n], _mm256_madd_epi16(four, weights));
                }
            }
        }
        for (r, line) in products.iter().enumerate() {
            let (scale, zero) = (activations.scales[row + r], activations.zeros[row + r]);
            for (n, product) in line.iter().enumerate() {
                let mut halves = [0i32; 8];
                // SAFETY: `halves` has room for the eight values written.
                unsafe { _mm256_storeu_si256(halves.as_mut_ptr().cast(), *product) };
                for (c, pair) in halves.chunks_exact(2).enumerate() {
                    let column = block * BLOCK + n * 4 + c;
                    out[(row + r) * outputs + column] =
                        value(matrix, column, pair[0] + pair[1], scale, zero);
                }
            }
        }
    }
}
