//! The two inner loops of a scan, compiled for the instructions at hand.

use super::PLANES;

/// What the signs of a row select of a question.
#[derive(Clone, Copy)]
pub struct Counts {
    /// Signs that are set.
    pub set: u32,
    /// The sum of the question's levels at those.
    pub levels: u32,
}

/// Counts for every row of signs.
pub fn count(bits: &[u8], planes: &[[u64; PLANES]], each: &mut impl FnMut(usize, Counts)) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt,avx2,bmi1,bmi2")]
        fn fast(bits: &[u8], planes: &[[u64; PLANES]], each: &mut impl FnMut(usize, Counts)) {
            count_rows(bits, planes, each);
        }
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the machine has just been asked for these instructions.
            return unsafe { fast(bits, planes, each) };
        }
    }
    count_rows(bits, planes, each);
}

#[inline(always)]
fn count_rows(bits: &[u8], planes: &[[u64; PLANES]], each: &mut impl FnMut(usize, Counts)) {
    for (number, row) in bits.chunks_exact(planes.len() * 8).enumerate() {
        let (mut set, mut levels) = (0, 0);
        for (word, planes) in row.as_chunks::<8>().0.iter().zip(planes) {
            let word = u64::from_le_bytes(*word);
            set += word.count_ones();
            for (weight, plane) in planes.iter().enumerate() {
                levels += (word & plane).count_ones() << weight;
            }
        }
        each(number, Counts { set, levels });
    }
}

/// The dot product of floats with signed bytes.
pub fn dot(floats: &[f32], bytes: &[u8]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn fast(floats: &[f32], bytes: &[u8]) -> f32 {
            dot_lanes::<true>(floats, bytes)
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the machine has just been asked for these instructions.
            return unsafe { fast(floats, bytes) };
        }
    }
    dot_lanes::<false>(floats, bytes)
}

/// Sums in lanes, so that the compiler may keep a vector of them.
#[inline(always)]
fn dot_lanes<const FUSED: bool>(floats: &[f32], bytes: &[u8]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0f32; LANES];
    let (floats, last_floats) = floats.as_chunks::<LANES>();
    let (bytes, last_bytes) = bytes.as_chunks::<LANES>();
    for (floats, bytes) in floats.iter().zip(bytes) {
        for lane in 0..LANES {
            let (x, y) = (floats[lane], f32::from(bytes[lane] as i8));
            sums[lane] = if FUSED { x.mul_add(y, sums[lane]) } else { sums[lane] + x * y };
        }
    }
    let last = last_floats.iter().zip(last_bytes).map(|(x, &y)| x * f32::from(y as i8));
    sums.iter().sum::<f32>() + last.sum::<f32>()
}
