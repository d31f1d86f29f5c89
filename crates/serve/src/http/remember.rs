//! A model that remembers the questions it encoded last: whoever turns a page, switches a mode or
//! types on asks them again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use wherein_encoder::{Encoder, Error, Model, Side};

/// Questions kept; a vector takes a kilobyte or two.
const MOST: usize = 1024;
/// Bytes of a question that is kept.
const LONGEST: usize = 2000;

/// The same model, under the same name, with a memory.
pub fn questions(model: Model) -> Model {
    let model = Arc::new(model);
    let id = model.id().to_owned();
    Model::new(id, move || {
        Ok(Box::new(Remembering { model: model.clone(), known: Mutex::default() }))
    })
}

struct Remembering {
    model: Arc<Model>,
    known: Mutex<HashMap<String, Vec<f32>>>,
}

impl Encoder for Remembering {
    /// A question is encoded alone; passages are kept elsewhere.
    fn encode(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error> {
        let ([question], Side::Question) = (texts, side) else {
            return self.model.encode(texts, side);
        };
        if let Some(vector) = self.known().get(*question) {
            return Ok(vec![vector.clone()]);
        }
        let vectors = self.model.encode(texts, side)?;
        if let (true, [vector]) = (question.len() <= LONGEST, vectors.as_slice()) {
            let mut known = self.known();
            // Who asks so many different questions gains little from remembering the first.
            if known.len() >= MOST {
                known.clear();
            }
            known.insert((*question).to_owned(), vector.clone());
        }
        Ok(vectors)
    }

    fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
        self.model.judge(question, passages)
    }
}

impl Remembering {
    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<f32>>> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Counting(Arc<AtomicUsize>);

    impl Encoder for Counting {
        fn encode(&self, texts: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect())
        }

        fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
            Ok(Some(passages.iter().map(|it| (question.len() + it.len()) as f32).collect()))
        }
    }

    #[test]
    fn a_question_is_encoded_once_and_gives_the_same_vector() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = asked.clone();
        let plain = Model::new("m", move || Ok(Box::new(Counting(counted.clone()))));
        let model = questions(plain);
        assert_eq!(model.id(), "m");
        let first = model.encode(&["where"], Side::Question).unwrap();
        assert_eq!(model.encode(&["where"], Side::Question).unwrap(), first);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert_ne!(model.encode(&["whence and why"], Side::Question).unwrap(), first);
        assert_eq!(
            model.encode(&["where", "where"], Side::Question).unwrap(),
            [first.clone(), first].concat()
        );
        assert_eq!(asked.load(Ordering::Relaxed), 3);
        assert_eq!(model.judge("where", &["a", "bc"]).unwrap(), Some(vec![6.0, 7.0]));
    }
}
