/** Request rewriting, compiled once and used by the `rewrite` handler and by `reverse_proxy`. */
import { cleanRequestPath, compileRegExp, escapedPathOf, escapePath, unescapePathOrNull } from '@sluice/base';
import { integer, list, options, string, structure, type Context, type Options } from '@sluice/registry';
import { compileText } from '../placeholders/resolve.ts';
import { compileQueryOperations, queryOperationOptions } from './query-operations.ts';
import type { Rewrite } from './rewrite-target.ts';
import { compileUri } from './rewrite-uri.ts';
import { setQuery } from './set-query.ts';
import { stripPrefix, stripSuffix } from './strip.ts';

const substringOptions = options({
  find: string('String to search for. Empty string = no replacement.'),
  replace: string('Replacement string.'),
  limit: integer('Maximum number of replacements, counted separately for the path and the query. 0 = no limit.'),
});

const pathExpressionOptions = options({
  find: string('Regular expression (RE2 syntax).'),
  replace: string('Replacement string. `$1` expands to the first capture group.'),
});

export const rewriteOptions = options({
  method: string('Method to set.'),
  uri: string(
    'New path, query, or both, such as `/new?x={http.request.uri.query.x}`. Omitted parts are not changed. A trailing `?` removes the query.',
  ),
  strip_path_prefix: string('Prefix to remove from the path, case-insensitively.'),
  strip_path_suffix: string('Suffix to remove from the path, case-insensitively.'),
  uri_substring: list('String replacements in the path and query.', substringOptions),
  path_regexp: list('Regular expression replacements in the path.', pathExpressionOptions),
  query: structure('Operations on the query string, which is re-encoded and sorted by key.', queryOperationOptions),
});

/** Compiles a rewrite. Its operations run in the order in which the options are declared in the schema. */
export function compileRewrite(config: Options<typeof rewriteOptions>, context: Context, ...at: string[]): Rewrite {
  const steps: Rewrite[] = [];
  if (config.method) steps.push(methodStep(config.method));
  if (config.uri) steps.push(compileUri(config.uri));
  if (config.strip_path_prefix) steps.push(stripStep(config.strip_path_prefix, stripPrefix));
  if (config.strip_path_suffix) steps.push(stripStep(config.strip_path_suffix, stripSuffix));
  for (const substring of config.uri_substring ?? []) steps.push(substringStep(substring));
  for (const [i, expression] of (config.path_regexp ?? []).entries())
    steps.push(expressionStep(expression, context, [...at, 'path_regexp', i]));
  if (config.query) steps.push(compileQueryOperations(config.query, context, ...at, 'query'));
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return only;
  return (exchange, target) => {
    for (const step of steps) step(exchange, target);
  };
}

function methodStep(text: string): Rewrite {
  const method = compileText(text, 'empty');
  return (exchange, target) => {
    target.method = method.expand(exchange).toUpperCase();
  };
}

function stripStep(text: string, strip: (rawPath: string, part: string) => string): Rewrite {
  const part = compileText(text, 'empty');
  return (exchange, target) => {
    const stripped = part.expand(exchange);
    target.rawPath = strip(cleanFor(stripped, target.rawPath), stripped);
  };
}

function substringStep(config: Options<typeof substringOptions>): Rewrite {
  const find = compileText(config.find ?? '', 'empty');
  const replace = compileText(config.replace ?? '', 'empty');
  const limit = config.limit ?? 0;
  return (exchange, target) => {
    const searched = find.expand(exchange);
    if (searched === '') return;
    const replacement = replace.expand(exchange);
    const replaced = (text: string): string => replaceSome(text, searched, replacement, limit);
    target.rawPath = changedPath(target.rawPath, (text) => replaced(cleanFor(searched, text)));
    if (target.query !== null) setQuery(exchange, target, replaced(target.query));
  };
}

/** Returns the path to search, without dot segments. Also removes empty segments, unless the search text contains an empty segment. */
function cleanFor(searched: string, rawPath: string): string {
  return rawPath.startsWith('/') ? cleanRequestPath(rawPath, !searched.includes('//')) : rawPath;
}

function replaceSome(text: string, searched: string, replacement: string, limit: number): string {
  if (limit <= 0) return text.replaceAll(searched, () => replacement);
  const parts = text.split(searched);
  const head = parts.slice(0, limit + 1).join(replacement);
  return parts.length > limit + 1 ? head + searched + parts.slice(limit + 1).join(searched) : head;
}

function expressionStep(
  config: Options<typeof pathExpressionOptions>,
  context: Context,
  at: readonly (string | number)[],
): Rewrite {
  if (!config.find) throw context.error('find is missing: set it to a regular expression', ...at);
  let expression: ReturnType<typeof compileRegExp>;
  try {
    expression = compileRegExp(config.find);
  } catch (error) {
    throw context.error((error as Error).message, ...at, 'find');
  }
  const replace = compileText(config.replace ?? '', 'empty');
  return (exchange, target) => {
    const replacement = replace.expand(exchange);
    target.rawPath = changedPath(target.rawPath, (text) => expression.replaceAll(text, replacement));
  };
}

/**
 * Changes an escaped path. If the change would break an escape sequence, changes the decoded path instead. Finally, adds any missing
 * escapes.
 */
function changedPath(rawPath: string, change: (text: string) => string): string {
  const changed = change(rawPath);
  const plain = unescapePathOrNull(changed);
  return plain === null ? escapePath(change(unescapePathOrNull(rawPath) ?? rawPath)) : escapedPathOf(plain, changed);
}
