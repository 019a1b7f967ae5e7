/** Lint check SL051. */
import { isObject, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { defineLint, rareTexts, type LintedConfiguration, type Report } from '@sluice/registry';
import { says, serverExample } from '../example.ts';
import { compiledPattern } from '../compiled-patterns.ts';
import { visitTexts } from '../visit-texts.ts';

const example = (body: string): ReturnType<typeof serverExample> =>
  serverExample([{ match: [{ path_regexp: { name: 'post', pattern: '^/posts/([0-9]+)$' } }], handle: [says(body)] }]);

export const missingCaptureGroup = defineLint({
  code: 'SL051',
  name: 'missing-capture-group',
  severity: 'warning',
  summary: 'A placeholder refers to a capture group that the regular expression does not have.',
  details: `\`{http.regexp.post.2}\` is the second group of the expression named \`post\`. If the expression has only one, the placeholder is
always empty. The same applies to \`$2\` in a replacement. Correct the number or the name, or add the group.`,
  bad: example('{http.regexp.post.2}'),
  good: example('{http.regexp.post.1}'),
  check(configuration, report) {
    checkPlaceholders(configuration, report);
    for (const { node, path } of replacementsIn(configuration)) checkReplacement(node, path, report);
  },
});

/** Reports placeholders for capture groups that no pattern in the server defines. */
function checkPlaceholders(configuration: LintedConfiguration, report: Report): void {
  const texts = rareTexts(configuration).filter(({ text }) => text.includes('{http.regexp.'));
  // CEL expressions define patterns in a different syntax.
  if (texts.length === 0 || configuration.modulesOf('http.matchers.expression').some(hasPattern)) return;
  const patterns = patternsOf(configuration);
  for (const { text, path } of texts) {
    for (const [whole, name = '', group = ''] of text.matchAll(/(?<!\\)\{http\.regexp\.(\w+)\.(\w+)\}/g)) {
      const named = [...(patterns.get(`${path[3] ?? ''} ${name}`) ?? [])];
      const [pattern] = named;
      if (pattern === undefined || named.some((each) => hasGroup(each, group))) continue;
      report(path, `${whole} is always empty: ${pattern} has no group ${group}; it has ${groupsOf(pattern)}`);
    }
  }
}

function hasPattern({ node }: { readonly node: Json }): boolean {
  return JSON.stringify(node).includes('_regexp(');
}

/** Returns the patterns of regular expression matchers by server and name. Several matchers may have the same name. */
function patternsOf(configuration: LintedConfiguration): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (options: Json | undefined, path: ConfigPath): void => {
    const [name, pattern] = isObject(options) ? [own(options, 'name'), own(options, 'pattern')] : [];
    if (typeof name !== 'string' || typeof pattern !== 'string') return;
    const key = `${path[3] ?? ''} ${name}`;
    const there = found.get(key);
    if (there === undefined) found.set(key, new Set([pattern]));
    else there.add(pattern);
  };
  for (const { node, path } of configuration.modulesOf('http.matchers.path_regexp')) add(node, path);
  for (const id of ['http.matchers.header_regexp', 'http.matchers.vars_regexp'])
    for (const { node, path } of configuration.modulesOf(id))
      for (const each of isObject(node) ? Object.values(node) : []) add(each, path);
  return found;
}

/** Reports whether a pattern has a capture group. If a pattern cannot be compiled, assumes that it may have any group. */
function hasGroup(pattern: string, group: string): boolean {
  const compiled = compiledPattern(pattern);
  if (compiled === null) return true;
  return /^\d+$/.test(group) ? Number(group) <= compiled.groupCount : compiled.names.has(group);
}

function groupsOf(pattern: string): string {
  const compiled = compiledPattern(pattern);
  const names = [...(compiled?.names.keys() ?? [])];
  const count = compiled?.groupCount ?? 0;
  if (count === 0) return 'none';
  return `${count}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
}

/** Yields the replacements in rewrites and headers. Computes paths last, because most configurations contain no replacements. */
function* replacementsIn(
  configuration: LintedConfiguration,
): Generator<{ readonly node: Json; readonly path: ConfigPath }> {
  for (const id of ['http.handlers.rewrite', 'http.handlers.headers', 'http.handlers.reverse_proxy']) {
    for (const module of configuration.modulesOf(id)) {
      if (!isObject(module.node) || !mayReplace(module.node)) continue;
      const found: (readonly string[])[] = [];
      visitTexts(module.node, (text, at) => {
        const place = at();
        if (place.at(-1) === 'replace' && /\$\{?[1-9]/.test(text) && !place.includes('handle_response'))
          found.push(place.slice(0, -1));
      });
      for (const at of found) yield { node: getAt(module.node, at) ?? null, path: [...module.path, ...at] };
    }
  }
}

function mayReplace(node: JsonObject): boolean {
  const sections = [node, own(node, 'request'), own(node, 'response'), own(node, 'headers'), own(node, 'rewrite')];
  return sections.some(
    (each) =>
      isObject(each) && ['path_regexp', 'replace', 'request', 'response'].some((key) => own(each, key) !== undefined),
  );
}

/**
 * Checks a replacement. `find` is a pattern in the `path_regexp` option of rewrites, but plain text in `uri_substring`. `search_regexp` is
 * always a pattern.
 */
function checkReplacement(node: Json, path: ConfigPath, report: Report): void {
  if (!isObject(node)) return;
  const pattern = path.at(-2) === 'path_regexp' ? own(node, 'find') : own(node, 'search_regexp');
  const text = own(node, 'replace');
  if (typeof pattern !== 'string' || typeof text !== 'string' || pattern.includes('{http.')) return;
  for (const [whole, bare = '', braced = ''] of text.matchAll(/\$(?:([1-9]\d*)(?!\w)|\{([1-9]\d*)\})/g)) {
    const group = bare || braced;
    if (hasGroup(pattern, group)) continue;
    report(
      [...path, 'replace'],
      `${whole} is always empty: ${pattern} has no group ${group}; it has ${groupsOf(pattern)}`,
    );
  }
}
