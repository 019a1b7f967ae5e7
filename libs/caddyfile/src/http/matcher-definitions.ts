/** Definitions of named matchers: `@name path /x`, `@name { … }`, or `@name "expression"`. */
import type { Json } from '@sluice/base';
import { Dispenser, type ModuleReader } from '../dispenser/dispenser.ts';
import { caddyfileError } from '../errors.ts';
import { noteOrigin } from '../sources/origins.ts';
import type { CaddyfileToken } from '../token.ts';
import type { MatcherSetConfig } from './config-value.ts';

/** Matcher sets, keyed by name. The name includes the `@`. */
export type MatcherSets = ReadonlyMap<string, MatcherSetConfig>;

/** Reports whether a segment that begins with this token defines a named matcher. */
export function isDefinition(token: CaddyfileToken): boolean {
  return token.text.startsWith('@');
}

export function readDefinition(
  tokens: readonly CaddyfileToken[],
  sets: Map<string, MatcherSetConfig>,
  modules: ModuleReader,
): void {
  const reader = new Dispenser(tokens, modules);
  reader.next();
  const name = reader.value;
  if (sets.has(name)) {
    throw caddyfileError(`matcher is defined more than once: ${name}`, undefined, reader.token);
  }
  sets.set(name, noteOrigin(readMatchers(reader, name.slice(1)), tokens));
}

/**
 * Parses the matchers after the cursor: a single matcher on the line, or the matchers in a block. A request must match all of them. Unnamed
 * matchers belong to a directive or another matcher. In unnamed matchers, quoted words are expressions, as in Caddy.
 */
export function readMatchers(reader: Dispenser, matcherName: string): MatcherSetConfig {
  const isNested = matcherName === '';
  if (!isNested && reader.nextArgument()) {
    if (reader.token.quote !== '')
      return { expression: readMatcher('expression', expressionTokens(reader.token), reader, matcherName) };
    reader.back();
  }
  const byName = new Map<string, CaddyfileToken[]>();
  const outer = reader.nesting;
  while (reader.nextArgument() || reader.nextInBlock(outer)) {
    const isExpression = isNested && reader.token.quote !== '';
    const name = isExpression ? 'expression' : reader.value;
    const earlier = byName.get(name) ?? [];
    earlier.push(...(isExpression ? expressionTokens(reader.token) : reader.segmentTokens()));
    byName.set(name, earlier);
  }
  const set: MatcherSetConfig = {};
  for (const name of [...byName.keys()].sort()) {
    set[name] = readMatcher(name, byName.get(name) as CaddyfileToken[], reader, matcherName);
  }
  return set;
}

function expressionTokens(quoted: CaddyfileToken): CaddyfileToken[] {
  return [quoted.withText('expression', ''), quoted];
}

/** Parses one matcher. If the matcher occurs several times, its parser receives the tokens of all its lines. */
function readMatcher(
  name: string,
  tokens: readonly CaddyfileToken[],
  { modules }: Dispenser,
  matcherName: string,
): Json {
  const reader = new Dispenser(tokens, modules, matcherName);
  reader.next();
  const id = `http.matchers.${name}`;
  if (!modules.has(id)) {
    const message = `getting matcher module '${name}': module not registered: ${id}${modules.suggest(id)}`;
    throw caddyfileError(message, undefined, reader.token);
  }
  return modules.read(id, reader);
}
