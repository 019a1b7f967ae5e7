/** What inverses make: lines of a Caddyfile, before they are text. */
import type { Json, JsonObject } from '@sluice/base';

/** A line with its block. A comment has its text instead of words. */
export interface Line {
  readonly words: readonly string[];
  readonly block?: readonly Line[];
  readonly comment?: string;
  /** See {@link Written.raw}. */
  readonly raw?: boolean;
  /** See {@link Written.doubtful}. */
  readonly doubtful?: Doubt;
  /** What reading it takes of the numbers that a file gives to groups. */
  readonly numbers?: Numbers;
}

/**
 * Of a line that says what others may say already: whether it stands in the file at first. Where the file does not read as
 * it should, the conversion tries it the other way, and keeps what comes closer.
 */
export type Doubt = 'in' | 'out';

/** Numbers that are given one after the other while a file is read: they say what stood before what. */
export interface Numbers {
  /** The first of them in the document, if it shows. */
  readonly first: number | null;
  /** How many. */
  readonly count: number;
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
  /** Whether its words are written as they are, with the quotes that they have. */
  readonly raw?: boolean;
  /** Of directives of sites that have routes of their own: these. */
  readonly routes?: Json;
  /** Of directives of sites and global options: whether it may be left out, or has to be. */
  readonly doubtful?: Doubt;
}

/** A directive for several routes of a list: how many from its beginning it says. */
export interface WrittenSequence extends Written {
  readonly taken: number;
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
  /** A comment instead of what can't be said. */
  readonly comment: (value: Json) => Line;
}

/** A site of the file that is made, for the directives that say more of it than its routes. */
export interface WrittenSite {
  /** The hosts of its addresses. */
  readonly hosts: readonly string[];
  /** Those that its server serves: a site may be part of others, too. */
  readonly served: readonly string[];
  /** Whether an address is for all hosts. */
  readonly hasCatchAll: boolean;
  /** Whether it is the first of the file: what belongs to no other is said there. */
  readonly isFirst: boolean;
  /** Whether it is the first that is served over TLS. */
  readonly isFirstSecure: boolean;
  /** The server that it is part of. */
  readonly server: JsonObject;
  /** Its routes that run after errors. */
  readonly errorRoutes: readonly Json[];
}

type Possibly<T> = T | null | Promise<T | null>;

/**
 * Says a handler as a directive; `null` where it is not one of its own. What it forgets is noticed. `match` are the matchers
 * of the route, which the caller writes.
 */
export type WriteDirective = (handler: JsonObject, writer: Writer, match: JsonObject | null) => Possibly<Written>;

/** Says the routes at the beginning of a list as one directive; `null` where they are not those that it makes. */
export type WriteSequence = (routes: readonly Json[], writer: Writer) => Possibly<WrittenSequence>;

/** Says of a site what is not in its routes, such as its logs: one or more lines that the name of the directive begins. */
export type WriteSite = (site: WrittenSite, document: Json, writer: Writer) => Possibly<readonly Written[]>;

/** Says what a global option makes of a document: one or more lines that its name begins. */
export type WriteGlobalOption = (document: Json, writer: Writer) => Possibly<readonly Written[]>;

/** Says the options of a module: one or more lines that its name begins; `null` where it can't. */
export type WriteModule = (options: Json, writer: Writer) => Possibly<readonly Written[]>;
