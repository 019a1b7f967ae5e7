/** The command lines of the servers under comparison. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const packagedMain = fileURLToPath(new URL('../../../packaging/out/tested/dist/main.js', import.meta.url));

/** The command of our server: its sources, which need no build, or for tests the package that `mocha.mjs` has made, which starts sooner. */
export const ours: readonly string[] =
  process.env['SLUICE_PACKAGED'] === '1'
    ? [process.execPath, packagedMain]
    : [process.execPath, '--conditions=@sluice/source', main];

/** Whether a command is on the path. */
export function isThere(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', command]).status === 0;
}

/** The command of the reference, on the path or where Go puts what it builds; `null` if it is not here. */
export function reference(): readonly string[] | null {
  const script = 'command -v caddy || { f="$(go env GOPATH 2>/dev/null)/bin/caddy"; test -x "$f" && echo "$f"; }';
  const found = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  return found.status === 0 ? [found.stdout.trim()] : null;
}
