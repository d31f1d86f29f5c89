# Short names for what README and CONTRIBUTING spell out.

# Build and search this repository.
try *question="where are small chunks merged":
    cargo run --release -- {{question}}

# Every check: format, lints, tests, docs, licences.
check:
    ./check

# Speed and size over a folder, beside ripgrep if it is installed.
bench dir *args:
    cargo bench -p wherein --bench speed -- {{dir}} {{args}}

# Rewrite what tests compare with: language samples and the command line reference.
update-expected:
    UPDATE_EXPECTED=1 cargo test --workspace
