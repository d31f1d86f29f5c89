//! Figures of the running server as Prometheus reads them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::Server;
use super::activity::Progress;

/// Upper bounds of the histogram's buckets, in seconds.
const BOUNDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// Counts since the start.
#[derive(Default)]
pub struct Metrics {
    routes: Mutex<BTreeMap<(String, u16), Timings>>,
}

#[derive(Clone, Default)]
struct Timings {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// One request to a route.
    pub fn count(&self, route: String, status: StatusCode, took: Duration) {
        let took = took.as_secs_f64();
        let mut routes = self.routes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let timings = routes.entry((route, status.as_u16())).or_default();
        timings.count += 1;
        timings.seconds += took;
        for (bucket, bound) in timings.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(took <= bound);
        }
    }

    fn write(&self, page: &mut String) {
        let name = "wherein_request_seconds";
        head(page, name, "histogram", "Time from a request to the head of its answer.");
        let routes = self.routes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        for ((route, status), timings) in &routes {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            for (count, bound) in timings.buckets.iter().zip(BOUNDS) {
                let _ = writeln!(page, "{name}_bucket{{{labels},le=\"{bound}\"}} {count}");
            }
            let _ = writeln!(page, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", timings.count);
            let _ = writeln!(page, "{name}_sum{{{labels}}} {}", timings.seconds);
            let _ = writeln!(page, "{name}_count{{{labels}}} {}", timings.count);
        }
    }
}

/// Figures for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "operation",
    responses((status = 200, description = "Prometheus text format", body = String, content_type = "text/plain"))
)]
pub async fn metrics(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let mut page = String::new();
    server.metrics.write(&mut page);
    let present = server.pool.present() as f64;
    gauge(&mut page, "wherein_requests_at_work", "Requests at work or waiting for it.", present);
    if let Ok(view) = server.keeper.newest().await {
        let manifest = &view.snapshot.manifest;
        let (files, chunks) = (manifest.files.len() as f64, manifest.chunks() as f64);
        gauge(&mut page, "wherein_indexed_files", "Files in the index.", files);
        gauge(&mut page, "wherein_indexed_chunks", "Chunks in the index.", chunks);
    }
    let activity = server.keeper.board.now();
    let Progress { done, .. } = activity.encoding.progress.unwrap_or_default();
    gauge(&mut page, "wherein_encoded_chunks", "Chunks with a vector.", done as f64);
    let refreshes = activity.last_refresh.map_or(0, |last| last.number) as f64;
    head(&mut page, "wherein_refreshes_total", "counter", "Times the index was looked over.");
    let _ = writeln!(page, "wherein_refreshes_total {refreshes}");
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page)
}

fn gauge(page: &mut String, name: &str, help: &str, value: f64) {
    head(page, name, "gauge", help);
    let _ = writeln!(page, "{name} {value}");
}

fn head(page: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
