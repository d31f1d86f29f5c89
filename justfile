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

# Rewrite what tests compare with: language samples and generated pages.
update-expected:
    UPDATE_EXPECTED=1 cargo test --workspace

# Speed beside other tools, over a folder; they are installed into a throw-away folder.
rivals dir *args:
    cargo build --release --workspace --bins
    eval/rivals/run {{dir}} --page docs/performance.md {{args}}

# Every benchmark's development half in one run, on one page.
development bench trees work:
    cargo build --release
    eval/development/run target/release/wherein {{bench}} {{trees}} {{work}} --page docs/development.md

# What the program is made of, as CycloneDX JSON.
sbom:
    packaging/sbom
