//! Backoff, attempts and the morgue: what happens to jobs that fail.

use std::thread::sleep;
use std::time::Duration;

use lathe::{Backoff, Failure, JobState, MemoryStore, NewJob, Queue};

fn backoff() -> Backoff {
    Backoff {
        first: Duration::from_millis(10),
        factor: 2.0,
        ceiling: Duration::from_millis(50),
        jitter: 0.0,
    }
}

fn queue() -> Queue {
    Queue::over(Box::<MemoryStore>::default()).with_backoff(backoff()).with_max_attempts(3)
}

#[test]
fn backoff_doubles_until_the_ceiling() {
    let backoff = backoff();
    let pauses: Vec<u128> = (1..=5).map(|n| backoff.pause(n, 0.5).as_millis()).collect();
    assert_eq!(pauses, [10, 20, 40, 50, 50]);
}

#[test]
fn backoff_with_jitter_stays_within_a_fifth() {
    let backoff = Backoff { jitter: 0.2, ..backoff() };
    assert_eq!(backoff.pause(1, 0.0), Duration::from_millis(8));
    assert_eq!(backoff.pause(1, 1.0), Duration::from_millis(12));
}

#[test]
fn backoff_of_a_very_late_attempt_does_not_overflow() {
    assert_eq!(backoff().pause(u32::MAX, 0.5), Duration::from_millis(50));
}

#[test]
fn a_failed_job_sleeps_for_the_backoff_and_comes_back() {
    let queue = queue();
    let id = queue.push(NewJob::of("mail")).unwrap();
    let job = queue.claim(&["mail"], 1).unwrap().unwrap();
    assert_eq!(job.attempts, 1);
    assert_eq!(queue.fail(id, 1, &Failure::transient("busy")).unwrap(), JobState::Waiting);
    assert!(queue.claim(&["mail"], 1).unwrap().is_none(), "asleep during the backoff");
    sleep(Duration::from_millis(15));
    assert_eq!(queue.claim(&["mail"], 1).unwrap().unwrap().attempts, 2);
}

#[test]
fn after_the_last_attempt_a_job_is_buried() {
    let queue = queue();
    let id = queue.push(NewJob::of("mail")).unwrap();
    for attempt in 1..=3 {
        sleep(Duration::from_millis(60));
        queue.claim(&["mail"], 1).unwrap().unwrap();
        let state = queue.fail(id, 1, &Failure::transient("busy")).unwrap();
        assert_eq!(state == JobState::Buried, attempt == 3);
    }
    assert_eq!(queue.buried()[0].last_error.as_deref(), Some("busy"));
}

#[test]
fn a_permanent_failure_skips_the_backoff() {
    let queue = queue();
    let id = queue.push(NewJob::of("mail")).unwrap();
    queue.claim(&["mail"], 1).unwrap().unwrap();
    assert_eq!(queue.fail(id, 1, &Failure::permanent("no such address")).unwrap(), JobState::Buried);
    queue.revive(id).unwrap();
    assert_eq!(queue.claim(&["mail"], 1).unwrap().unwrap().attempts, 1);
}
