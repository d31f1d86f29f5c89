//! Protocol buffers by hand: the few kinds of fields that the engine's messages have.
//!
//! The generated client would bring a hundred packages and a compiler of its own for a dozen
//! messages of which we use a few fields each.

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// An empty one.
    pub fn new() -> Message {
        Message::default()
    }

    /// Adds a number; a zero is left out, as it is the default.
    pub fn number(self, field: u32, value: u64) -> Message {
        if value == 0 { self } else { self.always_number(field, value) }
    }

    /// Adds a number, a zero too.
    pub fn always_number(mut self, field: u32, value: u64) -> Message {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    /// Adds bytes or text.
    pub fn bytes(mut self, field: u32, bytes: impl AsRef<[u8]>) -> Message {
        let bytes = bytes.as_ref();
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Adds text, unless it is empty.
    pub fn text(self, field: u32, text: &str) -> Message {
        if text.is_empty() { self } else { self.bytes(field, text) }
    }

    /// Adds a message.
    pub fn message(self, field: u32, message: Message) -> Message {
        self.bytes(field, message.bytes)
    }

    /// Adds one field for each of some things.
    pub fn each<T>(
        self,
        things: impl IntoIterator<Item = T>,
        add: impl Fn(Message, T) -> Message,
    ) -> Message {
        things.into_iter().fold(self, add)
    }

    /// Adds whole numbers, packed.
    pub fn numbers(self, field: u32, values: impl IntoIterator<Item = i64>) -> Message {
        let mut packed = Message::new();
        values.into_iter().for_each(|value| packed.varint(value as u64));
        self.message(field, packed)
    }

    /// Adds numbers with a fraction, packed.
    pub fn floats(self, field: u32, values: impl IntoIterator<Item = f32>) -> Message {
        let packed: Vec<u8> = values.into_iter().flat_map(f32::to_le_bytes).collect();
        self.bytes(field, packed)
    }

    /// As it is sent.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

/// A field that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'b> {
    /// A number.
    Number(u64),
    /// Bytes, text, a message or packed numbers.
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    /// Its bytes; none if it is a number.
    pub fn bytes(self) -> &'b [u8] {
        match self {
            Value::Bytes(bytes) => bytes,
            Value::Number(_) => &[],
        }
    }

    /// As text.
    pub fn text(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// As a number.
    pub fn number(self) -> u64 {
        match self {
            Value::Number(number) => number,
            Value::Bytes(_) => 0,
        }
    }

    /// As whole numbers, packed or one by one.
    pub fn numbers(self) -> Vec<i64> {
        let mut bytes = match self {
            Value::Number(number) => return vec![number as i64],
            Value::Bytes(bytes) => bytes,
        };
        let mut numbers = Vec::new();
        while let Some(number) = varint(&mut bytes) {
            numbers.push(number as i64);
        }
        numbers
    }
}

/// The fields of a message, in their order; it ends where it cannot be read.
pub fn fields(mut bytes: &[u8]) -> impl Iterator<Item = (u32, Value<'_>)> {
    std::iter::from_fn(move || {
        let tag = varint(&mut bytes)?;
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut bytes)?),
            1 => Value::Bytes(take(&mut bytes, 8)?),
            2 => {
                let length = varint(&mut bytes)? as usize;
                Value::Bytes(take(&mut bytes, length)?)
            }
            5 => Value::Bytes(take(&mut bytes, 4)?),
            _ => return None,
        };
        Some(((tag >> 3) as u32, value))
    })
}

/// The bytes of a field; the last one counts. Empty if it is absent.
pub fn part(bytes: &[u8], field: u32) -> &[u8] {
    let found = fields(bytes).filter(|(number, _)| *number == field).last();
    found.map_or(&[], |(_, value)| value.bytes())
}

/// A number of a message; 0 if it is absent.
pub fn number(bytes: &[u8], field: u32) -> u64 {
    let found = fields(bytes).filter(|(number, _)| *number == field).last();
    found.map_or(0, |(_, value)| value.number())
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let inner = Message::new().text(1, "key").text(2, "");
        let bytes = Message::new()
            .number(1, 300)
            .number(2, 0)
            .message(3, inner)
            .numbers(4, [1, -1, 1 << 40])
            .floats(5, [0.5])
            .finish();
        assert_eq!(number(&bytes, 1), 300);
        assert_eq!(number(&bytes, 2), 0);
        assert_eq!(part(part(&bytes, 3), 1), b"key");
        let numbers = fields(&bytes).find(|(field, _)| *field == 4).unwrap().1.numbers();
        assert_eq!(numbers, [1, -1, 1 << 40]);
        assert_eq!(part(&bytes, 5), 0.5f32.to_le_bytes());
    }

    #[test]
    fn no_bytes_make_the_reader_panic() {
        let whole = Message::new().number(1, 300).text(2, "some text").finish();
        for end in 0..whole.len() {
            let _ = fields(&whole[..end]).count();
        }
        assert_eq!(fields(&[0xff; 40]).count(), 0);
        assert_eq!(fields(&[0x0a, 0xff, 0xff, 0x7f]).count(), 0, "longer than there is");
    }
}
