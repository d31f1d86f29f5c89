//! What the user's file may say, and what comes of a name.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::models::catalogue::Catalogue;
use crate::models::place as place_of_file;

const TWO: &str = r#"
model = "local"

[models.local]
url = "http://localhost:11434/v1/"
model = "nomic-embed-text"

[models.openai]
url = "https://api.openai.com/v1"
model = "text-embedding-3-small"
key_env = "OPENAI_API_KEY"
timeout_s = 30
batch = 128
dimensions = 512

[models.mine]
folder = "mine"
"#;

/// The id of the chosen model, or the whole error.
fn choose(text: &str, by_project: Option<&str>) -> Result<Option<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, text).unwrap();
    let chosen = Catalogue::read(&path).and_then(|catalogue| catalogue.choose(by_project));
    match chosen {
        Ok(model) => Ok(model.map(|model| model.id().to_owned())),
        Err(error) => Err(format!("{error:#}").replace(&*folder.path().to_string_lossy(), "HERE")),
    }
}

#[track_caller]
fn check_id(text: &str, by_project: Option<&str>, start: &str) {
    let id = choose(text, by_project).unwrap().unwrap();
    assert!(id.starts_with(start), "{id}");
}

#[track_caller]
fn check_refused(text: &str, by_project: Option<&str>, expected: &str) {
    let error = choose(text, by_project).unwrap_err();
    assert!(error.starts_with(expected), "{error}\n{expected}");
    assert!(!error.contains("sk-"), "{error}");
}

#[test]
fn the_project_chooses_before_the_user_and_the_built_in_model_is_last() {
    check_id("", None, "built-in ");
    check_id(TWO, None, "endpoint http://localhost:11434/v1 nomic-embed-text");
    check_id(TWO, Some("openai"), "endpoint https://api.openai.com/v1 text-embedding-3-small 512");
    check_id(TWO, Some("built-in"), "built-in ");
    assert_eq!(choose(TWO, Some("none")), Ok(None));
    assert_eq!(choose("model = \"none\"", None), Ok(None));
    check_id("model = \"none\"", Some("built-in"), "built-in ");
}

#[test]
fn a_name_that_is_not_known_is_told_with_those_that_are() {
    let known = "there are built-in, large, none, local, mine, openai; \
                 others are defined in HERE/config.toml";
    check_refused(TWO, Some("other"), &format!("no model is called \"other\"; {known}"));
    let known = "there are built-in, large, none; others are defined in HERE/config.toml";
    check_refused("model = \"x\"", None, &format!("no model is called \"x\"; {known}"));
    check_refused(TWO, Some("http://evil.example/v1"), "no model is called \"http://evil.example");
    check_refused(TWO, Some(""), "no model is called \"\"");
}

#[test]
fn a_folder_is_looked_for_beside_the_file() {
    check_refused(TWO, Some("mine"), "model \"mine\": cannot read HERE/mine/model.safetensors");
    let home = "model = \"x\"\n[models.x]\nfolder = \"~/no such folder\"";
    let expected = Path::new(&std::env::home_dir().unwrap()).join("no such folder");
    check_refused(home, None, &format!("model \"x\": cannot read {}", expected.display()));
}

#[test]
fn a_file_that_is_missing_is_empty_and_one_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Catalogue::read(&folder.path().join("none/config.toml")).unwrap();
    assert!(missing.choose(None).unwrap().unwrap().id().starts_with("built-in "));
    let error = Catalogue::read(folder.path()).err().unwrap();
    let expected = format!("cannot read {}", folder.path().display());
    assert!(error.to_string().starts_with(&expected), "{error:#}");
}

#[test]
fn mistakes_are_named_with_file_and_line() {
    for (text, expected) in [
        ("model = ", "line 1: "),
        ("[models.none]\nfolder = \"x\"", "models.none: the name is taken"),
        ("[models.built-in]\nfolder = \"x\"", "models.built-in: the name is taken"),
        ("[models.a]", "line 1: a model needs a folder or a url"),
        ("[models.a]\nfolder = \"x\"\nurl = \"http://x/v1\"", "line 1: a model has a folder or"),
        ("[models.a]\nfolder = \"x\"\nbatch = 3", "line 1: a model in a folder has no other keys"),
        ("[models.a]\nurl = \"http://x/v1\"", "line 1: a model behind a url needs"),
        ("[models.a]\nurl = \"ftp://x/v1\"\nmodel = \"m\"", "line 1: the url must start with"),
        ("[models.a]\nurl = \"localhost:1\"\nmodel = \"m\"", "line 1: the url must start with"),
        ("[models.a]\nurl = \"http://\"\nmodel = \"m\"", "line 1: the url is none"),
        ("[models.a]\nurl = \"http://u:sk-1@x/v1\"\nmodel = \"m\"", "line 1: the url must hold no"),
        ("[models.a]\nurl = \"http://x/v1?k=sk-1\"\nmodel = \"m\"", "line 1: the url must hold no"),
        ("[models.a]\nmodel = \"m\"\nkey = \"sk-1\"", "line 3: unknown field `key`"),
        ("[models.a]\nbatch = 0", "line 2: "),
        ("[models.a]\ntimeout_s = -1", "line 2: "),
    ] {
        check_refused(text, Some("none"), &format!("in HERE/config.toml: {expected}"));
    }
    for key in ["sk-1", "", "hf_abc"] {
        let text = format!("[models.a]\nurl = \"http://x\"\nmodel = \"m\"\nkey_env = \"{key}\"");
        check_refused(&text, None, "in HERE/config.toml: line 1: key_env is the name of");
    }
}

#[test]
fn what_is_not_said_has_a_usual_value() {
    use crate::models::definition::Definition;
    let endpoint = |text: &str| match toml::from_str(text).unwrap() {
        Definition::Endpoint(endpoint) => endpoint,
        Definition::Folder(folder) => panic!("{folder:?}"),
    };
    let usual = endpoint("url = \"http://x\"\nmodel = \"m\"");
    assert_eq!((usual.batch, usual.timeout), (32, Duration::from_secs(60)));
    assert_eq!((usual.key_env, usual.dimensions), (None, None));
    let own = endpoint(
        "url = \"http://x\"\nmodel = \"m\"\nkey_env = \"K\"\ntimeout_s = 9\nbatch = 7\ndimensions = 5",
    );
    assert_eq!((own.batch, own.timeout), (7, Duration::from_secs(9)));
    assert_eq!((own.key_env.as_deref(), own.dimensions), (Some("K"), Some(5)));
}

#[track_caller]
fn check_place(environment: &[(&str, &str)], expected: Option<&str>) {
    let find = |name: &str| environment.iter().find(|(key, _)| *key == name);
    let place = place_of_file(|name| find(name).map(|(_, value)| PathBuf::from(value)));
    assert_eq!(place.as_deref(), expected.map(Path::new));
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_is_in_the_users_configuration_folder() {
    check_place(&[("HOME", "/h")], Some("/h/.config/wherein/config.toml"));
    check_place(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")], Some("/c/wherein/config.toml"));
    // A relative path would be found in the folder the program is started in: a checked-out tree.
    let relative = [("HOME", "/h"), ("XDG_CONFIG_HOME", "c")];
    check_place(&relative, Some("/h/.config/wherein/config.toml"));
    check_place(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "")], Some("/h/.config/wherein/config.toml"));
    check_place(&[("HOME", "h")], None);
    check_place(&[], None);
}
