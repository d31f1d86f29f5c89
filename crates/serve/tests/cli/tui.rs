//! The terminal interface on a real pseudo-terminal: keys in; a screen, an editor and an exit out.
//!
//! `script` makes the terminal; a shell on it notes what the program left behind.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::project::{Project, WHEREIN};

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const PATIENCE: Duration = Duration::from_secs(60);

/// What runs on the terminal: the program, and around it what there is to know about its end.
const SHELL: &str = r#"stty rows $ROWS cols $COLUMNS; tty > "$HOME/tty"
sh -c 'echo $$ > "$HOME/pid"; exec "$WHEREIN" tui --mode lexical $ASKED'
code=$?; stty -a > "$HOME/modes"; echo $code > "$HOME/code""#;

/// The program on a terminal of its own.
struct Terminal<'p> {
    project: &'p Project,
    script: Child,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    seen: Vec<u8>,
}

impl Terminal<'_> {
    fn start<'p>(project: &'p Project, asked: &str, size: (u16, u16)) -> Terminal<'p> {
        Terminal::with(project, asked, size, &[])
    }

    fn with<'p>(
        project: &'p Project,
        asked: &str,
        (rows, columns): (u16, u16),
        variables: &[(&str, &str)],
    ) -> Terminal<'p> {
        for left in ["code", "pid"] {
            let _ = fs::remove_file(project.home().join(left));
        }
        let mut script = Command::new("script")
            .args(["-qc", SHELL, "/dev/null"])
            .current_dir(project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm-256color")
            .env("HOME", project.home())
            .env("XDG_CACHE_HOME", project.home().join("cache"))
            .env("XDG_CONFIG_HOME", project.home().join("config"))
            .env("WHEREIN", WHEREIN)
            .env("ASKED", asked)
            .env("ROWS", rows.to_string())
            .env("COLUMNS", columns.to_string())
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut reader = script.stdout.take().unwrap();
        let (sender, bytes) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let screen = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
        Terminal { project, script, bytes, screen, seen: Vec::new() }
    }

    fn press(&mut self, keys: &str) {
        let keyboard = self.script.stdin.as_mut().unwrap();
        keyboard.write_all(keys.as_bytes()).unwrap();
        keyboard.flush().unwrap();
    }

    /// Makes the terminal another size, as a window manager would.
    fn resize(&mut self, rows: u16, columns: u16) {
        let tty = fs::read_to_string(self.project.home().join("tty")).unwrap();
        let size = ["rows", &rows.to_string(), "cols", &columns.to_string()];
        assert!(
            Command::new("stty").args(["-F", tty.trim()]).args(size).status().unwrap().success()
        );
        self.screen.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
    }

    fn kill(&self, signal: Signal) {
        let pid = fs::read_to_string(self.project.home().join("pid")).unwrap();
        kill_process(Pid::from_raw(pid.trim().parse().unwrap()).unwrap(), signal).unwrap();
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    fn wait(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let shown = self.screen.screen().contents();
            if wanted(&shown) {
                return shown;
            }
            assert!(Instant::now() < deadline, "this stays:\n{shown}");
            self.read(Duration::from_millis(20));
        }
    }

    #[track_caller]
    fn shows(&mut self, text: &str) -> String {
        self.wait(|shown| shown.contains(text))
    }

    fn read(&mut self, most: Duration) {
        if let Ok(bytes) = self.bytes.recv_timeout(most) {
            self.screen.process(&bytes);
            self.seen.extend(bytes);
        }
    }

    /// Waits for the program to end, makes sure that the terminal is as it was, and gives the code
    /// by which the shell knows how it ended.
    #[track_caller]
    fn ends(mut self) -> i32 {
        let code = self.project.home().join("code");
        let deadline = Instant::now() + PATIENCE;
        while fs::read_to_string(&code).map_or(true, |text| text.is_empty()) {
            self.read(Duration::from_millis(20));
            assert!(Instant::now() < deadline, "it does not end");
        }
        self.read(Duration::from_millis(200));
        let screen = self.screen.screen();
        let left = (screen.alternate_screen(), screen.bracketed_paste(), screen.hide_cursor());
        assert_eq!(left, (false, false, false));
        let modes = fs::read_to_string(self.project.home().join("modes")).unwrap();
        assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
        fs::read_to_string(code).unwrap().trim().parse().unwrap()
    }
}

/// Whoever runs a test that fails must not wait for its terminal.
impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

