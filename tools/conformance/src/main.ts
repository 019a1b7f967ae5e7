/**
 * Plays conversations to the built server and compares its responses with those of the reference server: our own cases with
 * recorded responses, and, where a `caddy` command is found, the shared cases side by side. The player is the project's
 * shared `parity.mjs`, beside the checkout or where SLUICE_PARITY says; without it nothing is played, and that is said.
 *
 *   npm run conformance -- [FILE-PREFIX]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reference } from './servers/commands.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const parity = process.env['SLUICE_PARITY'] ?? join(root, '..', 'shared', 'parity');
const player = join(parity, 'parity.mjs');
const server = `${process.execPath} ${join(root, 'apps', 'server', 'bin', 'sluice.js')}`;
const wanted = process.argv[2] ?? '';

/** Plays the wanted cases of a folder. Returns whether all responses were as wanted; also if there was nothing to play. */
function play(folder: string, ...args: string[]): boolean {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name.startsWith(wanted));
  if (files.length === 0) {
    console.log(`skipped: no file there begins with ${wanted}`);
    return true;
  }
  const paths = files.map((name) => join(folder, name));
  const command = [player, ...args, ...paths, '--jobs', '1'];
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}

if (!existsSync(player)) {
  console.log('conformance is skipped: there is no parity.mjs; set SLUICE_PARITY to the folder that has it');
} else {
  console.log('our cases, against the recorded responses of the reference:');
  let agreed = play(join(here, 'cases'), 'check', '--b', server, '--against', join(here, 'recorded'));
  const caddy = reference();
  if (caddy === null) console.log('the shared cases are skipped: there is no caddy here to compare with');
  else {
    console.log('the shared cases, side by side with the reference:');
    agreed = play(join(parity, 'cases'), 'diff', '--a', caddy.join(' '), '--b', server) && agreed;
  }
  process.exitCode = agreed ? 0 : 1;
}
