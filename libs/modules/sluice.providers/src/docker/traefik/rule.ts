/** Rules of Traefik's routers, converted to matchers. */
import { SluiceError, type Json, type JsonObject } from '@sluice/base';
import { literal, quoteRegExp } from '../../common/text.ts';

export interface Rule {
  /** Alternative matcher sets. */
  readonly match: readonly JsonObject[];
  readonly hosts: readonly string[];
}

interface Token {
  /** Operator, `(`, `)`, `,`, `name`, `string`, or `end`. */
  readonly type: string;
  readonly text: string;
  /** Position in the rule. The first character has position 1. */
  readonly at: number;
}

type Sets = readonly JsonObject[];
type Matcher = (values: readonly string[]) => Sets;

/** Maximum number of matcher sets when `&&` is distributed over `||`. Above this limit, alternatives are nested in `not`. */
const maxSets = 32;

/** Matchers with their minimum and maximum numbers of values, keyed by lowercase name. */
const matchers: Readonly<Record<string, readonly [min: number, max: number, matcher: Matcher]>> = {
  host: [1, Infinity, (hosts) => [{ host: hosts.map((host) => literal(host.toLowerCase())) }]],
  hostregexp: [1, Infinity, (patterns) => [regexpOf('{http.request.host}', `(?i)${alternatives(patterns)}`)]],
  path: [1, Infinity, (paths) => [{ path_regexp: { pattern: `^${alternatives(paths.map(quoteRegExp))}$` } }]],
  pathprefix: [1, Infinity, (paths) => [{ path_regexp: { pattern: `^${alternatives(paths.map(quoteRegExp))}` } }]],
  pathregexp: [1, Infinity, (patterns) => [{ path_regexp: { pattern: alternatives(patterns) } }]],
  method: [1, Infinity, (methods) => [{ method: methods.map((method) => method.toUpperCase()) }]],
  header: [2, 2, headerMatcher],
  headers: [2, 2, headerMatcher],
  headerregexp: [2, 2, ([name = '', pattern = '']) => [{ header_regexp: { [name]: { pattern } } }]],
  headersregexp: [2, 2, ([name = '', pattern = '']) => [{ header_regexp: { [name]: { pattern } } }]],
  query: [1, 2, queryMatcher],
  queryregexp: [2, 2, ([name = '', pattern = '']) => [regexpOf(`{http.request.uri.query.${name}}`, pattern)]],
  clientip: [1, Infinity, (ranges) => [{ remote_ip: { ranges: [...ranges] } }]],
};

