//! What a call could not do, and what its caller can do about it.

use std::fmt;

use wherein_engine::Error;

use crate::http::problem::Problem;

/// A failure as an agent reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What happened.
    pub what: String,
    /// What to do next.
    pub advice: String,
}

impl Trouble {
    pub fn new(what: impl Into<String>, advice: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), advice: advice.into() }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.advice.as_str() {
            "" => f.write_str(&self.what),
            advice => write!(f, "{}. {advice}", self.what),
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        let advice = match &error {
            Error::Pattern { .. } => "Write a glob such as src or *.rs, with ! to leave out.",
            Error::Code { .. } | Error::Regex { .. } => "Write the pattern differently.",
            Error::NoRepository { .. } | Error::Git(_) => "Ask about the tree as it is.",
            Error::Revision { .. } => "Name a commit, branch or tag that is there.",
            Error::Date(_) => "Write the date so.",
            Error::Language(_) => "The tool status lists the languages there are.",
            Error::EmptyQuery | Error::OnlyFilters => "Say in words or names what to look for.",
            Error::Skipped { .. } => "It cannot be searched; read it by other means.",
            Error::Unknown { .. } => "Name a file as search does, or search for it.",
            Error::NoText { .. } => "Name another line.",
            Error::NoModel(_) => "Use search: it works by words alone.",
            Error::Encoder(_) | Error::Width { .. } => "Use search: it works by words alone.",
            Error::Missing(_) | Error::Busy(_) => "Ask again in a moment.",
            Error::Root { .. } | Error::Write { .. } => "Tell the user to look after that folder.",
            Error::Transfer(_) => "Tell the user to export it anew.",
            Error::Damaged { .. } | Error::Lexical(_) => "Ask again: it is built anew.",
        };
        Trouble::new(error.to_string(), advice)
    }
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        let mut advice = problem.advice;
        if let Some(first) = advice.get(..1).map(str::to_uppercase) {
            advice = format!("{first}{}.", &advice[1..]);
        }
        Trouble::new(problem.detail, advice)
    }
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Trouble {
        Trouble::new(format!("{error:#}"), "")
    }
}
