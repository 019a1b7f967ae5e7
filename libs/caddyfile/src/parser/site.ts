/** What a parsed Caddyfile is made of. */
import type { CaddyfileToken } from '../token.ts';

/** A directive with its arguments and blocks: from its name to the end of its line or block. Never empty. */
export type Segment = readonly CaddyfileToken[];

/** A block with addresses: a site; without: the global options; `&(name)`: a named route. */
export interface ServerBlock {
  readonly keys: readonly CaddyfileToken[];
  readonly segments: readonly Segment[];
  /** Whether it stands in braces. */
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
  /** Every file that was read, for those who watch them. */
  readonly files: readonly string[];
}
