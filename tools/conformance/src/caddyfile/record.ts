/**
 * Records Caddy's results for the Caddyfiles of the adapter tests. Writes the document to `NAME.json` next to `NAME.caddyfile`, or the
 * error message to `NAME.error`.
 *   node tools/conformance/src/caddyfile/record.ts DIRECTORY
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reference } from '../servers/commands.ts';

const [folder] = process.argv.slice(2);
const [command] = reference() ?? [];
if (folder === undefined || command === undefined) {
  console.log('usage: record.ts DIRECTORY (requires caddy)');
  process.exitCode = 1;
} else {
  const place = mkdtempSync(join(tmpdir(), 'sluice-caddyfile-'));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.caddyfile')))
    record(command, folder, file, place);
  rmSync(place, { recursive: true });
}

function record(program: string, from: string, file: string, place: string): void {
  writeFileSync(join(place, 'Caddyfile'), readFileSync(join(from, file)));
  const run = spawnSync(program, ['adapt', '--config', 'Caddyfile', '--adapter', 'caddyfile'], {
    cwd: place,
    encoding: 'utf8',
  });
  const name = join(from, file.replace(/\.caddyfile$/, ''));
  rmSync(`${name}.json`, { force: true });
  rmSync(`${name}.error`, { force: true });
  if (run.status === 0) writeFileSync(`${name}.json`, `${JSON.stringify(JSON.parse(run.stdout), null, 2)}\n`);
  else writeFileSync(`${name}.error`, `${messageIn(run.stderr)}\n`);
}

function messageIn(log: string): string {
  const lines = log.split('\n').filter((line) => line.includes('"level":"error"'));
  return lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg).join('\n');
}
