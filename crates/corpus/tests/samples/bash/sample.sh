#!/usr/bin/env bash
# Nightly backup of a photo library.
set -euo pipefail

# Where finished archives go.
readonly ARCHIVE_ROOT="/var/backups/photos"
declare -ri KEEP_DAYS=14
declare -A SIZES=(
  [thumb]=160
  [full]=2048
)
export LANG=C LC_ALL=C
export BACKUP_USER="${BACKUP_USER:-archivist}"
verbose=0
first=1 second=2
exclude+=("*.tmp")

source ./lib/logging.sh
. "$ARCHIVE_ROOT/hooks.sh"

if [[ -t 1 ]]; then
  color=always
else
  color=never
fi
[ -n "${DEBUG:-}" ] && verbose=1

# Prints how the program is called.
# Ends it when told so.
# shellcheck disable=SC2120
usage() {
  local status="${1:-0}"
  cat <<TEXT
usage: backup [-v] FOLDER
TEXT
  exit "$status"
}

# Packs one folder.
function pack_folder() {
  local folder=$1 target
  target="$(archive_name "$folder")"
  # A function defined inside another is global all the same.
  _remove_partial() { rm -f "$target.part"; }
  trap _remove_partial EXIT
  tar -cf - "$folder" | compress_stream >"$target.part" || return 1
  mv "$target.part" "$target"
}

function archive_name {
  printf '%s/%s-%s.tar.zst' "$ARCHIVE_ROOT" "$(basename "$1")" "$(date +%F)"
}

# Runs in a subshell, so that the working folder is left alone.
compress_stream() (
  cd "$ARCHIVE_ROOT" && zstd -q "-T${THREADS:=2}"
) 2>/dev/null

# Old archives go away.
backup.prune-old() { find "$ARCHIVE_ROOT" -mtime "+$KEEP_DAYS" -delete; }

case "${1:-}" in
  -v) mode=chatty ;;
  -h) usage 0 ;;
esac

for folder in "$@"; do
  pack_folder "$folder" && log_info "packed $folder"
done
backup.prune-old

@test "an empty folder gives an empty archive" {
  run pack_folder empty
}
