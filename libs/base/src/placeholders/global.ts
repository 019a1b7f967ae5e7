/** Placeholders that need no request: `env.*`, `system.*`, `time.*`, `file.*`. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { sep } from 'node:path';
import type { Resolver } from './template.ts';
import { formatCommonLog, formatHttpDate, zonedNow } from './time.ts';

/** Largest file that `{file.*}` reads. */
const maxFileSize = 1024 * 1024;

type Read = () => unknown;

/** Accessors that know nothing of a request, by name. */
const fixed = {
  'system.hostname': () => hostname(),
  'system.slash': () => sep,
  'system.os': () => (process.platform === 'win32' ? 'windows' : process.platform),
  'system.arch': () => ({ x64: 'amd64', ia32: '386' })[process.arch as string] ?? process.arch,
  'system.wd': () => process.cwd(),
  'time.now': () => zonedNow(),
  'time.now.http': () => formatHttpDate(Date.now()),
  'time.now.common_log': () => formatCommonLog(new Date()),
  'time.now.year': () => new Date().getFullYear(),
  'time.now.unix': () => Math.floor(Date.now() / 1000),
  'time.now.unix_ms': () => Date.now(),
} satisfies Readonly<Record<string, Read>>;

/** Names of placeholders that need no request. */
export type GlobalPlaceholder = keyof typeof fixed | 'env.<name>' | 'file.<path>';

/** Finds an accessor of a global placeholder. */
export const resolveGlobal: Resolver<unknown> = (name) => {
  if (name.startsWith('env.')) {
    const variable = name.slice(4);
    return () => process.env[variable] ?? '';
  }
  if (name.startsWith('file.')) {
    const file = name.slice(5);
    return () => readSmallFile(file);
  }
  return Object.hasOwn(fixed, name) ? fixed[name as keyof typeof fixed] : null;
};

/** The content of a file without one trailing newline; nothing if it cannot be read or is too large. */
function readSmallFile(file: string): string {
  try {
    const content = readFileSync(file);
    if (content.length > maxFileSize) return '';
    return content.toString('utf8').replace(/\r?\n$/, '');
  } catch {
    return '';
  }
}
