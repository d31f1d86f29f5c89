//! A folder with `config.json`, `tokenizer.json` and `model.safetensors`, as sentence encoders of
//! the BERT family are given out, made into a model file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::error::Error;
use crate::model::{Dense, Header, Judge, Layer, ModelWriter, Place, Pooling, Shape};

/// Folders of the same kind that give more layers over a model's embeddings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Besides<'p> {
    /// Fewer layers for passages.
    pub quick: Option<&'p Path>,
    /// Layers of a judge; its tensors `judge.weight` and `judge.bias` are in the same file.
    pub judge: Option<&'p Path>,
}

/// Reads a folder, and what there is besides, and quantises the weights.
pub fn convert(folder: &Path, besides: Besides, name: &str) -> Result<Vec<u8>, Error> {
    let tokens = vocabulary(&json(&folder.join("tokenizer.json"))?)?;
    let weights = |folder: &Path| read(&folder.join("model.safetensors"));
    let mut writer = ModelWriter::default();
    let quick_layers = match besides.quick {
        Some(folder) => Converter::of(folder, &weights(folder)?, &mut writer)?.layers()?,
        None => Vec::new(),
    };
    let judge = match besides.judge {
        Some(folder) => Some(Converter::of(folder, &weights(folder)?, &mut writer)?.judge()?),
        None => None,
    };
    let bytes = weights(folder)?;
    let header = Converter::of(folder, &bytes, &mut writer)?.header(name, &tokens)?;
    let header = Header { pooling: pooling(folder), quick_layers, judge, ..header };
    if header.judge.is_some() && header.pooling != Pooling::Mean {
        return Err(Error::model("it pools by the first token, and a judge by the mean"));
    }
    Ok(writer.finish(&header))
}

#[derive(Deserialize)]
struct Config {
    hidden_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    vocab_size: usize,
    layer_norm_eps: f32,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default)]
    position_embedding_type: Option<String>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

impl Config {
    fn shape(&self) -> Shape {
        let Config { hidden_size, num_attention_heads, intermediate_size, .. } = *self;
        let measure = |n: usize| u32::try_from(n).unwrap_or(0);
        Shape {
            hidden: measure(hidden_size),
            heads: measure(num_attention_heads),
            inner: measure(intermediate_size),
            positions: measure(self.max_position_embeddings),
        }
    }

    fn check(&self) -> Result<(), Error> {
        self.shape().check()?;
        if self.hidden_act != "gelu" {
            return Err(Error::model(format!(
                "activation '{}' is not supported, only gelu",
                self.hidden_act
            )));
        }
        match self.position_embedding_type.as_deref() {
            None | Some("absolute") => Ok(()),
            Some(other) => {
                Err(Error::model(format!("position embeddings '{other}' are not supported")))
            }
        }
    }
}

struct Converter<'t> {
    config: Config,
    tensors: Tensors<'t>,
    writer: &'t mut ModelWriter,
}

impl<'t> Converter<'t> {
    fn of(folder: &Path, bytes: &'t [u8], writer: &'t mut ModelWriter) -> Result<Self, Error> {
        let config: Config = json(&folder.join("config.json"))?;
        config.check()?;
        Ok(Converter { config, tensors: Tensors::of(bytes)?, writer })
    }

    fn layers(&mut self) -> Result<Vec<Layer>, Error> {
        (0..self.config.num_hidden_layers).map(|n| self.layer(n)).collect()
    }

    fn header(&mut self, name: &str, tokens: &[String]) -> Result<Header, Error> {
        let Config { hidden_size: hidden, max_position_embeddings: positions, .. } = self.config;
        if tokens.len() != self.config.vocab_size {
            return Err(Error::model(format!(
                "{} tokens but {} word embeddings",
                tokens.len(),
                self.config.vocab_size
            )));
        }
        let words = self.tensor("embeddings.word_embeddings.weight", tokens.len() * hidden)?;
        let mut places =
            self.tensor("embeddings.position_embeddings.weight", positions * hidden)?;
        let kinds =
            self.tensors.floats("embeddings.token_type_embeddings.weight").unwrap_or_default();
        for row in places.chunks_exact_mut(hidden) {
            row.iter_mut().zip(&kinds).for_each(|(x, kind)| *x += kind);
        }
        let norm = self.norm("embeddings.LayerNorm")?;
        let layers = self.layers()?;
        Ok(Header {
            name: name.to_owned(),
            hidden: hidden as u32,
            heads: self.config.num_attention_heads as u32,
            inner: self.config.intermediate_size as u32,
            epsilon: self.config.layer_norm_eps,
            positions: positions as u32,
            pooling: Pooling::Mean,
            split_identifiers: true,
            vocabulary: self.writer.vocabulary(tokens),
            words: self.writer.rows(&words, hidden),
            places: self.writer.floats(&places),
            norm,
            layers,
            quick_layers: Vec::new(),
            judge: None,
        })
    }

    fn judge(&mut self) -> Result<Judge, Error> {
        let layers = self.layers()?;
        let weights = self.tensor("judge.weight", self.config.hidden_size)?;
        let bias = self.tensor("judge.bias", 1)?[0];
        Ok(Judge { layers, weights: self.writer.floats(&weights), bias })
    }

