/** Source locations of values in an adapted configuration. */
import type { ConfigPath } from '@sluice/base';

/** A position in a source file. Line and column numbers start at 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Location of the import directive, for values from imported snippets and files. */
  readonly imported?: { readonly file: string; readonly line: number };
}

/** Maps configuration paths to source locations, for error messages. Configuration adapters create this map. */
export interface ConfigSources {
  /**
   * Returns the location of the value at a path. If it is unknown, returns the location of the closest ancestor. Returns `null` if no
   * location is known.
   */
  placeOf(path: ConfigPath): SourcePlace | null;
}

/** Formats a location for messages, such as `Caddyfile:12` or `Caddyfile:3, imported in Caddyfile:12`. */
export function formatPlace({ file, line, imported }: SourcePlace): string {
  const place = `${file}:${line}`;
  return imported === undefined ? place : `${place}, imported in ${imported.file}:${imported.line}`;
}
