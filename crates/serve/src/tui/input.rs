//! The question being typed: a text and where the next letter goes.

/// A line that can be edited.
#[derive(Clone, Debug, Default)]
pub struct Input {
    text: String,
    /// A byte of the text, at the start of a letter or at its end.
    at: usize,
}

impl Input {
    /// A text with the cursor behind it.
    pub fn new(text: String) -> Input {
        Input { at: text.len(), text }
    }

    /// What is typed so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands before the cursor.
    pub fn before(&self) -> &str {
        &self.text[..self.at]
    }

    /// Puts a text at the cursor.
    pub fn insert(&mut self, text: &str) {
        self.text.insert_str(self.at, text);
        self.at += text.len();
    }

    /// Moves the cursor by a letter.
    pub fn left(&mut self) {
        self.at -= self.before().chars().next_back().map_or(0, char::len_utf8);
    }

    /// The other way.
    pub fn right(&mut self) {
        self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
    }

    /// To the beginning.
    pub fn home(&mut self) {
        self.at = 0;
    }

    /// Behind the last letter.
    pub fn end(&mut self) {
        self.at = self.text.len();
    }

    /// Drops the letter before the cursor.
    pub fn backspace(&mut self) {
        let end = self.at;
        self.left();
        self.text.drain(self.at..end);
    }

    /// Drops the letter at the cursor.
    pub fn delete(&mut self) {
        let start = self.at;
        self.right();
        self.text.drain(start..self.at);
        self.at = start;
    }

    /// Drops everything before the cursor.
    pub fn clear(&mut self) {
        self.text.drain(..self.at);
        self.at = 0;
    }

    /// Drops the word before the cursor.
    pub fn drop_word(&mut self) {
        let kept = self.before().trim_end();
        let start = kept
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + kept[at..].chars().next().map_or(0, char::len_utf8));
        self.text.drain(start..self.at);
        self.at = start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_any_length_are_edited_whole() {
        let mut input = Input::new("größe  ändern".to_owned());
        input.drop_word();
        assert_eq!(input.text(), "größe  ");
        input.backspace();
        input.backspace();
        (0..3).for_each(|_| input.left());
        input.insert("→");
        assert_eq!((input.text(), input.before()), ("gr→öße", "gr→"));
        input.delete();
        input.left();
        input.backspace();
        assert_eq!(input.text(), "g→ße");
        input.right();
        input.clear();
        assert_eq!((input.text(), input.before()), ("ße", ""));
        input.left();
        input.backspace();
        input.end();
        input.delete();
        input.right();
        assert_eq!((input.text(), input.before()), ("ße", "ße"));
        input.drop_word();
        input.drop_word();
        assert_eq!(input.text(), "");
    }
}
