/** Global placeholders, which don't depend on a request: `env.*`, `system.*`, `time.*`, and `file.*`. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { sep } from 'node:path';
import { isConfined } from '../process/external-reads.ts';
import type { Resolver } from './template.ts';
import { formatCommonLog, formatHttpDate, zoned } from './time.ts';

/** Maximum size of a file that `{file.*}` may read, in bytes. */
const maxFileSize = 1024 * 1024;

type Read = () => unknown;

const fixed = {
  'system.hostname': () => hostname(),
  'system.slash': () => sep,
  'system.os': () => (process.platform === 'win32' ? 'windows' : process.platform),
  'system.arch': () => ({ x64: 'amd64', ia32: '386' })[process.arch as string] ?? process.arch,
  'system.wd': () => process.cwd(),
} satisfies Readonly<Record<string, Read>>;

/** Formatters of the time placeholders, keyed by name. */
const times = {
  'time.now': zoned,
  'time.now.http': formatHttpDate,
  'time.now.common_log': (now) => formatCommonLog(new Date(now)),
  'time.now.year': (now) => new Date(now).getFullYear(),
  'time.now.unix': (now) => Math.floor(now / 1000),
  'time.now.unix_ms': (now) => now,
} satisfies Readonly<Record<string, (now: number) => unknown>>;

export type GlobalPlaceholder = keyof typeof fixed | keyof typeof times | 'env.<name>' | 'file.<path>';

/**
 * Resolves a global placeholder. In a confined task (see {@link isConfined}), placeholders for files and environment variables have no
 * value.
 */
export const resolveGlobal: Resolver<unknown> = (name) => {
  const external = resolveExternal(name);
  if (external !== null) return isConfined() ? noValue : external;
  if (Object.hasOwn(fixed, name)) return fixed[name as keyof typeof fixed];
  const time = resolveTime(name);
  return time === null ? null : () => time(Date.now());
};

/** Resolves a placeholder that reads an environment variable or a file. Returns `null` for other placeholders. */
export function resolveExternal(name: string): Read | null {
  if (name.startsWith('env.')) {
    const variable = name.slice(4);
    return () => process.env[variable] ?? '';
  }
  if (name.startsWith('file.')) {
    const file = name.slice(5);
    return () => readSmallFile(file);
  }
  return null;
}

const noValue: Read = () => undefined;

/**
 * Returns the formatter of a time placeholder. The formatter's argument is the time in milliseconds since the Unix epoch. Returns `null`
 * for other placeholders.
 */
export function resolveTime(name: string): ((now: number) => unknown) | null {
  return Object.hasOwn(times, name) ? times[name as keyof typeof times] : null;
}

/** Reads a file and strips one trailing newline. Returns an empty string if the file is unreadable or too large. */
function readSmallFile(file: string): string {
  try {
    const content = readFileSync(file);
    if (content.length > maxFileSize) return '';
    return content.toString('utf8').replace(/\r?\n$/, '');
  } catch {
    return '';
  }
}
