/** Source locations of adapted configuration values. */
import type { ConfigPath } from '@sluice/base';

/** A position in a file. Line and column start at 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Location of the import directive, for imported snippets and files. */
  readonly imported?: { readonly file: string; readonly line: number };
}

/** Maps configuration paths to source locations, for error messages. Adapters create the map. */
export interface ConfigSources {
  /** Returns the location of the value at a path, or of the closest ancestor with a known location; `null` if unknown. */
  placeOf(path: ConfigPath): SourcePlace | null;
}

/** Formats a location for messages: `Caddyfile:12`, `Caddyfile:3, imported in Caddyfile:12`. */
export function formatPlace({ file, line, imported }: SourcePlace): string {
  const place = `${file}:${line}`;
  return imported === undefined ? place : `${place}, imported in ${imported.file}:${imported.line}`;
}
