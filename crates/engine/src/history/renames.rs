//! Files that went and came again under another name.

use gix::ObjectId;

use crate::error::Result;
use crate::history::hunks::likeness;
use crate::history::repository::{Difference, Git};

/// Lines two files must share to be taken for one that was renamed.
const ALIKE: f32 = 0.5;

/// More than this many lost files are only compared by their whole content.
const MOST: usize = 64;

/// Files larger than this are only compared by their whole content.
const LARGEST: u64 = 1 << 20;

/// Which of the lost files a new one was: the same content, or the one most like it.
pub fn source<'d>(
    git: &Git,
    differences: &'d [Difference],
    new: ObjectId,
) -> Result<Option<&'d Difference>> {
    let lost: Vec<&Difference> = differences.iter().filter(|it| it.after.is_none()).collect();
    if let Some(same) = lost.iter().find(|it| it.before == Some(new)) {
        return Ok(Some(same));
    }
    if lost.is_empty() || lost.len() > MOST || git.size(new)? > LARGEST {
        return Ok(None);
    }
    let text = git.blob(new)?;
    let mut best: Option<(f32, &Difference)> = None;
    for candidate in lost {
        let Some(old) = candidate.before.filter(|&old| git.size(old).is_ok_and(|it| it <= LARGEST))
        else {
            continue;
        };
        let alike = likeness(&git.blob(old)?, &text);
        if alike >= ALIKE && best.is_none_or(|(most, _)| alike > most) {
            best = Some((alike, candidate));
        }
    }
    Ok(best.map(|(_, candidate)| candidate))
}
