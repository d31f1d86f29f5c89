//! The body of an answer: one vector a text, in the order of the texts, or what is wrong with it.

use serde::Deserialize;

#[derive(Deserialize)]
struct Answer {
    data: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    index: usize,
    embedding: Vec<f32>,
}

/// Why an answer cannot be used: what the service did, to be read after its address.
#[derive(Debug, PartialEq)]
pub enum Nonsense {
    /// It is something else; its start helps to see what.
    Unreadable(&'static str),
    /// Its vectors do not fit the texts.
    Unfit(String),
}

/// The vectors for `count` texts.
pub fn vectors(body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, Nonsense> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| unreadable(&error))?;
    in_order(answer.data, count).map_err(Nonsense::Unfit)
}

/// The parser's message is not passed on: it repeats values of any length and content.
fn unreadable(error: &serde_json::Error) -> Nonsense {
    Nonsense::Unreadable(if error.is_data() {
        "gave JSON without a list of numbers as data[].embedding; \
         check that url and model are those of an embeddings service"
    } else {
        "gave no JSON; check that url leads to an OpenAI-compatible service (it mostly ends in /v1)"
    })
}

fn in_order(entries: Vec<Entry>, count: usize) -> Result<Vec<Vec<f32>>, String> {
    if entries.len() != count {
        return Err(format!(
            "gave {} vectors for {count} texts; a lower `batch` may help",
            entries.len()
        ));
    }
    let mut places = vec![None; count];
    for Entry { index, embedding } in entries {
        if !embedding.iter().all(|x| x.is_finite()) {
            return Err(format!(
                "gave a vector that is not finite for text {index}; check the model"
            ));
        }
        match places.get_mut(index) {
            Some(place @ None) => *place = Some(embedding),
            Some(_) => return Err(format!("gave two vectors for text {index}")),
            None => return Err(format!("gave a vector for text {index} of {count}")),
        }
    }
    // As many as there are places, and no place twice: every place is taken.
    Ok(places.into_iter().flatten().collect())
}
