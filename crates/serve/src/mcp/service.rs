//! A conversation as the protocol has it: who asks, what may be asked, how far the work is.

use std::sync::{Arc, Mutex};

use axum::Router;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::call::{Caller, Desk};
use super::params;
use super::roots::Roots;
use super::seen::Seen;
use super::tools;
use crate::http::pool::Pool;

/// Bytes of a request.
const MOST_BYTES: usize = 1 << 20;

/// Agents that hand a model the structured content of an answer *instead of* its text: for them the
/// text alone is sent, which says the same in fewer tokens. Others get both.
const READ_STRUCTURED_FIRST: [&str; 5] =
    ["claude", "codex", "opencode", "visual studio code", "vscode"];

/// One conversation. Over HTTP without sessions there is one a request, and nothing is remembered.
pub struct Conversation {
    desk: Arc<Desk>,
    seen: Mutex<Seen>,
    /// Whether others than who started us may be asking.
    #[cfg(feature = "fleet")]
    is_shared: bool,
}

impl Conversation {
    pub fn new(desk: Arc<Desk>) -> Conversation {
        Conversation {
            desk,
            seen: Mutex::default(),
            #[cfg(feature = "fleet")]
            is_shared: false,
        }
    }

    /// What the asker shows to see repositories of a fleet: over HTTP its own header and never what
    /// the server was started with.
    #[cfg(feature = "fleet")]
    fn token(&self, context: &RequestContext<RoleServer>) -> Option<String> {
        if !self.is_shared {
            return crate::cli::fleet::place::own_token();
        }
        let parts = context.extensions.get::<axum::http::request::Parts>()?;
        crate::http::fleet::token(&parts.headers)
    }

    /// Tells how far a first index is for as long as the call takes, if the client wants to know.
    async fn tell_progress(&self, context: &RequestContext<RoleServer>) {
        let Some(token) = context.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        let mut boards: Vec<_> =
            self.desk.roots.all.iter().map(|root| root.keeper.board.watch()).collect();
        let mut told = 0.0;
        loop {
            let now = boards.iter_mut().filter_map(|board| board.borrow_and_update().indexing);
            let (done, total) = now.fold((0, 0), |sum, it| (sum.0 + it.done, sum.1 + it.total));
            // Progress must grow; a second tree that begins may lower the sum.
            if done as f64 > told || (told == 0.0 && total > 0) {
                told = (done as f64).max(f64::MIN_POSITIVE);
                let message = format!("indexing: {done} of {total} files");
                let progress = ProgressNotificationParam::new(token.clone(), done as f64)
                    .with_total(total as f64)
                    .with_message(message);
                let _ = context.peer.notify_progress(progress).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    }
}

impl ServerHandler for Conversation {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("wherein", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().iter().find(|tool| tool.name == name).cloned()
    }

    /// Over HTTP; on standard input nobody but [`Lines`](super::lines::Lines) sees them.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let unknown = || ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method.clone(), None);
        Err(params::refusal(&request).unwrap_or_else(unknown))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let caller = Caller {
            seen: &self.seen,
            #[cfg(feature = "fleet")]
            token: self.token(&context),
        };
        let answer = self.desk.call(&request.name, arguments, &caller);
        let answer = tokio::select! {
            answer = answer => answer,
            () = self.tell_progress(&context) => unreachable!("it goes on until it is dropped"),
            () = context.ct.cancelled() => {
                return Err(ErrorData::internal_error("cancelled by the client", None));
            }
        };
        let result = match answer {
            Ok(reply) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
                if !reads_structured_first(&context) {
                    result.structured_content = Some(reply.facts);
                }
                result
            }
            // What went wrong is for the model to read, so it is no error of the protocol.
            Err(trouble) => CallToolResult::error(vec![ContentBlock::text(trouble.to_string())]),
        };
        Ok(result.into())
    }
}

fn reads_structured_first(context: &RequestContext<RoleServer>) -> bool {
    let name = context.client_info().map(|client| client.name.to_lowercase()).unwrap_or_default();
    READ_STRUCTURED_FIRST.iter().any(|agent| name.contains(agent))
}

/// The same over HTTP, for trees that are served already. Who may ask is decided before.
pub fn over_http<S: Clone + Send + Sync + 'static>(roots: Roots, pool: Arc<Pool>) -> Router<S> {
    let desk = Desk::new(roots, pool);
    let conversation = move || {
        Ok(Conversation {
            #[cfg(feature = "fleet")]
            is_shared: true,
            ..Conversation::new(desk.clone())
        })
    };
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MOST_BYTES);
    let sessions = Arc::new(LocalSessionManager::default());
    Router::new().route_service("/mcp", StreamableHttpService::new(conversation, sessions, config))
}
