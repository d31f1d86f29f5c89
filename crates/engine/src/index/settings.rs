//! What decides how a tree is read; another value means the tree is read anew.

use wherein_corpus::{ChunkSize, Digest, Language, WalkSettings};

/// The settings of one tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Which files, and as what language.
    pub walk: WalkSettings,
    /// How large chunks may be.
    pub chunk: ChunkSize,
}

impl Settings {
    /// Changes whenever an indexed tree would come out differently.
    pub fn digest(&self) -> Digest {
        let overrides = postcard::to_stdvec(&self.walk.overrides).unwrap_or_default();
        Digest::of_parts(&[
            &self.walk.max_file_size.to_le_bytes(),
            &self.chunk.limit.to_le_bytes(),
            &overrides,
            &fingerprint_of_all_languages().0,
        ])
    }
}

/// Under which key a file's parse is kept.
pub fn parse_key(content: Digest, language: &Language, chunk: ChunkSize) -> Digest {
    Digest::of_parts(&[&content.0, &language.fingerprint().0, &chunk.limit.to_le_bytes()])
}

fn fingerprint_of_all_languages() -> Digest {
    let fingerprints: Vec<_> = Language::all().iter().map(Language::fingerprint).collect();
    let parts: Vec<&[u8]> = fingerprints.iter().map(|digest| digest.0.as_slice()).collect();
    Digest::of_parts(&parts)
}
