/** Parts of a parsed Caddyfile. */
import type { CaddyfileToken } from '../token.ts';

/** Directive with its arguments and blocks: from the name to the end of the line or block. Never empty. */
export type Segment = readonly CaddyfileToken[];

/** Block: with addresses, a site; without addresses, the global options; with `&(name)`, a named route. */
export interface ServerBlock {
  readonly keys: readonly CaddyfileToken[];
  readonly segments: readonly Segment[];
  /** True if braces enclose the block. */
  readonly braced: boolean;
  readonly namedRoute: boolean;
}

export interface ParseWarning {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface ParsedFile {
  readonly blocks: readonly ServerBlock[];
  readonly warnings: readonly ParseWarning[];
  /** All parsed files, for watching. */
  readonly files: readonly string[];
}
