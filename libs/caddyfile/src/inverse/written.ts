/** What inverses make: lines of a Caddyfile, before they are text. */
import type { Json, JsonObject } from '@sluice/base';

/** A line with its block. A comment has its text instead of words. */
export interface Line {
  readonly words: readonly string[];
  readonly block?: readonly Line[];
  readonly comment?: string;
}

/** What follows the name of a directive, an option or a module. */
export interface Written {
  readonly words?: readonly string[];
  readonly block?: readonly Line[];
  /**
   * What reading it gives where that is not quite the handler: a difference that changes little, which is reported. Without
   * it only the very handler counts.
   */
  readonly instead?: JsonObject;
  /** Whether its words say already which requests it is for. */
  readonly matched?: boolean;
}

/** What inverses need of the conversion they are part of. */
export interface Writer {
  /** Name of the file that is made. */
  readonly file: string;
  /** Lines for routes: sorted when they are read again, or as they are written. What can't be said is in comments. */
  readonly routes: (routes: Json | undefined, sort: boolean) => Promise<readonly Line[]>;
  /** Lines for matchers that all have to match; `null` where one of them can't be said. */
  readonly matchers: (set: JsonObject) => Promise<readonly Line[] | null>;
  /** Lines for a module: its name and options. `null` where it can't be said. */
  readonly module: (id: string, options: Json) => Promise<readonly Line[] | null>;
}

type Possibly<T> = T | null | Promise<T | null>;

/**
 * Says a handler as a directive; `null` where it is not one of its own. What it forgets is noticed. `match` are the matchers
 * of the route, which the caller writes.
 */
export type WriteDirective = (handler: JsonObject, writer: Writer, match: JsonObject | null) => Possibly<Written>;

/** Says the options of a module: one or more lines that its name begins; `null` where it can't. */
export type WriteModule = (options: Json, writer: Writer) => Possibly<readonly Written[]>;
