/**
 * Attributes programming errors in module code to a package, file and line, so that module authors can find them.
 *
 * Errors that a module throws deliberately are not changed.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SluiceError, isSluiceError } from '@sluice/base';
import type { ModuleOrigin } from './registry.ts';

/**
 * Reports whether an error is a programming error. Platform errors for invalid values, such as from `new URL('x')`, have a code and don't
 * count as programming errors.
 */
export function isProgrammingError(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const programming = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return programming && !('code' in error);
}

/**
 * Returns the error to report for an error thrown by the module `id`. Adds the code location to programming errors, and returns other
 * errors unchanged.
 */
export function blame(error: unknown, id: string, { package: name, version }: ModuleOrigin): unknown {
  if (isSluiceError(error) || !isProgrammingError(error)) return error;
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}, which is not an Error`;
  const from = name === null ? '' : ` of the package ${name}${version === null ? '' : ` ${version}`}`;
  const at = error instanceof Error ? placeOf(error, name) : null;
  const message = `the module ${id}${from} has a programming error: ${text}${at === null ? '' : `, at ${at}`}`;
  return new SluiceError('ERR_MODULE_MISTAKE', message, { cause: error });
}

/** Returns the innermost stack location in the package's files, or else in any file: `/path/index.js:12:5`. */
export function placeOf(error: Error, packageName: string | null): string | null {
  const frames = framesOf(error);
  const own = packageName === null ? undefined : frames.find(({ file }) => packageOf(file) === packageName);
  const frame = own ?? frames[0];
  return frame === undefined ? null : `${frame.file}:${frame.position}`;
}

interface Frame {
  readonly file: string;
  readonly position: string;
}

/** Returns the stack frames that are located in files, innermost first. */
function framesOf({ stack = '' }: Error): Frame[] {
  return [...stack.matchAll(/^ +at .*?\(?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+:\d+)\)?$/gm)].map(
    ([, file = '', position = '']) => ({ file: file.startsWith('file:') ? fileURLToPath(file) : file, position }),
  );
}

/** Returns the package name from the closest `package.json` above a file. */
function packageOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
      if (name !== undefined) return name;
    } catch {}
  }
  return null;
}
