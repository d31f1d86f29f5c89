//! Stands over the folders of a tree and is told by the system of what changes in them, so that not every question
//! has to look at the times of all files: of Django's, that was half of what a question cost.
//!
//! The system tells of a change before the call that made it returns, so who changes a file and then asks is never
//! answered from before. It does not tell of what is written through a mapping of a file or under another of its names
//! outside the tree, of what a network's other machines do, or of file systems mounted within the tree; so nobody relies
//! on it for longer than [`TRUST`], and only where the root lies on a file system of this machine. Linux only; elsewhere
//! every question looks.

use std::time::{Duration, Instant};

use wherein_corpus::Stamp;

/// How long quiet is relied on.
pub const TRUST: Duration = Duration::from_secs(1);

/// Who stands over a tree.
#[derive(Default)]
pub enum Posted {
    /// Nobody yet.
    #[default]
    Nobody,
    /// Nobody ever: the system does not tell of changes here, or of no more folders.
    Never,
    /// Somebody.
    Sentry(Sentry),
}

/// Stands over the folders of one manifest.
pub struct Sentry {
    /// The manifest, by the file that it was read from.
    pub manifest: Option<Stamp>,
    post: post::Post,
    /// When a look began that found everything as the manifest says, with the post already taken.
    found_fresh: Option<Instant>,
}

impl Sentry {
    /// Takes post over the folders of a manifest, if the system tells of all that changes in them.
    pub fn over(
        root: &std::path::Path,
        manifest: &wherein_engine::index::manifest::Manifest,
        published: Option<Stamp>,
    ) -> Posted {
        match post::Post::over(root, &post::folders(manifest)) {
            Ok(post) => Posted::Sentry(Sentry { manifest: published, post, found_fresh: None }),
            Err(refusal) => refusal,
        }
    }

    /// Whether nothing was told of since this was last asked.
    pub fn is_quiet(&self) -> bool {
        self.post.is_quiet()
    }

    /// Whether quiet says that everything is as it was.
    pub fn is_trusted(&self) -> bool {
        self.found_fresh.is_some_and(|began| began.elapsed() < TRUST)
    }

    /// Remembers a look that found everything as it was, and when it began.
    pub fn confirmed(self, began: Instant) -> Sentry {
        Sentry { found_fresh: Some(began), ..self }
    }
}

#[cfg(target_os = "linux")]
mod post {
    use std::collections::HashSet;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use rustix::io::Errno;
    use wherein_engine::index::manifest::Manifest;

    use super::Posted;

    pub struct Post(OwnedFd);

    /// File systems that only this machine writes to: ext, xfs, btrfs, f2fs, tmpfs and what containers lay over them.
    const OF_THIS_MACHINE: [i64; 6] =
        [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994, 0x794C_7630];

    /// The folders that were walked, and those of all files; relative to the root.
    pub fn folders(manifest: &Manifest) -> HashSet<&str> {
        let files = manifest.files.iter().map(|file| file.path.as_str());
        let skipped = manifest.skipped.iter().map(|skipped| skipped.path.as_str());
        let parents = files.chain(skipped).map(|path| path.rsplit_once('/').map_or("", |it| it.0));
        let watched = manifest.watched.iter().filter(|it| it.stamp.is_some());
        let walked = watched.map(|it| it.path.as_str()).filter(|path| !path.starts_with('/'));
        parents.chain(walked).chain([""]).collect()
    }

    impl Post {
        pub fn over(root: &Path, folders: &HashSet<&str>) -> Result<Post, Posted> {
            let kind = rustix::fs::statfs(root).map_err(|_| Posted::Nobody)?.f_type;
            if !OF_THIS_MACHINE.contains(&(kind as i64)) {
                return Err(Posted::Never);
            }
            let post = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC);
            let post = post.map_err(|_| Posted::Never)?;
            let told = WatchFlags::MODIFY
                | WatchFlags::ATTRIB
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MOVED_FROM
                | WatchFlags::MOVED_TO
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR;
            for folder in folders {
                match inotify::add_watch(&post, root.join(folder), told) {
                    // A file: its folder tells of it.
                    Ok(_) | Err(Errno::NOTDIR) => {}
                    Err(Errno::NOENT) => return Err(Posted::Nobody),
                    // Without a word for some of the folders there is none for any.
                    Err(_) => return Err(Posted::Never),
                }
            }
            Ok(Post(post))
        }

