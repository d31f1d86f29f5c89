//! What the rest of the system knows of a model: a name for its vectors, and two methods.

use std::fmt;
use std::sync::OnceLock;

use crate::bert::{Bert, Glance};
use crate::error::Error;

/// Which side of a search a text stands on: a model may spend more on the one question than on
/// each of many passages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What is asked.
    Question,
    /// What may answer.
    Passage,
}

/// Turns texts into vectors.
pub trait Encoder: Send + Sync {
    /// One vector a text, in the order of the texts, all of one width and in one space.
    fn encode(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error>;

    /// How well each passage answers a question, read together with it; the higher the better. None if it cannot tell.
    fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error>;
}

/// Tokens of a text that are read; the rest of it is left aside. The model was trained on 208.
pub const MOST_TOKENS: usize = 208;

/// Tokens of a question that a judge reads.
const MOST_JUDGED: usize = 64;

/// What the quick layers read of a passage. Most of what there is to say of a long chunk is in how it
/// begins and in the words that are new in its rest: so read they find as much as by all 208 tokens.
/// With 96, 40 and 76 they take a third less and find a point less in lists of functions.
pub const GLANCE: Glance = Glance { whole: 128, head: 64, told: 112 };

/// The whole model for every text.
impl Encoder for Bert {
    fn encode(&self, texts: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
        Ok(self.encode_up_to(texts, MOST_TOKENS))
    }

    fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
        Ok(Bert::judge(self, question, MOST_JUDGED, passages, GLANCE))
    }
}

/// The whole model for questions, its quick layers for passages.
pub struct Quick(pub Bert);

impl Encoder for Quick {
    fn encode(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error> {
        Ok(match side {
            Side::Question => self.0.encode_up_to(texts, MOST_TOKENS),
            Side::Passage => self.0.encode_quickly(texts, GLANCE),
        })
    }

    fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
        Encoder::judge(&self.0, question, passages)
    }
}

/// Makes an encoder when one is first needed.
type Make = Box<dyn Fn() -> Result<Box<dyn Encoder>, Error> + Send + Sync>;

/// An encoder by the name of its vectors, loaded when it is first asked.
pub struct Model {
    id: String,
    make: Make,
    encoder: OnceLock<Result<Box<dyn Encoder>, Error>>,
}

impl Model {
    /// A model whose vectors are called `id`: two models of the same id must give the same ones.
    pub fn new(
        id: impl Into<String>,
        make: impl Fn() -> Result<Box<dyn Encoder>, Error> + Send + Sync + 'static,
    ) -> Model {
        Model { id: id.into(), make: Box::new(make), encoder: OnceLock::new() }
    }

    /// What its vectors are called.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// One unit vector a text. An encoder that could not be made is not tried again, and an answer
    /// of the wrong shape is an error.
    pub fn encode(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = self.encoder()?.encode(texts, side)?;
        if vectors.len() != texts.len() {
            let (given, got) = (texts.len(), vectors.len());
            return Err(Error::Shape(format!("{got} vectors came back for {given} texts")));
        }
        let width = vectors.first().map_or(0, Vec::len);
        for vector in &mut vectors {
            if vector.len() != width || width == 0 {
                let got = vector.len();
                return Err(Error::Shape(format!(
                    "a vector of {got} numbers beside one of {width}"
                )));
            }
            unit(vector)?;
        }
        Ok(vectors)
    }

    /// How well each passage answers a question, read together with it; the higher the better. None if the model
    /// cannot tell.
    pub fn judge(&self, question: &str, passages: &[&str]) -> Result<Option<Vec<f32>>, Error> {
        let judged = self.encoder()?.judge(question, passages)?;
        let said = judged.as_deref().unwrap_or_default();
        let (given, got) = (passages.len(), said.len());
        if judged.is_some() && given != got {
            return Err(Error::Shape(format!("{got} judgements came back for {given} passages")));
        }
        if !said.iter().all(|it| it.is_finite()) {
            return Err(Error::Shape("a judgement that is not finite".to_owned()));
        }
        Ok(judged)
    }

    fn encoder(&self) -> Result<&dyn Encoder, Error> {
        let made = self.encoder.get_or_init(&*self.make).as_ref().map_err(Clone::clone)?;
        Ok(&**made)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model({})", self.id)
    }
}

/// Scales a vector to length 1.
fn unit(vector: &mut [f32]) -> Result<(), Error> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err(Error::Shape("a vector that is zero or not finite".to_owned()));
    }
    vector.iter_mut().for_each(|x| *x /= length);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Vec<Vec<f32>>);

    impl Encoder for Fixed {
        fn encode(&self, _: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
            Ok(self.0.clone())
        }

        fn judge(&self, _: &str, _: &[&str]) -> Result<Option<Vec<f32>>, Error> {
            Ok(self.0.first().cloned())
        }
    }

    #[track_caller]
    fn check(vectors: &[&[f32]], expected: Result<&[&[f32]], &str>) {
        let vectors: Vec<Vec<f32>> = vectors.iter().map(|vector| vector.to_vec()).collect();
        let model = Model::new("test", move || Ok(Box::new(Fixed(vectors.clone()))));
        match (model.encode(&["a", "b"], Side::Passage), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (found, _) => panic!("{found:?}"),
        }
    }

    #[test]
    fn vectors_are_scaled_and_their_shape_is_checked() {
        check(&[&[3.0, 4.0], &[0.0, 2.0]], Ok(&[&[0.6, 0.8], &[0.0, 1.0]]));
        check(&[&[1.0]], Err("1 vectors came back for 2 texts"));
        check(&[&[1.0], &[1.0, 0.0]], Err("a vector of 2 numbers beside one of 1"));
        check(&[&[1.0], &[f32::NAN]], Err("not finite"));
        check(&[&[], &[]], Err("a vector of 0 numbers"));
    }

    #[test]
    fn a_judge_speaks_of_every_passage_or_is_refused() {
        let judge = |said: &[f32]| {
            let fixed = vec![said.to_vec()];
            Model::new("test", move || Ok(Box::new(Fixed(fixed.clone())))).judge("a", &["b", "c"])
        };
        assert_eq!(judge(&[1.0, -2.0]).unwrap(), Some(vec![1.0, -2.0]));
        for (said, because) in [
            (&[1.0][..], "1 judgements came back for 2 passages"),
            (&[1.0, f32::NAN], "not finite"),
        ] {
            let error = judge(said).unwrap_err().to_string();
            assert!(error.contains(because), "{error}");
        }
        let silent = Model::new("test", || Ok(Box::new(Fixed(Vec::new()))));
        assert_eq!(silent.judge("a", &["b"]).unwrap(), None);
    }

    #[test]
    fn an_encoder_that_cannot_be_made_is_tried_once() {
        let tries = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = tries.clone();
        let model = Model::new("broken", move || {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Err(Error::Model("no".to_owned()))
        });
        assert!(
            model.encode(&["a"], Side::Question).is_err()
                && model.encode(&["a"], Side::Question).is_err()
        );
        assert_eq!(tries.load(std::sync::atomic::Ordering::Relaxed), 1);
    }
}
