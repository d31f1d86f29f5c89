//! The program as people and scripts meet it: arguments in; text, files and an exit code out.
#![cfg(unix)]

mod asking;
mod bad_arguments;
mod bad_files;
mod batch;
mod closed_pipes;
mod clusters;
mod commands;
mod config;
mod endpoint;
mod formats;
mod full_disk;
mod graph;
mod grep;
mod health;
mod history;
mod hostile_trees;
mod killed_encoders;
mod mcp;
mod meaning;
mod options;
mod processes;
mod project;
mod serve;
mod setup;
mod sharing_work;
mod similar;
mod tui;
mod watching;