#[test]
fn hits_and_lines_change_while_one_types() {
    let project = Project::sample();
    let mut terminal = Terminal::start(&project, "", (24, 120));
    terminal.shows("Type what you are looking for");
    terminal.press("evict_oldest");
    let shown = terminal.shows("pub fn evict_oldest");
    assert!(shown.contains("words> evict_oldest") && shown.contains("src/cache.rs"), "{shown}");
    terminal.press("\x15retry_upload");
    terminal.shows("def retry_upload(name, attempts):");
    terminal.press(DOWN);
    terminal.shows("docs/guide.md:");
    terminal.press(UP);
    terminal.press("\t");
    terminal.shows("meaning> retry_upload");
    terminal.press("\x1b");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn forty_columns_and_ten_lines_will_do() {
    let project = Project::sample();
    let mut terminal = Terminal::start(&project, "retry_upload", (10, 40));
    let shown = terminal.shows("def retry_upload");
    assert!(shown.lines().count() <= 10 && shown.contains("words> retry_upload"), "{shown}");
    terminal.resize(30, 110);
    terminal.shows("raise UploadError(name)");
    terminal.press("\x03");
    assert_eq!(terminal.ends(), 0);
}

/// A key and a change of the window may be there at the same moment; each letter comes with one.
#[test]
fn no_key_is_lost_while_the_window_changes() {
    let project = Project::sample();
    let mut terminal = Terminal::start(&project, "", (24, 80));
    terminal.shows("Type what you are looking for");
    let typed = "abcdefghijklmnopqrstuvwxyz".repeat(2);
    for (at, letter) in typed.char_indices() {
        terminal.kill(Signal::WINCH);
        terminal.press(letter.encode_utf8(&mut [0; 4]));
        terminal.shows(&format!("words> {}", &typed[..=at]));
    }
    terminal.press("\x1b");
    assert_eq!(terminal.ends(), 0);
}

/// An editor that writes down what it was told and changes the file.
fn editor(project: &Project) -> String {
    let path = project.home().join("editor");
    let script = "#!/bin/sh\necho \"$@\" > \"$HOME/told\"\nfor f; do :; done\necho 'def zebra(): pass' >> \"$f\"\n";
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn enter_opens_the_users_editor_at_the_line_and_comes_back_to_what_is_new() {
    let project = Project::sample();
    let own = editor(&project);
    project.configure(&format!("editor = \"{own} -l {{line}} {{path}}\"\n"));
    let mut terminal = Terminal::with(&project, "retry_upload", (24, 80), &[("EDITOR", "false")]);
    terminal.shows("def retry_upload");
    terminal.press("\r");
    let told = project.home().join("told");
    terminal.wait(|_| fs::read_to_string(&told).is_ok_and(|told| told.ends_with('\n')));
    let file = project.path("src/upload.py");
    assert_eq!(fs::read_to_string(told).unwrap().trim(), format!("-l 4 {}", file.display()));
    terminal.shows("words> retry_upload");
    terminal.press("\x15zebra");
    terminal.shows("def zebra(): pass");
    terminal.press("\x1b");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn an_editor_that_cannot_be_started_is_named() {
    let project = Project::sample();
    let editor = [("VISUAL", "no-such-editor-anywhere")];
    let mut terminal = Terminal::with(&project, "retry_upload", (24, 80), &editor);
    terminal.shows("def retry_upload");
    terminal.press("\r");
    terminal.shows("cannot start \"no-such-editor-anywhere\"");
    terminal.press("\x1b");
    assert_eq!(terminal.ends(), 0);
}

#[test]
fn a_signal_ends_it_with_the_terminal_as_it_was() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let project = Project::sample();
        let mut terminal = Terminal::start(&project, "upload", (24, 80));
        terminal.shows("def retry_upload");
        terminal.kill(signal);
        assert_eq!(terminal.ends(), 128 + signal.as_raw());
    }
}

#[test]
fn nothing_in_a_tree_speaks_to_the_terminal() {
    let project = Project::empty();
    project.write("a.py", "def wicked():\n    return '\x1b]0;owned\x07\x1b[2J\u{9b}5n'\n");
    let mut terminal = Terminal::start(&project, "wicked", (24, 80));
    terminal.shows("\\x1b]0;owned\\x07\\x1b[2J\\x9b5n");
    terminal.press("\x1b");
    let seen = terminal.seen.clone();
    assert_eq!(terminal.ends(), 0);
    let text = String::from_utf8_lossy(&seen);
    assert!(!text.contains("\x1b]0;owned") && !text.contains('\u{9b}'), "{text:?}");
}

#[test]
fn no_color_means_no_colours() {
    let project = Project::sample();
    let has_colours = |refused: bool| {
        let variables: &[(&str, &str)] = if refused { &[("NO_COLOR", "1")] } else { &[] };
        let mut terminal = Terminal::with(&project, "retry_upload", (24, 80), variables);
        terminal.shows("def retry_upload");
        let screen = terminal.screen.screen();
        let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
        let mut cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        let any = cells.any(|cell| cell.fgcolor() != vt100::Color::Default);
        terminal.press("\x1b");
        assert_eq!(terminal.ends(), 0);
        any
    };
    assert!(has_colours(false));
    assert!(!has_colours(true));
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let project = Project::sample();
    project.wherein(["tui"]).fails_naming(&["needs a terminal", "wherein QUERY"]);
}
