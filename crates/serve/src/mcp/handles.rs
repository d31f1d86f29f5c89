//! Short names for the rest of an answer.
//!
//! A handle stands for a request and how many of its items have been shown. It is made of a digest
//! of both, so one from another run of the program is never taken for one of this.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

use super::request::Request;
use super::trouble::Trouble;

/// Handles that are kept; the oldest go first.
const MOST: usize = 1000;

/// A request, and where to go on.
#[derive(Clone, Debug)]
pub struct Rest {
    pub request: Request,
    /// Items that have been shown.
    pub shown: usize,
}

/// Every rest that may still be asked for.
#[derive(Default)]
pub struct Handles(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    rests: HashMap<String, Rest>,
    order: VecDeque<String>,
}

impl Handles {
    /// A name for a rest.
    pub fn keep(&self, rest: Rest) -> String {
        let mut hasher = DefaultHasher::new();
        (format!("{:?}", rest.request), rest.shown).hash(&mut hasher);
        let name = format!("m{:08x}", hasher.finish() as u32);
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kept.rests.insert(name.clone(), rest).is_none() {
            kept.order.push_back(name.clone());
        }
        if kept.order.len() > MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.rests.remove(&oldest);
        }
        name
    }

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Result<Rest, Trouble> {
        let kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.rests.get(name.trim()).cloned().ok_or_else(|| {
            let what = format!("the handle {name:?} is not known, or no longer");
            Trouble::new(what, "Call the tool again that gave it.")
        })
    }
}