        pub fn is_quiet(&self) -> bool {
            let (mut told, mut is_quiet) = ([0u8; 4096], true);
            loop {
                match rustix::io::read(&self.0, &mut told) {
                    Ok(0) | Err(Errno::AGAIN) => return is_quiet,
                    Ok(_) => is_quiet = false,
                    Err(Errno::INTR) => {}
                    Err(_) => return false,
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod post {
    use std::collections::HashSet;
    use std::path::Path;

    use wherein_engine::index::manifest::Manifest;

    use super::Posted;

    /// There is none.
    pub enum Post {}

    pub fn folders(_: &Manifest) -> HashSet<&str> {
        HashSet::new()
    }

    impl Post {
        pub fn over(_: &Path, _: &HashSet<&str>) -> Result<Post, Posted> {
            Err(Posted::Never)
        }

        pub fn is_quiet(&self) -> bool {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::Posted;
    use super::post::Post;

    fn tree() -> (tempfile::TempDir, Post) {
        let tree = tempfile::tempdir().unwrap();
        fs::create_dir(tree.path().join("src")).unwrap();
        fs::write(tree.path().join("src/a.rs"), "fn a() {}").unwrap();
        fs::write(tree.path().join("b.md"), "# B").unwrap();
        let post = Post::over(tree.path(), &["", "src", "b.md"].into());
        let Ok(post) = post else { panic!("nobody took post") };
        assert!(post.is_quiet());
        (tree, post)
    }

    #[track_caller]
    fn told(change: impl FnOnce(&Path)) {
        let (tree, post) = tree();
        change(tree.path());
        assert!(!post.is_quiet(), "the change is told of");
        assert!(post.is_quiet(), "once");
    }

    #[test]
    fn every_change_is_told_of_at_once() {
        told(|tree| fs::write(tree.join("src/a.rs"), "fn b() {}").unwrap());
        told(|tree| fs::write(tree.join("src/new.rs"), "").unwrap());
        told(|tree| fs::write(tree.join(".gitignore"), "src").unwrap());
        told(|tree| fs::remove_file(tree.join("b.md")).unwrap());
        told(|tree| fs::rename(tree.join("src/a.rs"), tree.join("src/c.rs")).unwrap());
        told(|tree| fs::rename(tree.join("src"), tree.join("lib")).unwrap());
        told(|tree| fs::create_dir_all(tree.join("src/deep/deeper")).unwrap());
        told(|tree| {
            let then = std::time::SystemTime::UNIX_EPOCH;
            fs::File::options()
                .write(true)
                .open(tree.join("b.md"))
                .unwrap()
                .set_modified(then)
                .unwrap();
        });
        told(|tree| fs::remove_dir_all(tree.join("src")).unwrap());
    }

    #[test]
    fn to_read_is_no_change() {
        let (tree, post) = tree();
        fs::read(tree.path().join("src/a.rs")).unwrap();
        fs::read_dir(tree.path().join("src")).unwrap().count();
        assert!(post.is_quiet());
    }

    #[test]
    fn nobody_stands_over_a_folder_that_is_gone() {
        let tree = tempfile::tempdir().unwrap();
        let refused = |root: &Path| Post::over(root, &["", "gone"].into()).err();
        assert!(
            matches!(refused(tree.path()), Some(Posted::Nobody)),
            "there may be somebody later"
        );
        assert!(
            matches!(refused(Path::new("/proc")), Some(Posted::Never)),
            "nothing is told of there"
        );
    }
}
