/** Lines of a Caddyfile before they are formatted as text. The functions that convert JSON back to Caddyfile syntax create these lines. */
import type { Json, JsonObject } from '@sluice/base';

/** A Caddyfile line with an optional block. A comment line has text instead of words. */
export interface Line {
  readonly words: readonly string[];
  readonly block?: readonly Line[];
  readonly comment?: string;
  /** See {@link Written.raw}. */
  readonly raw?: boolean;
  /** See {@link Written.doubtful}. */
  readonly doubtful?: Doubt;
  /** Route group numbers that the Caddyfile adapter assigns to the line. */
  readonly numbers?: Numbers;
}

/**
 * Initial choice for a line that may be redundant: included or omitted. If the file does not adapt to the original document, the conversion
 * tries the opposite and keeps the better result.
 */
export type Doubt = 'in' | 'out';

/** Consecutive route group numbers that the adapter assigns during parsing. They reveal the parse order. */
export interface Numbers {
  /** First group number that the document contains for the line. `null` if there is none. */
  readonly first: number | null;
  readonly count: number;
}

/** Words and block that follow the name of a directive, option, or module. */
export interface Written {
  readonly words?: readonly string[];
  readonly block?: readonly Line[];
  /**
   * Handler that the line adapts to, if it differs slightly from the original handler. The conversion reports the difference. If this field
   * is missing, the line must adapt to an identical handler.
   */
  readonly instead?: JsonObject;
  /** True if the words already contain the matchers of the route. */
  readonly matched?: boolean;
  /** True to write the words verbatim, including quotes. */
  readonly raw?: boolean;
  /** Routes inside a site directive, if any. */
  readonly routes?: Json;
  /** Marks a line of a site directive or global option as optional, with the initial choice. */
  readonly doubtful?: Doubt;
}

/** A directive that represents several routes, and the number of routes that it covers at the start of the list. */
export interface WrittenSequence extends Written {
  readonly taken: number;
}

/** Conversion functions for use by the functions that write directives and modules. */
export interface Writer {
  readonly file: string;
  /**
   * Returns lines for routes. If `sort` is true, the adapter sorts these lines; otherwise, it keeps the written order. Parts that are not
   * representable become comments.
   */
  readonly routes: (routes: Json | undefined, sort: boolean) => Promise<readonly Line[]>;
  /** Returns lines for a set of matchers. Returns `null` if a matcher is not representable. */
  readonly matchers: (set: JsonObject) => Promise<readonly Line[] | null>;
  /** Returns lines for a module, with its name and options. Returns `null` if the module is not representable. */
  readonly module: (id: string, options: Json) => Promise<readonly Line[] | null>;
  /** Returns a comment line for configuration that is not representable. */
  readonly comment: (value: Json) => Line;
}

/** A site in the generated file, for directives that write settings other than routes. */
export interface WrittenSite {
  /** Hosts in the site's addresses. */
  readonly hosts: readonly string[];
  /** Hosts that the server serves. The site may also belong to other servers. */
  readonly served: readonly string[];
  /** True if one of the site's addresses covers all hosts. */
  readonly hasCatchAll: boolean;
  /** True for the first site in the file. This site also contains everything that belongs to no other site. */
  readonly isFirst: boolean;
  /** True for the first site that uses TLS. */
  readonly isFirstSecure: boolean;
  readonly server: JsonObject;
  readonly errorRoutes: readonly Json[];
}

type Possibly<T> = T | null | Promise<T | null>;

/**
 * Writes a handler as a directive. Returns `null` if the handler is not representable. The caller detects omissions later. `match` contains
 * the matchers of the route; the caller writes them.
 */
export type WriteDirective = (handler: JsonObject, writer: Writer, match: JsonObject | null) => Possibly<Written>;

/** Writes the first routes of a list as one directive. Returns `null` if the directive doesn't create such routes. */
export type WriteSequence = (routes: readonly Json[], writer: Writer) => Possibly<WrittenSequence>;

/** Writes site settings other than routes, such as logs. Each line begins with the directive name. */
export type WriteSite = (site: WrittenSite, document: Json, writer: Writer) => Possibly<readonly Written[]>;

/** Writes the parts of a document that a global option generates. Each line begins with the option name. */
export type WriteGlobalOption = (document: Json, writer: Writer) => Possibly<readonly Written[]>;

/** Writes the options of a module. Each line begins with the module name. Returns `null` if the options are not representable. */
export type WriteModule = (options: Json, writer: Writer) => Possibly<readonly Written[]>;
