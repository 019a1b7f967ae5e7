/** Where the values of a configuration were written, for those that an adapter made. */
import type { ConfigPath } from '@sluice/base';

/** A place in a file; line and column are counted from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line that brought it there, for what stands in a snippet or a file that is imported. */
  readonly imported?: { readonly file: string; readonly line: number };
}

/** Finds places. Made by adapters; asked when something is wrong. */
export interface ConfigSources {
  /** Where the value at a path was written, or what is around it; `null` where that is not known. */
  placeOf(path: ConfigPath): SourcePlace | null;
}

/** A place as messages show it: `Caddyfile:12`, `Caddyfile:3, imported in Caddyfile:12`. */
export function formatPlace({ file, line, imported }: SourcePlace): string {
  const place = `${file}:${line}`;
  return imported === undefined ? place : `${place}, imported in ${imported.file}:${imported.line}`;
}
