/** Log cases: a logging configuration, requests, and the resulting lines. Stored in `logs/` of this package. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRecording } from '../recordings.ts';

/** A request. `raw` is sent as is (one character per byte) instead of the other fields. */
export interface LogRequest {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly raw?: string;
}

export interface LogCase {
  readonly name: string;
  /** `logging.logs`, each written to its own file. */
  readonly logs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Options of the server. Its access log is on by default. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** Default: a route that responds to every request. */
  readonly routes?: readonly unknown[];
  /** Default: a plain request. */
  readonly requests?: readonly LogRequest[];
}

/** Lines by log in comparable form, or `null` if the configuration was rejected. */
export type LogResponse = Readonly<Record<string, readonly unknown[]>> | null;

const folder = fileURLToPath(new URL('../../logs/', import.meta.url));

export function readCases(): readonly LogCase[] {
  return JSON.parse(readFileSync(`${folder}cases.json`, 'utf8')) as readonly LogCase[];
}

/** Reads Caddy's lines, by case name. */
export function readRecorded(): Readonly<Record<string, LogResponse>> {
  return readRecording('logs') as Readonly<Record<string, LogResponse>>;
}
