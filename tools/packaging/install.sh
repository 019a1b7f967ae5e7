#!/bin/sh
# Installs the latest release of Sluice (or SLUICE_VERSION) to ~/.local/bin (or SLUICE_INSTALL_DIR):
#   curl -fsSL URL/install.sh | sh
# Verifies the checksum of the download. SLUICE_BASE_URL sets a different source for the files, such as a mirror.
set -eu

repository='@REPOSITORY@'
version="${SLUICE_VERSION:-@VERSION@}"
base="${SLUICE_BASE_URL:-$repository/releases/download/v$version}"
directory="${SLUICE_INSTALL_DIR:-$HOME/.local/bin}"

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "no executable for $(uname -s); on Windows, download sluice-$version-windows-x64.tar.gz from $base" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "no executable for processor $(uname -m)" ;;
esac
libc=''
if [ "$system" = linux ] && ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then libc='-musl'; fi
name="sluice-$version-$system-$processor$libc.tar.gz"

temporary="$(mktemp -d)"
trap 'rm -rf "$temporary"' EXIT INT TERM
download() {
  if command -v curl >/dev/null; then
    curl -fsSL --retry 2 --connect-timeout 20 -o "$temporary/$1" "$base/$1" || fail "cannot download $base/$1"
  elif command -v wget >/dev/null; then
    wget -q -T 20 -O "$temporary/$1" "$base/$1" || fail "cannot download $base/$1"
  else
    fail 'curl or wget is required'
  fi
}
download "$name"
download SHA256SUMS

cd "$temporary"
grep "  $name\$" SHA256SUMS >expected || fail "SHA256SUMS contains no checksum for $name"
if command -v sha256sum >/dev/null; then
  sha256sum -c expected >/dev/null || fail "checksum mismatch for $name; do not use the file"
else
  shasum -a 256 -c expected >/dev/null || fail "checksum mismatch for $name; do not use the file"
fi
tar -xzf "$name"
mkdir -p "$directory"
# The file of a running program can be replaced with a rename, but not overwritten.
cp "sluice-$version-$system-$processor$libc/sluice" "$directory/sluice.new"
chmod 755 "$directory/sluice.new"
mv -f "$directory/sluice.new" "$directory/sluice"
if [ -f "sluice-$version-$system-$processor$libc/waf-engine" ]; then
  cp "sluice-$version-$system-$processor$libc/waf-engine" "$directory/waf-engine.new"
  chmod 755 "$directory/waf-engine.new"
  mv -f "$directory/waf-engine.new" "$directory/waf-engine"
fi
"$directory/sluice" version >/dev/null || fail "$directory/sluice failed to start"
echo "installed $("$directory/sluice" version) to $directory/sluice"
case ":$PATH:" in
  *":$directory:"*) ;;
  *) echo "add $directory to PATH" ;;
esac
