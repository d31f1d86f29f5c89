//! SCRAM-SHA-256: shows the database that we know a password, without saying it, and has the database
//! show that it knows it too (RFC 5802, RFC 7677).
//!
//! Not here: the binding to the TLS connection (`SCRAM-SHA-256-PLUS`), and the normal form of
//! passwords beyond ASCII, which must be typed as they were set.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::{SecureRandom, SystemRandom};
use ring::{digest, hmac, pbkdf2};

/// What the database calls it.
pub const NAME: &str = "SCRAM-SHA-256";

/// Rounds that a database may ask for; more would only keep us busy.
const MOST_ROUNDS: u32 = 10_000_000;

/// A conversation in which we speak first.
pub struct Scram {
    password: String,
    /// Ours alone of the first message; the database's own follows in its answer.
    nonce: String,
    /// What the database must sign in the end.
    expected: Vec<u8>,
}

/// Why it cannot go on.
pub type Broken = &'static str;

const GARBLED: Broken = "its side of the login cannot be read";

impl Scram {
    /// Begins with something that nobody can foresee.
    pub fn new(password: &str) -> Result<Scram, Broken> {
        let mut random = [0; 18];
        let broken = |_| "this machine gives no random numbers";
        SystemRandom::new().fill(&mut random).map_err(broken)?;
        Ok(Scram::with(password, &STANDARD.encode(random)))
    }

    fn with(password: &str, nonce: &str) -> Scram {
        Scram { password: password.to_owned(), nonce: nonce.to_owned(), expected: Vec::new() }
    }

    /// The first message. The database knows from before who asks.
    pub fn first(&self) -> String {
        format!("{HEADER}{}", self.bare())
    }

    fn bare(&self) -> String {
        format!("n=,r={}", self.nonce)
    }

    /// The proof, from what the database says to the first message.
    pub fn proof(&mut self, said: &str) -> Result<String, Broken> {
        let nonce = part(said, 'r').ok_or(GARBLED)?;
        let salt = part(said, 's').and_then(|it| STANDARD.decode(it).ok()).ok_or(GARBLED)?;
        let rounds = part(said, 'i').and_then(|it| it.parse().ok()).ok_or(GARBLED)?;
        if !nonce.starts_with(&self.nonce) || nonce.len() == self.nonce.len() {
            return Err("it answers to another login than this one");
        }
        let is_usual = (1..=MOST_ROUNDS).contains(&rounds);
        let rounds = std::num::NonZeroU32::new(rounds).filter(|_| is_usual).ok_or(GARBLED)?;
        let mut salted = [0; digest::SHA256_OUTPUT_LEN];
        let password = self.password.as_bytes();
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, rounds, &salt, password, &mut salted);
        let last = format!("c={},r={nonce}", STANDARD.encode(HEADER));
        let all = format!("{},{said},{last}", self.bare());
        let key = signed(&salted, b"Client Key");
        let stored = digest::digest(&digest::SHA256, &key);
        let signature = signed(stored.as_ref(), all.as_bytes());
        let proof: Vec<u8> = key.iter().zip(&signature).map(|(a, b)| a ^ b).collect();
        self.expected = signed(&signed(&salted, b"Server Key"), all.as_bytes());
        Ok(format!("{last},p={}", STANDARD.encode(proof)))
    }

    /// Whether the database knows the password too.
    pub fn is_answered(&self, said: &str) -> bool {
        let given = part(said, 'v').and_then(|it| STANDARD.decode(it).ok());
        !self.expected.is_empty() && given.as_ref() == Some(&self.expected)
    }
}

/// That nothing binds the login to the connection it goes over.
const HEADER: &str = "n,,";

fn part(said: &str, name: char) -> Option<&str> {
    said.split(',').find_map(|it| it.strip_prefix(name)?.strip_prefix('='))
}

fn signed(key: &[u8], what: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), what).as_ref().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str =
        "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";

    /// Computed by an implementation of its own: Python's `hashlib` and `hmac`.
    #[test]
    fn a_login_is_the_one_of_the_standard() {
        let mut scram = Scram::with("pencil", "rOprNGfwEbeRWgbNEkqO");
        assert_eq!(scram.first(), "n,,n=,r=rOprNGfwEbeRWgbNEkqO");
        let proof = scram.proof(SAID).unwrap();
        assert_eq!(
            proof,
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=qvT2SWdEH5Q06albL+hjSYuUhCG7VndFyzIb7CK4n9k="
        );
        assert!(scram.is_answered("v=3HO6Qt1M4MKJrmlKaoOqLAI0/0TV0HZe7J9H3MBtSOg="));
        assert!(!scram.is_answered("v=AAAA") && !scram.is_answered("e=other-error"));
    }

    #[test]
    fn an_answer_to_somebody_else_is_refused() {
        let refused = |nonce: &str, said: &str| Scram::with("pencil", nonce).proof(said).is_err();
        assert!(refused("mine", SAID), "another's");
        assert!(refused("rOprNGfwEbeRWgbNEkqO", "r=rOprNGfwEbeRWgbNEkqO,s=W22Z,i=4096"));
        assert!(refused("rOprNGfwEbeRWgbNEkqO", &SAID.replace("4096", "0")));
        assert!(refused("rOprNGfwEbeRWgbNEkqO", "") && refused("", "s=,i="));
        assert!(
            !Scram::with("pencil", "x").is_answered("v="),
            "before a proof nothing is answered"
        );
    }
}
