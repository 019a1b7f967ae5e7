/** A saved benchmark run. It contains every measurement of every round, with the origin and time of the run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ChangedLatency, ChangeMeasurements } from '../changes.ts';
import type { Measurements } from '../measure.ts';
import type { Facts } from './facts.ts';

/** Content of a benchmark run's file. */
export interface Run extends Facts {
  readonly format: 1;
  readonly rounds: number;
  /** Duration of each round per server, in seconds. */
  readonly seconds: number;
  readonly scenarios: readonly { readonly name: string; readonly servers: Readonly<Record<string, Measurements>> }[];
  readonly changes: readonly {
    readonly routes: number;
    readonly loaded: boolean;
    readonly servers: Readonly<Record<string, ChangeMeasurements>>;
  }[];
  readonly underChanges: { readonly rate: number; readonly servers: Readonly<Record<string, ChangedLatency>> } | null;
}

const folder = fileURLToPath(new URL('../../history', import.meta.url));

/** Saves a benchmark run. Returns its file name. */
export function saveRun(run: Run): string {
  mkdirSync(folder, { recursive: true });
  const time = run.date.slice(0, 16).replaceAll(/[:T]/g, '-');
  const path = join(folder, `${time}-${run.commit.slice(0, 8)}.json.gz`);
  writeFileSync(path, gzipSync(serialize(run), { level: 9 }));
  return path;
}

/** Returns all saved benchmark runs, oldest first. */
export function readRuns(): Run[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json.gz'));
  const runs = names.map((name) => JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString()) as Run);
  return runs.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Formats a benchmark run as JSON. Numbers have four significant digits. */
export function serialize(run: Run): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(run, rounded, 1)}\n`;
}
