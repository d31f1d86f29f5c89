//! What is left after a process went away without saying goodbye.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::thread::sleep;
use std::time::Duration;

use lathe::{Error, MemoryStore, NewJob, Queue};

#[test]
fn pushed_jobs_survive_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let id = Queue::open(dir.path()).unwrap().push(NewJob::of("mail")).unwrap();
    let job = Queue::open(dir.path()).unwrap().claim(&["mail"], 1).unwrap().unwrap();
    assert_eq!(job.id, id);
}

#[test]
fn half_a_record_at_the_end_is_trimmed() {
    let dir = tempfile::tempdir().unwrap();
    Queue::open(dir.path()).unwrap().push(NewJob::of("mail")).unwrap();
    let journal = dir.path().join("journal");
    let size = fs::metadata(&journal).unwrap().len();
    OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"\x40\0\0\0half").unwrap();
    assert_eq!(Queue::open(dir.path()).unwrap().stat().due, 1);
    assert_eq!(fs::metadata(&journal).unwrap().len(), size);
}

#[test]
fn damage_in_the_middle_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let queue = Queue::open(dir.path()).unwrap();
    queue.push(NewJob::of("mail")).unwrap();
    queue.push(NewJob::of("mail")).unwrap();
    drop(queue);
    let journal = dir.path().join("journal");
    let mut bytes = fs::read(&journal).unwrap();
    bytes[12] ^= 0xff;
    fs::write(&journal, bytes).unwrap();
    assert!(matches!(Queue::open(dir.path()), Err(Error::Corrupt { offset: 0, .. })));
}

#[test]
fn a_second_process_is_kept_out() {
    let dir = tempfile::tempdir().unwrap();
    let _open = Queue::open(dir.path()).unwrap();
    assert!(matches!(Queue::open(dir.path()), Err(Error::Locked { .. })));
}

#[test]
fn the_job_of_a_silent_worker_goes_to_another() {
    let queue = Queue::over(Box::<MemoryStore>::default())
        .with_claim_ttl(Duration::from_millis(20));
    let id = queue.push(NewJob::of("mail")).unwrap();
    queue.claim(&["mail"], 1).unwrap().unwrap();
    assert!(queue.claim(&["mail"], 2).unwrap().is_none());
    sleep(Duration::from_millis(30));
    let again = queue.claim(&["mail"], 2).unwrap().unwrap();
    assert_eq!((again.id, again.attempts), (id, 2));
    assert!(matches!(queue.complete(id, 1), Err(Error::ClaimLost(_))), "the first one is too late");
    queue.complete(id, 2).unwrap();
}
