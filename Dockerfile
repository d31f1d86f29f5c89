# The program and nothing else that it could miss: built in one image, run in a small one.
#
#   docker build --tag wherein .
#   docker run --rm --volume "$PWD:/tree:ro" --volume wherein:/cache wherein where are uploads retried
#   docker run --rm --publish 127.0.0.1:7700:7700 --volume "$PWD:/tree:ro" --volume wherein:/cache \
#     --env WHEREIN_TOKEN=… wherein serve /tree --listen 0.0.0.0:7700
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc g++ libc6-dev
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package wherein

FROM debian:bookworm-slim
RUN useradd --create-home --uid 10001 wherein && mkdir /cache /tree && chown wherein /cache
COPY --from=build /source/target/release/wherein /usr/local/bin/wherein
ENV XDG_CACHE_HOME=/cache
VOLUME /cache
USER wherein
WORKDIR /tree
ENTRYPOINT ["wherein"]
CMD ["--help"]
