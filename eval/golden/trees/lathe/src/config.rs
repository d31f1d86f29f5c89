use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::backoff::Backoff;
use crate::error::{Error, Result};

#[derive(Debug, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub pool: PoolConfig,
    pub claim: ClaimConfig,
    pub retry: RetryConfig,
    pub kinds: BTreeMap<String, KindConfig>,
    pub schedule: Vec<ScheduleEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct PoolConfig {
    pub threads: usize,
    pub poll_ms: u64,
    pub grace_s: u64,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct ClaimConfig {
    pub ttl_s: u64,
    pub extend_every_s: u64,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct RetryConfig {
    pub first_s: u64,
    pub factor: f64,
    pub ceiling_s: u64,
    pub jitter: f64,
    pub max_attempts: u32,
}

#[derive(Debug, Deserialize)]
pub struct KindConfig {
    pub max_attempts: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub struct ScheduleEntry {
    pub name: String,
    pub kind: String,
    pub at: String,
}

impl Default for PoolConfig {
    fn default() -> Self {
        PoolConfig { threads: 4, poll_ms: 250, grace_s: 30 }
    }
}

impl Default for ClaimConfig {
    fn default() -> Self {
        ClaimConfig { ttl_s: 60, extend_every_s: 20 }
    }
}

impl Default for RetryConfig {
    fn default() -> Self {
        RetryConfig { first_s: 2, factor: 2.0, ceiling_s: 3600, jitter: 0.2, max_attempts: 25 }
    }
}

impl Config {
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let config: Config = toml::from_str(&text).map_err(|e| Error::Config(e.to_string()))?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<()> {
        if self.claim.extend_every_s * 2 > self.claim.ttl_s {
            return Err(Error::Config(
                "claim.extend_every_s must be at most half of claim.ttl_s".into(),
            ));
        }
        if !(0.0..1.0).contains(&self.retry.jitter) {
            return Err(Error::Config(format!("retry.jitter {} is not within 0..1", self.retry.jitter)));
        }
        Ok(())
    }

    pub fn backoff(&self) -> Backoff {
        Backoff {
            first: Duration::from_secs(self.retry.first_s),
            factor: self.retry.factor,
            ceiling: Duration::from_secs(self.retry.ceiling_s),
            jitter: self.retry.jitter,
        }
    }
}
