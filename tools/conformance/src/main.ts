/**
 * Plays conversations to the built server and compares its answers with those of the reference server: our own cases with
 * recorded answers, and, where a `caddy` command is found, the shared cases side by side. The player is the project's
 * shared `parity.mjs`, beside the checkout or where SLUICE_PARITY says; without it nothing is played, and that is said.
 *
 *   npm run conformance -- [FILE-PREFIX]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const parity = process.env['SLUICE_PARITY'] ?? join(root, '..', 'shared', 'parity');
const player = join(parity, 'parity.mjs');
const server = `${process.execPath} ${join(root, 'apps', 'server', 'bin', 'sluice.js')}`;
const wanted = process.argv[2] ?? '';

/** Where a command is, also among those that Go built. */
function find(command: string): string | null {
  const found = spawnSync(
    'sh',
    ['-c', 'command -v "$1" || { f="$(go env GOPATH 2>/dev/null)/bin/$1"; test -x "$f" && echo "$f"; }', 'sh', command],
    { encoding: 'utf8' },
  );
  return found.status === 0 ? found.stdout.trim() : null;
}

function casesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name.startsWith(wanted))
    .map((name) => join(folder, name));
}

function play(...args: string[]): boolean {
  return spawnSync(process.execPath, [player, ...args, '--jobs', '1'], { stdio: 'inherit' }).status === 0;
}

if (!existsSync(player)) {
  console.log('conformance is skipped: there is no parity.mjs; set SLUICE_PARITY to the folder that has it');
} else {
  console.log('our cases, against the recorded answers of the reference:');
  let agreed = play('check', '--b', server, '--against', join(here, 'recorded'), ...casesIn(join(here, 'cases')));
  const caddy = find('caddy');
  if (caddy === null) console.log('the shared cases are skipped: there is no caddy here to compare with');
  else {
    console.log('the shared cases, side by side with the reference:');
    agreed = play('diff', '--a', caddy, '--b', server, ...casesIn(join(parity, 'cases'))) && agreed;
  }
  process.exitCode = agreed ? 0 : 1;
}
