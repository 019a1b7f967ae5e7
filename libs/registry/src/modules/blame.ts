/**
 * Mistakes in the code of modules, told so that their authors find them: which package, which file, which line. A refusal
 * that a module throws on purpose is left as it is.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SluiceError, isSluiceError } from '@sluice/base';
import type { ModuleOrigin } from './registry.ts';

/**
 * Whether an error is a programmer's mistake rather than a refusal. Errors of the platform that a wrong value raises, such
 * as `new URL('x')`, carry a code.
 */
export function isMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const programming = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return programming && !('code' in error);
}

/** The error to report for what the module `id` threw: itself, unless it is a mistake, which gets its place in the code. */
export function blame(error: unknown, id: string, { package: name, version }: ModuleOrigin): unknown {
  if (isSluiceError(error) || !isMistake(error)) return error;
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}, which is not an Error`;
  const from = name === null ? '' : ` of the package ${name}${version === null ? '' : ` ${version}`}`;
  const at = error instanceof Error ? placeOf(error, name) : null;
  const message = `the module ${id}${from} has a mistake: ${text}${at === null ? '' : `, at ${at}`}`;
  return new SluiceError('ERR_MODULE_MISTAKE', message, { cause: error });
}

/** Where in the files of a package an error came from, or else in any file: `/path/index.js:12:5`. */
export function placeOf(error: Error, packageName: string | null): string | null {
  const frames = framesOf(error);
  const own = packageName === null ? undefined : frames.find(({ file }) => packageOf(file) === packageName);
  const frame = own ?? frames[0];
  return frame === undefined ? null : `${frame.file}:${frame.position}`;
}

interface Frame {
  readonly file: string;
  /** Line and column. */
  readonly position: string;
}

/** The calls of a stack that are in files, innermost first. */
function framesOf({ stack = '' }: Error): Frame[] {
  return [...stack.matchAll(/^ +at .*?\(?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+:\d+)\)?$/gm)].map(
    ([, file = '', position = '']) => ({ file: file.startsWith('file:') ? fileURLToPath(file) : file, position }),
  );
}

/** The name in the package.json nearest above a file. */
function packageOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
      if (name !== undefined) return name;
    } catch {
      // None here.
    }
  }
  return null;
}
