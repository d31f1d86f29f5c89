//! The thread that searches: the last question is answered, those before it only if there is time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::{Snapshot, search};

use crate::cli::search::ENCODING_TIME;
use crate::cli::tree::Tree;

/// A question on its way.
struct Question {
    number: u64,
    query: Query,
    snapshot: Arc<Snapshot>,
}

/// What came of one.
pub struct Found {
    /// Which one; later questions have larger numbers.
    pub number: u64,
    /// What was asked.
    pub query: Query,
    /// The answer, or what went wrong.
    pub answer: Result<Answer, String>,
    /// How long it took.
    pub took: Duration,
}

/// The near side of the thread.
pub struct Worker {
    questions: Sender<Question>,
    answers: Receiver<Found>,
    /// The number of the last question.
    last: Arc<AtomicU64>,
}

impl Worker {
    /// Starts to wait for questions about a tree.
    pub fn start(tree: Arc<Tree>) -> Worker {
        let (questions, asked) = mpsc::channel::<Question>();
        let (answered, answers) = mpsc::channel();
        let last = Arc::new(AtomicU64::new(0));
        let newest = last.clone();
        thread::spawn(move || {
            while let Ok(question) = asked.recv() {
                let question = asked.try_iter().last().unwrap_or(question);
                if answered.send(answer(&tree, question, &newest)).is_err() {
                    return;
                }
            }
        });
        Worker { questions, answers, last }
    }

    /// Asks; the question's number.
    pub fn ask(&mut self, query: Query, snapshot: Arc<Snapshot>) -> u64 {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        // If nobody is there to take it, the next look for an answer says so.
        let _ = self.questions.send(Question { number, query, snapshot });
        number
    }

    /// An answer, if one has come.
    pub fn found(&mut self) -> anyhow::Result<Option<Found>> {
        match self.answers.try_recv() {
            Ok(found) => Ok(Some(found)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => bail!("the search ended before its time"),
        }
    }
}

fn answer(tree: &Tree, question: Question, newest: &AtomicU64) -> Found {
    let Question { number, query, snapshot } = question;
    let started = Instant::now();
    // Encoding for a question that nobody waits for any more would hold up the next.
    let wanted = || newest.load(Ordering::Relaxed) == number && started.elapsed() < ENCODING_TIME;
    let answer = search(&*snapshot, &tree.meaning(&wanted), &query);
    Found {
        number,
        query,
        answer: answer.map_err(|error| format!("{:#}", anyhow::Error::from(error))),
        took: started.elapsed(),
    }
}
