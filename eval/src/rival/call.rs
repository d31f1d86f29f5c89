//! From a command line to what it printed, within a time limit.
//!
//! Output goes to temporary files, not pipes: a tool that prints much never waits for us, and a
//! server that it leaves running cannot keep us waiting for the end of a pipe.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// Enough for one question to any tool that is of use.
const ANSWER: Duration = Duration::from_secs(120);

/// Enough to index a large tree with a model on few cores.
const INDEX: Duration = Duration::from_secs(4 * 3600);

/// A command line, being put together.
pub struct Call {
    program: &'static str,
    args: Vec<OsString>,
    folder: Option<PathBuf>,
    env: Vec<(&'static str, OsString)>,
    limit: Duration,
}

/// What a program that ended left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub out: Vec<u8>,
    /// What it complained about.
    pub err: String,
}

impl Call {
    /// A call with the time of one answer.
    pub fn new(program: &'static str) -> Call {
        Call { program, args: Vec::new(), folder: None, env: Vec::new(), limit: ANSWER }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Call {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds several.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Call {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// A user's words. No program can be handed a zero byte, so each becomes a space.
    pub fn text(self, text: &str) -> Call {
        self.arg(text.replace('\0', " "))
    }

    /// Runs it in a folder.
    pub fn within(mut self, folder: &Path) -> Call {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Call {
        self.env.push((name, value.as_ref().to_owned()));
        self
    }

    /// Gives it the time of indexing a tree.
    pub fn patient(self) -> Call {
        Call { limit: INDEX, ..self }
    }

    /// Runs it and takes only success for an answer.
    pub fn succeed(self) -> Result<Outcome> {
        let program = self.program;
        let outcome = self.run()?;
        if outcome.code == Some(0) { Ok(outcome) } else { Err(outcome.failure(program)) }
    }

    /// Runs it to its end.
    pub fn run(self) -> Result<Outcome> {
        let program = self.program;
        self.start()?.ok_or_else(|| failed(program, "it is not there any more"))
    }

    /// Runs it to its end; `None` if there is no such program.
    pub fn start(self) -> Result<Option<Outcome>> {
        let (out, err) = (temporary()?, temporary()?);
        let mut child = match self.command(&out, &err).and_then(|mut command| command.spawn()) {
            Ok(child) => child,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(self.program, &error.to_string())),
        };
        let status = match wait(&mut child, self.limit) {
            Ok(Some(status)) => status,
            Ok(None) => return Err(failed(self.program, &self.too_slow())),
            Err(error) => return Err(failed(self.program, &error.to_string())),
        };
        let read = |file| contents(file).map_err(|error| failed(self.program, &error.to_string()));
        let err = String::from_utf8_lossy(&read(err)?).into_owned();
        Ok(Some(Outcome { code: status.code(), out: read(out)?, err }))
    }

    /// Many tools wrap and colour what they print: a wide, plain terminal costs them no hit.
    fn command(&self, out: &File, err: &File) -> io::Result<Command> {
        let mut command = Command::new(self.program);
        command
            .args(&self.args)
            .env("COLUMNS", "4000")
            .env("NO_COLOR", "1")
            .env("TERM", "dumb")
            .env("PYTHONUTF8", "1")
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(err.try_clone()?);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }

    fn too_slow(&self) -> String {
        let args: Vec<_> = self.args.iter().map(|arg| arg.to_string_lossy()).collect();
        format!("no end after {} s of: {}", self.limit.as_secs(), args.join(" "))
    }
}

impl Outcome {
    /// The error of a tool that did not do its work.
    pub fn failure(&self, program: &str) -> Error {
        failed(program, &self.complaint())
    }

    /// What it said last, in one line.
    pub fn complaint(&self) -> String {
        let last = self.err.lines().map(str::trim).rfind(|line| !line.is_empty());
        let code = self.code.map_or("ended by a signal".to_owned(), |n| format!("exit code {n}"));
        format!("{} ({code})", last.unwrap_or("nothing"))
    }
}

/// The error of a tool that failed for a reason.
pub fn failed(program: &str, reason: &str) -> Error {
    Error::Rival { tool: program.to_owned(), reason: reason.to_owned() }
}

/// `None`, and no process any more, if it takes too long.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn temporary() -> Result<File> {
    tempfile::tempfile().map_err(Error::write(&std::env::temp_dir()))
}

fn contents(mut file: File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Call {
        Call::new("sh").args(["-c", script])
    }

    #[track_caller]
    fn check_error<T: std::fmt::Debug>(result: Result<T>, expected: &str) {
        assert_eq!(result.unwrap_err().to_string(), expected);
    }

    #[test]
    fn output_complaints_and_code_come_back() {
        let outcome = shell("echo out; echo one >&2; echo two >&2; exit 3").run().unwrap();
        let expected =
            Outcome { code: Some(3), out: b"out\n".into(), err: "one\ntwo\n".to_owned() };
        assert_eq!(outcome, expected);
        assert_eq!(outcome.complaint(), "two (exit code 3)");
    }

    #[test]
    fn the_terminal_is_wide_and_the_folder_and_variables_are_as_asked() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        let call = shell("echo $COLUMNS $PLACE; pwd -P").within(&root).env("PLACE", "here");
        let expected = format!("4000 here\n{}\n", root.display());
        assert_eq!(call.succeed().unwrap().out, expected.as_bytes());
    }

    #[test]
    fn only_success_succeeds() {
        check_error(shell("echo no >&2; exit 1").succeed(), "sh failed: no (exit code 1)");
        check_error(shell("kill -9 $$").succeed(), "sh failed: nothing (ended by a signal)");
        let gone = Call::new("no-such-program-anywhere");
        check_error(gone.run(), "no-such-program-anywhere failed: it is not there any more");
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let limit = Duration::from_millis(50);
        let call = Call { limit, ..Call::new("sleep").arg("600") };
        let started = Instant::now();
        check_error(call.run(), "sleep failed: no end after 0 s of: 600");
        assert!(started.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_server_left_behind_does_not_hold_the_answer_up() {
        let started = Instant::now();
        assert_eq!(shell("sleep 20 & echo done").succeed().unwrap().out, b"done\n");
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn much_output_on_both_sides_is_not_a_deadlock() {
        let outcome = shell("yes | head -c 3000000; yes | head -c 3000000 >&2").run().unwrap();
        assert_eq!((outcome.out.len(), outcome.err.len()), (3_000_000, 3_000_000));
    }

    #[test]
    fn zero_bytes_in_a_question_become_spaces() {
        let call = shell("printf %s \"$1\"").arg("sh").text("a\0b");
        assert_eq!(call.succeed().unwrap().out, b"a b");
    }
}
