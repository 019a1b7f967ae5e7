/** Reader for directive tokens: a dispenser with matchers and nested directives. */
import { messageOf, type Json } from '@sluice/base';
import { Dispenser, type ModuleReader } from '../dispenser/dispenser.ts';
import { caddyfileError, type CaddyfileError } from '../errors.ts';
import type { OrderTrace } from './order-trace.ts';
import { noteOrigin, noteOrigins } from '../sources/origins.ts';
import type { CaddyfileToken } from '../token.ts';
import type { ConfigValue, MatcherSetConfig, RouteConfig } from './config-value.ts';
import { isDefinition, readDefinition, type MatcherSets } from './matcher-definitions.ts';
import type { GlobalOptions } from './global-options.ts';
import type { GroupCounter } from './group-counter.ts';
import { buildRoutes, onlyRoutes } from './route-list.ts';
import type { SiteAddress } from './site-address.ts';

/** Data shared by all directives of a file. */
export interface Assembly {
  readonly options: GlobalOptions;
  readonly groups: GroupCounter;
  readonly modules: ModuleReader;
  /** Records the lists of directives, to explain their order. */
  readonly trace: OrderTrace;
  /** Name of the file as given; empty if the text is not from a file. */
  readonly file: string;
  order(): ReadonlyMap<string, number>;
  /** Returns a directive, or `undefined`. */
  directive(name: string): ((reader: DirectiveReader) => readonly ConfigValue[]) | undefined;
  /** Returns `; did you mean 'x'?`, or an empty string. */
  suggestion(name: string): string;
}

/** Data shared by the directives of a site. */
export interface SiteScope {
  readonly assembly: Assembly;
  readonly addresses: readonly SiteAddress[];
  readonly matchers: MatcherSets;
  /** Data that the site's directives share. */
  readonly state: Map<string, unknown>;
}

export class DirectiveReader extends Dispenser {
  readonly scope: SiteScope;

  constructor(tokens: readonly CaddyfileToken[], scope: SiteScope) {
    super(tokens, scope.assembly.modules);
    this.scope = scope;
  }

  get options(): GlobalOptions {
    return this.scope.assembly.options;
  }

  sub(): DirectiveReader {
    return new DirectiveReader(this.segmentTokens(), this.scope);
  }

  /** Parses and removes the matcher after the directive's name, if any. `undefined`: all requests. */
  matcher(): readonly MatcherSetConfig[] | undefined {
    if (!this.nextArgument()) return undefined;
    const set = this.matcherOf(this.token);
    if (set === null) {
      this.back();
      return undefined;
    }
    this.drop();
    return set === '*' ? undefined : [set];
  }

  /** Returns the set for a matcher token; `*` for all requests, `null` if it is not a matcher. */
  matcherOf(token: CaddyfileToken): MatcherSetConfig | '*' | null {
    const { text } = token;
    if (text === '*') return '*';
    if (text.startsWith('/')) return noteOrigin({ path: [text] }, [token]);
    if (!text.startsWith('@')) return null;
    const set = this.scope.matchers.get(text);
    if (set === undefined) throw caddyfileError(`unrecognized matcher name: ${text}`, undefined, token);
    return set;
  }

  /**
   * Parses the matcher of a directive whose value may look like a matcher: the first of two words is a matcher. A
   * single word is the value. `what` names the value in errors.
   */
  matcherBefore(what: string): readonly MatcherSetConfig[] | undefined {
    const [first, second, third] = this.remainingTokens();
    if (first === undefined) throw this.argumentError();
    if (third !== undefined) throw this.error(`too many arguments; should only be a matcher and ${what}`);
    const set = second === undefined ? null : this.matcherOf(first);
    if (second !== undefined) this.back();
    if (set === null) this.back();
    else this.drop();
    return set === null || set === '*' ? undefined : [set];
  }

