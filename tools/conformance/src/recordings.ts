/**
 * Reads and writes Caddy's recorded results, which tests compare with Sluice's results. They are generated files, stored compressed in
 * `recorded/`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../recorded/', import.meta.url));
const ending = '.json.gz';

function textOf(name: string): string {
  return gunzipSync(readFileSync(`${folder}${name}${ending}`)).toString();
}

/** Reads a recording by name, such as `logs` or `cases/tls`. */
export function readRecording(name: string): unknown {
  return JSON.parse(textOf(name));
}

/** Saves a recording. The same value always produces the same file. */
export function writeRecording(name: string, value: unknown): void {
  writeFileSync(`${folder}${name}${ending}`, gzipSync(`${JSON.stringify(value, null, 1)}\n`, { level: 9 }));
}

/** Replaces the recordings of our own cases with uncompressed recordings that the test runner has written to a directory. */
export function packCases(source: string): void {
  for (const file of readdirSync(source))
    writeRecording(`cases/${file.slice(0, -'.json'.length)}`, JSON.parse(readFileSync(join(source, file), 'utf8')));
}

/** Writes the recordings of our own cases uncompressed to a directory for the test runner. */
export function unpackCases(target: string): void {
  for (const file of readdirSync(join(folder, 'cases'))) {
    const name = file.slice(0, -ending.length);
    writeFileSync(join(target, `${name}.json`), textOf(`cases/${name}`));
  }
}
