/**
 * Runs conformance test cases against the built server and compares its responses with Caddy's. Runs our own cases against recorded
 * responses. Runs the shared cases side by side if a `caddy` command is found. The runner is the project's shared `parity.mjs`, next to the
 * checkout or at SLUICE_PARITY. If it is missing, nothing runs and a message reports this.
 *   npm run conformance -- [FILE-PREFIX]
 * `--record` replaces the recorded responses with those of the installed Caddy.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packCases, unpackCases } from './recordings.ts';
import { reference } from './servers/commands.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const parity = process.env['SLUICE_PARITY'] ?? join(root, '..', 'shared', 'parity');
const player = join(parity, 'parity.mjs');
const server = `${process.execPath} ${join(root, 'apps', 'server', 'bin', 'sluice.js')}`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean', default: false } },
});
const [wanted = ''] = positionals;

/** Runs the selected cases of a directory. Returns true if all responses match or the directory contains no cases. */
function play(folder: string, ...args: string[]): boolean {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name.startsWith(wanted));
  if (files.length === 0) {
    console.log(`skipped: no file starts with ${wanted}`);
    return true;
  }
  const paths = files.map((name) => join(folder, name));
  const command = [player, ...args, ...paths, '--jobs', '1'];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}

/** Records Caddy's responses to our own cases, or compares the recorded responses with Sluice's. */
function playOwnCases(caddy: string | null): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-recorded-'));
  try {
    if (!values.record) {
      console.log('our cases, compared with the recorded responses of Caddy:');
      unpackCases(folder);
      return play(join(here, 'cases'), 'check', '--b', server, '--against', folder);
    }
    if (caddy === null) throw new Error('--record requires caddy');
    const recorded = play(join(here, 'cases'), 'record', '--a', caddy, '--out', folder);
    if (recorded) packCases(folder);
    return recorded;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (!existsSync(player)) {
  console.log('conformance skipped: parity.mjs is missing; set SLUICE_PARITY to its directory');
} else {
  const caddy = reference()?.join(' ') ?? null;
  let agreed = playOwnCases(caddy);
  if (caddy === null) console.log('shared cases skipped: caddy is not installed');
  else if (!values.record) {
    console.log('shared cases, compared with Caddy:');
    agreed = play(join(parity, 'cases'), 'diff', '--a', caddy, '--b', server) && agreed;
  }
  process.exitCode = agreed ? 0 : 1;
}
