/** Caddyfile lines of inverses, before printing. */
import type { Json, JsonObject } from '@sluice/base';

/** Line with its block. A comment has text instead of words. */
export interface Line {
  readonly words: readonly string[];
  readonly block?: readonly Line[];
  readonly comment?: string;
  /** See {@link Written.raw}. */
  readonly raw?: boolean;
  /** See {@link Written.doubtful}. */
  readonly doubtful?: Doubt;
  /** Group numbers that the parser assigns to the line. */
  readonly numbers?: Numbers;
}

/**
 * Initial choice for a line that may be redundant: written or omitted. If the file does not adapt to the document, the
 * conversion tries the opposite, and keeps the closer result.
 */
export type Doubt = 'in' | 'out';

/** Consecutive numbers that are assigned during parsing. They reveal the parse order. */
export interface Numbers {
  /** First number in the document, if visible. */
  readonly first: number | null;
  readonly count: number;
}

/** Words and block after the name of a directive, option or module. */
export interface Written {
  readonly words?: readonly string[];
  readonly block?: readonly Line[];
  /**
   * Parse result, if it differs slightly from the handler. The difference is reported. If absent, the parse result must
   * be equal to the handler.
   */
  readonly instead?: JsonObject;
  /** True if the words contain the route's matchers. */
  readonly matched?: boolean;
  /** True if words are written verbatim, including quotes. */
  readonly raw?: boolean;
  /** Routes of a site directive, if any. */
  readonly routes?: Json;
  /** For site directives and global options: the line may, or must, be omitted. */
  readonly doubtful?: Doubt;
}

/** Directive for several routes, with the number of covered routes from the start of the list. */
export interface WrittenSequence extends Written {
  readonly taken: number;
}

/** Conversion functions that inverses use. */
export interface Writer {
  readonly file: string;
  /** Returns lines for routes, either sorted by the parser or in written order. Inexpressible parts become comments. */
  readonly routes: (routes: Json | undefined, sort: boolean) => Promise<readonly Line[]>;
  /** Returns lines for matchers that must all match; `null` if one can't be expressed. */
  readonly matchers: (set: JsonObject) => Promise<readonly Line[] | null>;
  /** Returns lines for a module with its name and options; `null` if the module is inexpressible. */
  readonly module: (id: string, options: Json) => Promise<readonly Line[] | null>;
  /** Returns a comment for inexpressible configuration. */
  readonly comment: (value: Json) => Line;
}

/** Site in the new file, for directives that express more than routes. */
export interface WrittenSite {
  /** Hosts of its addresses. */
  readonly hosts: readonly string[];
  /** Hosts of the server. A site may also belong to other servers. */
  readonly served: readonly string[];
  /** True if an address covers all hosts. */
  readonly hasCatchAll: boolean;
  /** True for the first site of the file, which also contains everything that belongs to no other site. */
  readonly isFirst: boolean;
  /** True for the first site with TLS. */
  readonly isFirstSecure: boolean;
  readonly server: JsonObject;
  readonly errorRoutes: readonly Json[];
}

type Possibly<T> = T | null | Promise<T | null>;

/**
 * Writes a handler as a directive; `null` if the handler is inexpressible. Omissions are detected later. `match` contains the route's
 * matchers, which the caller writes.
 */
export type WriteDirective = (handler: JsonObject, writer: Writer, match: JsonObject | null) => Possibly<Written>;

/** Writes the routes at the beginning of a list as one directive; `null` if the directive does not create these routes. */
export type WriteSequence = (routes: readonly Json[], writer: Writer) => Possibly<WrittenSequence>;

/** Writes site options other than routes, such as logs: one or more lines that begin with the directive name. */
export type WriteSite = (site: WrittenSite, document: Json, writer: Writer) => Possibly<readonly Written[]>;

/** Writes the effect of a global option on a document: one or more lines that begin with the option name. */
export type WriteGlobalOption = (document: Json, writer: Writer) => Possibly<readonly Written[]>;

/** Writes module options: one or more lines that begin with the module name. Returns `null` if the options are inexpressible. */
export type WriteModule = (options: Json, writer: Writer) => Possibly<readonly Written[]>;