/** Parses a rule. Throws an error that contains the position if the rule is invalid. */
export function parseRule(text: string): Rule {
  return new Parser(tokensOf(text)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #hosts = new Set<string>();
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Rule {
    const match = this.#any();
    if (this.#token.type !== 'end') throw this.#unexpected('&& or ||');
    return { match, hosts: [...this.#hosts] };
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { type: 'end', text: '', at: 0 };
  }

  #accept(type: string): boolean {
    if (this.#token.type !== type) return false;
    this.#next++;
    return true;
  }

  #expect(type: string): void {
    if (!this.#accept(type)) throw this.#unexpected(type);
  }

  #any(): Sets {
    let sets = this.#all();
    while (this.#accept('||')) sets = either(sets, this.#all());
    return sets;
  }

  #all(): Sets {
    let sets = this.#one();
    while (this.#accept('&&')) sets = both(sets, this.#one());
    return sets;
  }

  #one(): Sets {
    if (this.#accept('!')) return [{ not: this.#one() }];
    if (this.#accept('(')) {
      const sets = this.#any();
      this.#expect(')');
      return sets;
    }
    return this.#matcher();
  }

  #matcher(): Sets {
    const { type, text, at } = this.#token;
    if (type !== 'name') throw this.#unexpected('a matcher');
    this.#next++;
    const known = Object.hasOwn(matchers, text.toLowerCase()) ? matchers[text.toLowerCase()] : undefined;
    if (known === undefined) throw errorAt(at, `unknown matcher ${text}`);
    const [min, max, matcher] = known;
    this.#expect('(');
    const values: string[] = [];
    do {
      const value = this.#token;
      if (!this.#accept('string')) throw this.#unexpected('a value in backticks or double quotes');
      values.push(value.text);
    } while (this.#accept(','));
    this.#expect(')');
    if (values.length < min || values.length > max)
      throw errorAt(at, `${text} requires ${min === max ? min : `${min} to ${max}`} values, got ${values.length}`);
    const sets = matcher(values);
    if (text.toLowerCase() === 'host') for (const host of values) this.#hosts.add(host.toLowerCase());
    return sets;
  }

  #unexpected(expected: string): Error {
    const { type, text, at } = this.#token;
    return errorAt(at, `expected ${expected}, got ${type === 'end' ? 'the end of the rule' : text}`);
  }
}

function tokensOf(text: string): readonly Token[] {
  const pattern = /\s*(?:(&&|\|\||[!(),])|([A-Za-z]+)|`([^`]*)`|"((?:[^"\\]|\\.)*)")/y;
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const begin = pattern.lastIndex;
    const found = pattern.exec(text);
    const at = begin + (/^\s*/.exec(text.slice(begin))?.[0].length ?? 0) + 1;
    if (found === null) throw errorAt(at, `unexpected ${text.slice(at - 1, at + 9)}`);
    const [, operator, name, raw, quoted] = found;
    if (operator !== undefined) tokens.push({ type: operator, text: operator, at });
    else if (name !== undefined) tokens.push({ type: 'name', text: name, at });
    else tokens.push({ type: 'string', text: raw ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1'), at });
  }
  tokens.push({ type: 'end', text: '', at: end + 1 });
  return tokens;
}

function errorAt(at: number, message: string): Error {
  return new SluiceError('ERR_LABEL', `position ${at}: ${message}`);
}

function headerMatcher([name = '', value = '']: readonly string[]): Sets {
  return value.includes('*')
    ? [{ header_regexp: { [name]: { pattern: `^${quoteRegExp(value)}$` } } }]
    : [{ header: { [name]: [literal(value)] } }];
}

/** Converts `Query(name, value)`, `Query(name)` for an empty value, or `Query(name=value)` as in version 2. */
function queryMatcher([first = '', second]: readonly string[]): Sets {
  const [name = '', value] = second === undefined ? first.split(/=(.*)/s) : [first, second];
  return [{ query: { [name]: [literal(value ?? '')] } }];
}

function regexpOf(placeholder: string, pattern: string): JsonObject {
  return { vars_regexp: { [placeholder]: { pattern } } };
}

function alternatives(patterns: readonly string[]): string {
  return patterns.length === 1 ? `${patterns[0]}` : `(?:${patterns.join('|')})`;
}

/**
 * Combines alternatives. Lists of hosts and methods are merged, so that automatic HTTPS finds the hosts and matching
 * stays fast.
 */
function either(one: Sets, other: Sets): Sets {
  const [first, second] = [one[0] ?? {}, other[0] ?? {}];
  for (const name of ['host', 'method']) {
    const [some, more] = [first[name], second[name]];
    const isOnly = one.length === 1 && other.length === 1 && keysOf(first) === name && keysOf(second) === name;
    if (isOnly && Array.isArray(some) && Array.isArray(more)) return [{ [name]: [...some, ...more] as Json[] }];
  }
  return [...one, ...other];
}

function keysOf(set: JsonObject): string {
  return Object.keys(set).join(' ');
}

function both(one: Sets, other: Sets): Sets {
  if (one.length * other.length > maxSets) return one.map((set) => joined(set, { not: [{ not: [...other] }] }));
  return one.flatMap((set) => other.map((more) => joined(set, more)));
}

/** Returns a set that matches if both sets match. If both sets contain the same matcher, one of the two matchers is negated twice. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...one };
  const negated: Json[] = [];
  for (const [name, value] of Object.entries(other)) {
    if (name === 'not') negated.push(...(value as readonly Json[]));
    else if (Object.hasOwn(result, name)) negated.push({ not: [{ [name]: value }] });
    else result[name] = value;
  }
  if (negated.length > 0) result['not'] = [...((result['not'] as readonly Json[] | undefined) ?? []), ...negated];
  return result;
}
