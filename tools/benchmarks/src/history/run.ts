/** A run that is kept: every measurement of every round, and where and when they were taken. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { ChangedLatency, ChangeMeasurements } from '../changes.ts';
import type { Measurements } from '../measure.ts';
import type { Facts } from './facts.ts';

/** The file of a run. */
export interface Run extends Facts {
  readonly format: 1;
  readonly rounds: number;
  /** Seconds for which a server is asked in a round. */
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

/** Writes a run and gives the name of its file. */
export function saveRun(run: Run): string {
  mkdirSync(folder, { recursive: true });
  const time = run.date.slice(0, 16).replaceAll(/[:T]/g, '-');
  const path = join(folder, `${time}-${run.commit.slice(0, 8)}.json`);
  writeFileSync(path, `${serialize(run)}\n`);
  return path;
}

/** All runs that were kept, the oldest first. */
export function readRuns(): Run[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const runs = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Run);
  return runs.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Indented JSON with lists of numbers in one line each, of four digits. */
export function serialize(run: Run): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return JSON.stringify(run, rounded, 2).replaceAll(/\[[\s\d.,e+-]*\]/g, (list) => list.replaceAll(/\s+/g, ''));
}
