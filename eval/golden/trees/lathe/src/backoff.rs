use std::time::Duration;

/// The pause before a failed job is tried again.
#[derive(Debug, Clone, PartialEq)]
pub struct Backoff {
    pub first: Duration,
    pub factor: f64,
    pub ceiling: Duration,
    pub jitter: f64,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            first: Duration::from_secs(2),
            factor: 2.0,
            ceiling: Duration::from_secs(3600),
            jitter: 0.2,
        }
    }
}

impl Backoff {
    /// `attempt` counts from 1; `noise` is uniform in 0..1.
    pub fn pause(&self, attempt: u32, noise: f64) -> Duration {
        let exponent = attempt.saturating_sub(1).min(63);
        let plain = self.first.as_secs_f64() * self.factor.powi(exponent as i32);
        let capped = plain.min(self.ceiling.as_secs_f64());
        let spread = 1.0 + self.jitter * (2.0 * noise - 1.0);
        Duration::from_secs_f64(capped * spread)
    }
}

/// A small generator, so that the crate does not need a large one.
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn seeded(seed: u64) -> Self {
        Noise(seed | 1)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
