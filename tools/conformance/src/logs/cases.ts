/** Reads log test cases: a logging configuration, requests, and the expected lines. The cases are stored in `logs/` of this package. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRecording } from '../recordings.ts';

/** A request of a log test case. If `raw` is set, it is sent verbatim (one character per byte) and replaces the other fields. */
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
  /** Logs by name (`logging.logs`). Each log is written to a separate file. */
  readonly logs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Server options. The access log is enabled by default. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** Routes of the server. Default: one route that responds to every request. */
  readonly routes?: readonly unknown[];
  /** Requests to send. Default: one plain request. */
  readonly requests?: readonly LogRequest[];
}

/** Log lines by log name in comparable form, or `null` if the server rejected the configuration. */
export type LogResponse = Readonly<Record<string, readonly unknown[]>> | null;

const folder = fileURLToPath(new URL('../../logs/', import.meta.url));

export function readCases(): readonly LogCase[] {
  return JSON.parse(readFileSync(`${folder}cases.json`, 'utf8')) as readonly LogCase[];
}

/** Reads Caddy's recorded log lines by case name. */
export function readRecorded(): Readonly<Record<string, LogResponse>> {
  return readRecording('logs') as Readonly<Record<string, LogResponse>>;
}