  /** Returns the result of a directive that creates one handler. */
  route(match: readonly MatcherSetConfig[] | undefined, ...handle: readonly Json[]): readonly ConfigValue[] {
    return [{ pile: 'route', value: defineRoute(match, handle) }];
  }

  /** Parses the directives of the block that begins on this line, in order. Words before the block are errors. */
  directives(): ConfigValue[] {
    this.noArguments();
    const segments: CaddyfileToken[][] = [];
    for (const _name of this.block()) segments.push(this.segmentTokens());
    return this.readSegments(segments);
  }

  /** Parses directives in order. Matcher definitions among the directives apply to all segments. */
  readSegments(segments: readonly (readonly CaddyfileToken[])[]): ConfigValue[] {
    const own = segments.filter(([first]) => isDefinition(first as CaddyfileToken));
    const scope = own.length === 0 ? this.scope : { ...this.scope, matchers: this.#withDefinitions(own) };
    const values: ConfigValue[] = [];
    for (const segment of segments) {
      const [first] = segment as readonly [CaddyfileToken];
      const { text: name } = first;
      if (isDefinition(first)) continue;
      const read = this.scope.assembly.directive(name);
      if (read === undefined) throw this.#errorAbout(first, unknownDirective(name, this.scope.assembly));
      try {
        values.push(...runDirective(read, name, new DirectiveReader(segment, scope)));
      } catch (error) {
        const around = `parsing caddyfile tokens for '${name}': `;
        throw rethrown(error, (message) => this.#errorAbout(first, around + message, error));
      }
    }
    return values;
  }

  #withDefinitions(segments: readonly (readonly CaddyfileToken[])[]): MatcherSets {
    const matchers = new Map(this.scope.matchers);
    for (const segment of segments) readDefinition(segment, matchers, this.modules);
    return matchers;
  }

  /**
   * Returns an error whose message contains the cursor position, as in Caddy. Its `position` refers to an earlier
   * token.
   */
  #errorAbout(token: CaddyfileToken, message: string, cause?: unknown): CaddyfileError {
    return this.error(message, caddyfileError(message, cause, token));
  }

  /** Returns the routes of the block that begins on this line, sorted by directive or in written order. */
  routes(sort: boolean): readonly RouteConfig[] {
    return this.routesOf(this.directives(), sort);
  }

  /** Combines results of directives into routes. */
  routesOf(values: readonly ConfigValue[], sort: boolean): readonly RouteConfig[] {
    const { groups, order, trace } = this.scope.assembly;
    const [owner] = this.tokens;
    if (owner !== undefined) trace.block(owner, { values: onlyRoutes(values), sorted: sort });
    return buildRoutes(values, groups, sort ? order() : null);
  }
}

/** Runs a directive and records its name in the results. */
export function runDirective(
  read: (reader: DirectiveReader) => readonly ConfigValue[],
  name: string,
  reader: DirectiveReader,
): ConfigValue[] {
  const { tokens } = reader;
  reader.next();
  const values = read(reader);
  if (!reader.ended) reader.modules.warn(reader.token, `${name}: arguments after '${reader.value}' have no effect`);
  return values.map((value) => {
    noteOrigins(value.value, tokens);
    return { ...value, directive: value.directive ?? name };
  });
}

/** Returns the error for an unknown directive, without a position. */
function unknownDirective(name: string, { suggestion }: Pick<Assembly, 'suggestion'>): string {
  return `unrecognized directive: ${name} - are you sure your Caddyfile structure (nesting and braces) is correct?${suggestion(name)}`;
}

/** Adds context to an error. {@link NotLoaded} passes unchanged. */
export function rethrown(error: unknown, wrap: (message: string) => CaddyfileError): unknown {
  if (error instanceof Error && error.name === 'NotLoaded') return error;
  return wrap(messageOf(error));
}

function defineRoute(match: readonly MatcherSetConfig[] | undefined, handle: readonly Json[]): RouteConfig {
  return match === undefined ? { handle } : { match, handle };
}
