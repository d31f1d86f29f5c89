//! A node of the rankers' trees as it lies in the program: what packs them and what reads them agree on it.

/// Bytes of a node: a feature, a threshold, the numbers of two children counted from the tree's root: up to the threshold
/// the one, beyond it the other. Or [`LEAF`], an answer, and nothing.
pub const NODE: usize = 10;

/// What stands in place of a feature where there is none.
pub const LEAF: u16 = u16::MAX;

/// A node's bytes.
pub fn packed(feature: u16, value: f32, [up_to, beyond]: [u16; 2]) -> [u8; NODE] {
    let ([f0, f1], [v0, v1, v2, v3]) = (feature.to_le_bytes(), value.to_le_bytes());
    let ([u0, u1], [b0, b1]) = (up_to.to_le_bytes(), beyond.to_le_bytes());
    [f0, f1, v0, v1, v2, v3, u0, u1, b0, b1]
}

/// What a node's bytes say.
pub fn read([f0, f1, v0, v1, v2, v3, u0, u1, b0, b1]: [u8; NODE]) -> (u16, f32, [u16; 2]) {
    let children = [u16::from_le_bytes([u0, u1]), u16::from_le_bytes([b0, b1])];
    (u16::from_le_bytes([f0, f1]), f32::from_le_bytes([v0, v1, v2, v3]), children)
}
