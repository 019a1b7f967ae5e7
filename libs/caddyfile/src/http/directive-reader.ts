/** Reader for the tokens of a directive. Extends the dispenser with matchers and nested directives. */
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

/** Data that all directives in a file share. */
export interface Assembly {
  readonly options: GlobalOptions;
  readonly groups: GroupCounter;
  readonly modules: ModuleReader;
  /** Records lists of directives, to explain their order. */
  readonly trace: OrderTrace;
  /** File name as specified by the user. Empty if the text does not come from a file. */
  readonly file: string;
  order(): ReadonlyMap<string, number>;
  /** Returns the parser of a directive, or `undefined` if the directive is unknown. */
  directive(name: string): ((reader: DirectiveReader) => readonly ConfigValue[]) | undefined;
  /** Returns the suffix `; did you mean 'x'?` for an error message, or an empty string. */
  suggestion(name: string): string;
}

/** Data that belongs to one site. */
export interface SiteScope {
  readonly assembly: Assembly;
  readonly addresses: readonly SiteAddress[];
  readonly matchers: MatcherSets;
  /** Data that the directives of the site share. */
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

  /** Parses and removes the matcher after the directive name. Returns `undefined` if there is no matcher, in which case all requests match. */
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

  /** Returns the matcher set for a matcher token. Returns `*` if the token matches all requests, and `null` if the token is not a matcher. */
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
   * Parses the matcher of a directive whose value may look like a matcher. If the line has two words, the first is the matcher. A single
   * word is the value. `what` is the name of the value in error messages.
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

  /** Returns the configuration of a directive that creates one handler. */
  route(match: readonly MatcherSetConfig[] | undefined, ...handle: readonly Json[]): readonly ConfigValue[] {
    return [{ pile: 'route', value: defineRoute(match, handle) }];
  }

  /** Parses the directives in the block that begins on this line, in order. Throws if words precede the block. */
  directives(): ConfigValue[] {
    this.noArguments();
    const segments: CaddyfileToken[][] = [];
    for (const _name of this.block()) segments.push(this.segmentTokens());
    return this.readSegments(segments);
  }

  /** Parses directives in order. The matchers that they define apply to all of the given segments. */
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
   * Creates an error whose message contains the cursor position, as in Caddy. The error's `position` refers to the given token, which
   * precedes the cursor.
   */
  #errorAbout(token: CaddyfileToken, message: string, cause?: unknown): CaddyfileError {
    return this.error(message, caddyfileError(message, cause, token));
  }

  /** Returns the routes of the block that begins on this line. The routes are either sorted by directive or in source order. */
  routes(sort: boolean): readonly RouteConfig[] {
    return this.routesOf(this.directives(), sort);
  }

  /** Combines the results of several directives into routes. */
  routesOf(values: readonly ConfigValue[], sort: boolean): readonly RouteConfig[] {
    const { groups, order, trace } = this.scope.assembly;
    const [owner] = this.tokens;
    if (owner !== undefined) trace.block(owner, { values: onlyRoutes(values), sorted: sort });
    return buildRoutes(values, groups, sort ? order() : null);
  }
}

/** Runs a directive. Stores the directive name in its results. */
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

/** Returns the error message for an unknown directive, without a position. */
function unknownDirective(name: string, { suggestion }: Pick<Assembly, 'suggestion'>): string {
  return `unrecognized directive: ${name} - are you sure your Caddyfile structure (nesting and braces) is correct?${suggestion(name)}`;
}

/** Adds context to an error. Returns a {@link NotLoaded} error unchanged. */
export function rethrown(error: unknown, wrap: (message: string) => CaddyfileError): unknown {
  if (error instanceof Error && error.name === 'NotLoaded') return error;
  return wrap(messageOf(error));
}

function defineRoute(match: readonly MatcherSetConfig[] | undefined, handle: readonly Json[]): RouteConfig {
  return match === undefined ? { handle } : { match, handle };
}
