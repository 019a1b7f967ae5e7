/** Commands that start the compared servers. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const packagedMain = fileURLToPath(new URL('../../../packaging/out/tested/dist/main.js', import.meta.url));

/** Command that runs Sluice from source without a build. Tests use the package created by `mocha.mjs`, because it starts faster. */
export const ours: readonly string[] =
  process.env['SLUICE_PACKAGED'] === '1'
    ? [process.execPath, packagedMain]
    : [process.execPath, '--conditions=@sluice/source', main];

/** Reports whether a command is in PATH. */
export function isThere(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command]).status === 0;
}

/** Returns the Caddy command, found in PATH or in the Go binary directory, or `null`. */
export function reference(): readonly string[] | null {
  const script = 'command -v caddy || { f="$(go env GOPATH 2>/dev/null)/bin/caddy"; test -x "$f" && echo "$f"; }';
  const found = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  return found.status === 0 ? [found.stdout.trim()] : null;
}
