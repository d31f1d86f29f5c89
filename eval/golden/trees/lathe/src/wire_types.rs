// Written by tools/wiregen from docs/format.md. Names follow the field order of the journal.
#![allow(dead_code)]

use serde::{Deserialize, Serialize};

use crate::job::{Job, JobId};

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum WireRecordV3 {
    Put { f0_job: Job },
    Claim { f0_id: JobId, f1_attempts: u32 },
    Extend { f0_id: JobId },
    Done { f0_id: JobId },
    Fail { f0_id: JobId, f1_due_ms: u64, f2_error: String },
    Bury { f0_id: JobId, f1_error: String },
    Update { f0_job: Job },
    Remove { f0_id: JobId },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireHeaderV3 {
    pub f0_length: u32,
    pub f1_checksum: u32,
}

pub(crate) const WIRE_HEADER_V3_SIZE: usize = 8;