    fn layer(&mut self, number: usize) -> Result<Layer, Error> {
        let base = format!("encoder.layer.{number}");
        let (hidden, inner) = (self.config.hidden_size, self.config.intermediate_size);
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            weights.extend(
                self.tensor(&format!("{base}.attention.self.{part}.weight"), hidden * hidden)?,
            );
            bias.extend(self.tensor(&format!("{base}.attention.self.{part}.bias"), hidden)?);
        }
        Ok(Layer {
            attention: self.writer.dense(&weights, hidden, &bias),
            output: self.dense(&format!("{base}.attention.output.dense"), hidden, hidden)?,
            norm: self.norm(&format!("{base}.attention.output.LayerNorm"))?,
            up: self.dense(&format!("{base}.intermediate.dense"), hidden, inner)?,
            down: self.dense(&format!("{base}.output.dense"), inner, hidden)?,
            last_norm: self.norm(&format!("{base}.output.LayerNorm"))?,
        })
    }

    fn dense(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, Error> {
        let weights = self.tensor(&format!("{name}.weight"), inputs * outputs)?;
        let bias = self.tensor(&format!("{name}.bias"), outputs)?;
        Ok(self.writer.dense(&weights, inputs, &bias))
    }

    fn norm(&mut self, name: &str) -> Result<(Place, Place), Error> {
        let gain = self.tensor(&format!("{name}.weight"), self.config.hidden_size)?;
        let shift = self.tensor(&format!("{name}.bias"), self.config.hidden_size)?;
        Ok((self.writer.floats(&gain), self.writer.floats(&shift)))
    }

    fn tensor(&self, name: &str, count: usize) -> Result<Vec<f32>, Error> {
        let values = self
            .tensors
            .floats(name)
            .ok_or_else(|| Error::model(format!("it has no tensor {name} of floats")))?;
        if values.len() == count {
            return Ok(values);
        }
        Err(Error::model(format!("{name} has {} values instead of {count}", values.len())))
    }
}

/// The tensors of a safetensors file.
struct Tensors<'t> {
    listed: BTreeMap<String, Value>,
    data: &'t [u8],
}

impl<'t> Tensors<'t> {
    fn of(bytes: &'t [u8]) -> Result<Tensors<'t>, Error> {
        let broken = || Error::model("model.safetensors is cut short or no such file");
        let length = bytes
            .get(..8)
            .and_then(|b| b.try_into().ok())
            .map(u64::from_le_bytes)
            .ok_or_else(broken)?;
        let end = usize::try_from(length)
            .ok()
            .and_then(|length| length.checked_add(8))
            .ok_or_else(broken)?;
        let header = bytes.get(8..end).ok_or_else(broken)?;
        let listed: BTreeMap<String, Value> = serde_json::from_slice(header)
            .map_err(|e| Error::model(format!("model.safetensors: {e}")))?;
        let data = &bytes[end..];
        let ends = listed.values().filter_map(|entry| entry.pointer("/data_offsets/1")?.as_u64());
        match ends.max().is_none_or(|end| end <= data.len() as u64) {
            true => Ok(Tensors { listed, data }),
            false => Err(broken()),
        }
    }

    /// A tensor by its name, with or without the prefix some exports put before it.
    fn floats(&self, name: &str) -> Option<Vec<f32>> {
        let entry = self.listed.get(name).or_else(|| self.listed.get(&format!("bert.{name}")))?;
        let offsets = entry.get("data_offsets")?;
        let (start, end) = (offsets.get(0)?.as_u64()? as usize, offsets.get(1)?.as_u64()? as usize);
        let bytes = self.data.get(start..end)?;
        match entry.get("dtype")?.as_str()? {
            "F32" => Some(
                bytes
                    .chunks_exact(4)
                    .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                    .collect(),
            ),
            "F16" => Some(
                bytes.chunks_exact(2).map(|b| half(u16::from_le_bytes([b[0], b[1]]))).collect(),
            ),
            "BF16" => Some(
                bytes
                    .chunks_exact(2)
                    .map(|b| f32::from_bits(u32::from(u16::from_le_bytes([b[0], b[1]])) << 16))
                    .collect(),
            ),
            _ => None,
        }
    }
}

/// A 16-bit float as a 32-bit one.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 => sign * if fraction == 0.0 { f32::INFINITY } else { f32::NAN },
        _ => sign * (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

/// Tokens in the order of their ids.
fn vocabulary(tokenizer: &Value) -> Result<Vec<String>, Error> {
    let listed = tokenizer.pointer("/model/vocab").and_then(Value::as_object);
    let listed =
        listed.ok_or_else(|| Error::model("tokenizer.json has no WordPiece vocabulary"))?;
    let mut tokens = vec![String::new(); listed.len()];
    for (token, id) in listed {
        let slot = id.as_u64().and_then(|id| tokens.get_mut(id as usize));
        *slot.ok_or_else(|| Error::model("tokenizer.json numbers its tokens with gaps"))? =
            token.clone();
    }
    Ok(tokens)
}

/// Sentence encoders say how they pool in a file beside the model; the mean is the usual way.
fn pooling(folder: &Path) -> Pooling {
    let listed: Option<Value> = json(&folder.join("1_Pooling/config.json")).ok();
    let first =
        listed.and_then(|value| value.get("pooling_mode_cls_token").and_then(Value::as_bool));
    if first == Some(true) { Pooling::First } else { Pooling::Mean }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| Error::Read { path: path.to_owned(), reason: error.to_string() })
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Error> {
    serde_json::from_slice(&read(path)?)
        .map_err(|e| Error::model(format!("{}: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_read_as_written() {
        for (bits, value) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8)]
        {
            assert_eq!(half(bits), value);
        }
    }
}
