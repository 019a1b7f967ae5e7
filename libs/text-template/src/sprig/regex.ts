/** Template functions for RE2 regular expressions, which are matched in linear time for every pattern. */
import { RE2JS } from 're2js';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { integer, text } from '../functions/parameters.ts';
import { typedList } from '../values/kind.ts';
import { checkCharacters } from '../limits/size.ts';

const cache = new Map<string, RE2JS>();
const maxCached = 500;
const maxCachedLength = 1_000;

function compile(pattern: string): RE2JS {
  const before = cache.get(pattern);
  if (before !== undefined) return before;
  if (!pattern.isWellFormed()) throw new Error(`error parsing regexp: invalid UTF-8: \`${pattern}\``);
  let made: RE2JS;
  try {
    made = RE2JS.compile(pattern);
  } catch (error) {
    throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
  }
  if (cache.size >= maxCached) cache.clear();
  if (pattern.length <= maxCachedLength) cache.set(pattern, made);
  return made;
}

/** Start and end offsets of a match and of each group. -1 means that the group did not participate in the match. */
type Match = readonly number[];

/** Returns up to `limit` matches from left to right. Ignores an empty match directly after another match. */
function matches(pattern: string, value: string, limit: number): Match[] {
  const found: Match[] = [];
  const matcher = compile(pattern).matcher(value);
  let end = -1;
  const max = limit < 0 ? Infinity : limit;
  while (found.length < max && matcher.find()) {
    const match: number[] = [];
    for (let group = 0; group <= matcher.groupCount(); group++) match.push(matcher.start(group), matcher.end(group));
    const [start = 0, stop = 0] = match;
    if (start !== stop || start !== end) found.push(match);
    end = stop;
  }
  return found;
}

function groupText(value: string, match: Match, group: number): string {
  const start = match[group * 2] ?? -1;
  return start < 0 ? '' : value.slice(start, match[group * 2 + 1]);
}

function findAll(pattern: string, value: string, limit: number): string[] {
  return typedList(
    matches(pattern, value, limit).map((match) => groupText(value, match, 0)),
    'string',
  );
}

function find(pattern: string, value: string): string {
  const [match] = matches(pattern, value, 1);
  return match === undefined ? '' : groupText(value, match, 0);
}

const reference = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;

/** Expands `$1`, `${1}`, `$name` and `$$` in a replacement string. `$1x` refers to the group named `1x`. */
function expand(template: string, value: string, match: Match, names: Readonly<Record<string, number>>): string {
  return template.replace(reference, (whole: string, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    if (name === undefined) return whole.slice(1);
    const group = /^\d+$/.test(name) ? Number(name) : names[name];
    return group === undefined ? '' : groupText(value, match, group);
  });
}

function replace(pattern: string, value: string, replacement: (match: Match) => string): string {
  let replaced = '';
  let end = 0;
  for (const match of matches(pattern, value, -1)) {
    replaced += value.slice(end, match[0]) + replacement(match);
    end = match[1] ?? end;
    checkCharacters(replaced.length);
  }
  return replaced + value.slice(end);
}

function replaceAll(pattern: string, value: string, template: string): string {
  const names = compile(pattern).namedGroups() as Readonly<Record<string, number>>;
  return replace(pattern, value, (match) => expand(template, value, match, names));
}

function split(pattern: string, value: string, limit: number): string[] {
  compile(pattern);
  const pieces: string[] = [];
  if (limit === 0) return typedList(pieces, 'string');
  if (pattern !== '' && value === '') return typedList([''], 'string');
  let start = 0;
  let end = 0;
  for (const match of matches(pattern, value, limit)) {
    if (limit > 0 && pieces.length === limit - 1) break;
    end = match[0] ?? 0;
    if (match[1] !== 0) pieces.push(value.slice(start, end));
    start = match[1] ?? 0;
  }
  if (end !== value.length) pieces.push(value.slice(start));
  return typedList(pieces, 'string');
}

function test(pattern: string, value: string): boolean {
  return compile(pattern).matcher(value).find();
}

/** Tests a string against a pattern, for the function without the `must` prefix. An invalid pattern never matches. */
function lenientTest(pattern: string, value: string): boolean {
  try {
    return test(pattern, value);
  } catch {
    return false;
  }
}

/**
 * Wraps a function that fails for an invalid pattern even though its name has no `must` prefix. The error message contains the call, as in
 * Go.
 */
function compiled<A extends readonly unknown[], R>(
  act: (pattern: string, ...args: A) => R,
): (pattern: string, ...args: A) => R {
  return (pattern, ...args) => {
    try {
      compile(pattern);
    } catch (error) {
      throw new Error(`regexp: Compile(\`${pattern}\`): ${error instanceof Error ? error.message : ''}`, {
        cause: error,
      });
    }
    return act(pattern, ...args);
  };
}

const literally = (pattern: string, value: string, by: string): string => replace(pattern, value, () => by);

export const regexes: Readonly<Record<string, TemplateFunction>> = {
  regexMatch: declare([text, text], lenientTest),
  mustRegexMatch: declare([text, text], test),
  regexFindAll: declare([text, text, integer], compiled(findAll)),
  mustRegexFindAll: declare([text, text, integer], findAll),
  regexFind: declare([text, text], compiled(find)),
  mustRegexFind: declare([text, text], find),
  regexReplaceAll: declare([text, text, text], compiled(replaceAll)),
  mustRegexReplaceAll: declare([text, text, text], replaceAll),
  regexReplaceAllLiteral: declare([text, text, text], compiled(literally)),
  mustRegexReplaceAllLiteral: declare([text, text, text], literally),
  regexSplit: declare([text, text, integer], compiled(split)),
  mustRegexSplit: declare([text, text, integer], split),
  regexQuoteMeta: declare([text], (value) => value.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};
