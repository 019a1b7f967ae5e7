/** What a directive of a site reads its tokens with: a dispenser that knows matchers, and blocks of further directives. */
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

/** What all directives of a file share. */
export interface Assembly {
  readonly options: GlobalOptions;
  readonly groups: GroupCounter;
  readonly modules: ModuleReader;
  /** Keeps the lists in which directives stood. */
  readonly trace: OrderTrace;
  /** Name of the file as it was given; empty if the text did not come from one. */
  readonly file: string;
  /** Positions of directives. */
  order(): ReadonlyMap<string, number>;
  /** The directive of a name, or `undefined`. */
  directive(name: string): ((reader: DirectiveReader) => readonly ConfigValue[]) | undefined;
  /** `; did you mean 'x'?`, or nothing. */
  suggestion(name: string): string;
}

/** What the directives of a site share. */
export interface SiteScope {
  readonly assembly: Assembly;
  readonly addresses: readonly SiteAddress[];
  /** The named matchers that hold where the directive stands. */
  readonly matchers: MatcherSets;
  /** What directives of the site keep for each other. */
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

  /** A reader of the directive within a block that the cursor stands on. It begins before its name. */
  sub(): DirectiveReader {
    return new DirectiveReader(this.segmentTokens(), this.scope);
  }

  /** Reads the matcher after the directive's name, if there is one, and takes it away. `undefined`: all requests. */
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

  /** The set that a matcher token stands for; `*` for all requests, `null` if it is not a matcher. */
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
   * Reads the matcher of directives whose value may look like one: only the first of two words is a matcher. If it isn't one, it
   * is the value, and the second is ignored. `what` is the value, in errors.
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

  /** The result of a directive that makes one handler. */
  route(match: readonly MatcherSetConfig[] | undefined, ...handle: readonly Json[]): readonly ConfigValue[] {
    return [{ pile: 'route', value: defineRoute(match, handle) }];
  }

  /** The directives of the block that begins on this line, read one after the other. Words before it are an error. */
  directives(): ConfigValue[] {
    this.noArguments();
    const segments: CaddyfileToken[][] = [];
    for (const _name of this.block()) segments.push(this.segmentTokens());
    return this.readSegments(segments);
  }

  /** Reads directives one after the other; definitions of matchers among them hold for all of them. */
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

  /** An error whose message names the cursor, as the reference's does, and whose place is that of a token before it. */
  #errorAbout(token: CaddyfileToken, message: string, cause?: unknown): CaddyfileError {
    return this.error(message, caddyfileError(message, cause, token));
  }

  /** The routes of the block that begins on this line; sorted by directive, if they are not to stay as written. */
  routes(sort: boolean): readonly RouteConfig[] {
    return this.routesOf(this.directives(), sort);
  }

  /** Puts results of directives together to routes. */
  routesOf(values: readonly ConfigValue[], sort: boolean): readonly RouteConfig[] {
    const { groups, order, trace } = this.scope.assembly;
    const [owner] = this.tokens;
    if (owner !== undefined) trace.block(owner, { values: onlyRoutes(values), sorted: sort });
    return buildRoutes(values, groups, sort ? order() : null);
  }
}

/** Runs a directive and notes its name in what it makes. */
export function runDirective(
  read: (reader: DirectiveReader) => readonly ConfigValue[],
  name: string,
  reader: DirectiveReader,
): ConfigValue[] {
  const { tokens } = reader;
  reader.next();
  const values = read(reader);
  if (!reader.ended) reader.modules.warn(reader.token, `${name}: what follows '${reader.value}' has no effect`);
  return values.map((value) => {
    noteOrigins(value.value, tokens);
    return { ...value, directive: value.directive ?? name };
  });
}

/** The error of a directive that is not known, without a place. */
function unknownDirective(name: string, { suggestion }: Pick<Assembly, 'suggestion'>): string {
  return `unrecognized directive: ${name} - are you sure your Caddyfile structure (nesting and braces) is correct?${suggestion(name)}`;
}

/** Says around an error where it happened; what only asks for code to be loaded passes. */
export function rethrown(error: unknown, wrap: (message: string) => CaddyfileError): unknown {
  if (error instanceof Error && error.name === 'NotLoaded') return error;
  return wrap(messageOf(error));
}

function defineRoute(match: readonly MatcherSetConfig[] | undefined, handle: readonly Json[]): RouteConfig {
  return match === undefined ? { handle } : { match, handle };
}
