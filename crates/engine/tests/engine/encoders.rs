//! Models that cost nothing and remember what they were asked: texts are near that share words.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use wherein_encoder::{Encoder, Error, Model, Side};
use wherein_engine::{Encoding, Meaning, encode};

use crate::project::Project;

/// A model and what it has encoded so far.
pub struct Fake {
    pub model: Model,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    /// A model whose vectors are called `id` and have `width` numbers.
    pub fn new(id: &str, width: usize) -> Fake {
        Fake::failing_after(usize::MAX, id, width)
    }

    /// The same, but it fails once it has encoded so many texts.
    pub fn failing_after(texts: usize, id: &str, width: usize) -> Fake {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let words = Words { asked: asked.clone(), width, most: texts };
        let model = Model::new(id, move || Ok(Box::new(words.clone())));
        Fake { model, asked }
    }

    /// The texts encoded since the last time this was called.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// What a search has to work with if it has all the time in the world.
    pub fn meaning(&self) -> Meaning<'_> {
        Meaning::On { model: &self.model, go_on: &|| true }
    }

    /// Encodes what the tree lacks.
    #[track_caller]
    pub fn encode(&self, project: &Project) -> Encoding {
        encode(&project.place, &self.model, &|_, _| {}, &|| true).unwrap()
    }

    /// Refreshes and encodes; how many texts were encoded and how many known.
    #[track_caller]
    pub fn catch_up(&self, project: &Project) -> (usize, usize) {
        project.refresh();
        let done = self.encode(project);
        assert_eq!(done.with_vectors, done.chunks, "{done:?}");
        assert_eq!(done.encoded, self.asked().len(), "{done:?}");
        (done.encoded, done.reused)
    }
}

/// What the judge of a [`Fake`] looks for.
pub const FAVOURITE: &str = "medlar";

#[derive(Clone)]
struct Words {
    asked: Arc<Mutex<Vec<String>>>,
    width: usize,
    most: usize,
}

impl Encoder for Words {
    fn encode(&self, texts: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
        let mut asked = self.asked.lock().unwrap();
        if asked.len() + texts.len() > self.most {
            return Err(Error::Remote("the model has had enough".to_owned()));
        }
        asked.extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    /// A passage is worth 40 more where it holds the judge's favourite word. No other question is judged than is encoded.
    fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
        let asked = self.asked.lock().unwrap();
        assert!(asked.iter().any(|text| text == question), "'{question}' is another question");
        if asked.len() + passages.len() > self.most {
            return Err(Error::Remote("the judge has had enough".to_owned()));
        }
        let worth = |passage: &&str| if passage.contains(FAVOURITE) { 30.0 } else { -10.0 };
        Ok(Some(passages.iter().map(worth).collect()))
    }
}

impl Words {
    /// Each word points its own way; a text is their sum.
    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.01; self.width];
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let mut hash = 0xcbf2_9ce4_8422_2325u64;
            for byte in word.to_lowercase().bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            vector[(hash >> 20) as usize % self.width] += 1.0;
        }
        vector
    }
}

/// A model whose second call gives vectors of another width than its first.
pub fn fickle(id: &str) -> Model {
    struct Fickle(AtomicUsize);
    impl Encoder for Fickle {
        fn encode(&self, texts: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
            let width = 8 << self.0.fetch_add(1, Ordering::Relaxed).min(4);
            Ok(vec![vec![1.0; width]; texts.len()])
        }

        fn judge(&self, _: &str, _: &[&str]) -> Result<Option<Vec<f32>>, Error> {
            Ok(None)
        }
    }
    Model::new(id, || Ok(Box::new(Fickle(AtomicUsize::new(0)))))
}

/// A model that encodes each text once.
pub fn remembering(model: Model) -> Model {
    struct Remembering(Arc<Model>, Mutex<HashMap<String, Vec<f32>>>);
    impl Encoder for Remembering {
        fn encode(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error> {
            let mut known = self.1.lock().unwrap();
            let unknown: Vec<&str> =
                texts.iter().copied().filter(|text| !known.contains_key(*text)).collect();
            let vectors = self.0.encode(&unknown, side)?;
            known.extend(unknown.iter().map(|text| (*text).to_owned()).zip(vectors));
            Ok(texts.iter().map(|text| known[*text].clone()).collect())
        }

        fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
            self.0.judge(question, passages)
        }
    }
    let model = Arc::new(model);
    Model::new(model.id().to_owned(), move || {
        Ok(Box::new(Remembering(model.clone(), Mutex::default())))
    })
}
