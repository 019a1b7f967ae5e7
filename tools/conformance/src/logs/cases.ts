/** Cases of logs: a configuration of logs, requests, and the lines that they leave. In `logs/` of this package. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One request. `raw` is sent as it stands (one character per byte) in place of the others. */
export interface LogRequest {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly raw?: string;
}

/** A case. */
export interface LogCase {
  readonly name: string;
  /** `logging.logs`, each to a file of its own. */
  readonly logs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Options of the server; its access log is on unless they say otherwise. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** Default: one that responds to everything. */
  readonly routes?: readonly unknown[];
  /** Default: one plain request. */
  readonly requests?: readonly LogRequest[];
}

/** The lines by log, in comparable form; `null` where the configuration was refused. */
export type LogResponse = Readonly<Record<string, readonly unknown[]>> | null;

const folder = fileURLToPath(new URL('../../logs/', import.meta.url));

/** Where the responses of the reference are. */
export const recordedFile = `${folder}recorded.json`;

/** All cases. */
export function readCases(): readonly LogCase[] {
  return JSON.parse(readFileSync(`${folder}cases.json`, 'utf8')) as readonly LogCase[];
}

/** What the reference wrote, by the name of the case. */
export function readRecorded(): Readonly<Record<string, LogResponse>> {
  return JSON.parse(readFileSync(recordedFile, 'utf8')) as Readonly<Record<string, LogResponse>>;
}
