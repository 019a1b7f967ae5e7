/** Types for the parts of a parsed Caddyfile. */
import type { CaddyfileToken } from '../token.ts';

/** Tokens of a directive with its arguments and blocks, from the name to the end of the line or block. Never empty. */
export type Segment = readonly CaddyfileToken[];

/**
 * A top-level block. A block with addresses is a site. A block without addresses contains the global options. A block with `&(name)` is a
 * named route.
 */
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
  /** All files that the parser read, for file watching. */
  readonly files: readonly string[];
}
