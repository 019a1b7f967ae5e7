/** SL051. */
import { compileRegExp, isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { defineLint, onceForNode, textFinder, type Report } from '@sluice/registry';
import { says, serverExample } from '../example.ts';
import type { ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

const example = (body: string): ReturnType<typeof serverExample> =>
  serverExample([{ match: [{ path_regexp: { name: 'post', pattern: '^/posts/([0-9]+)$' } }], handle: [says(body)] }]);

export const missingCaptureGroup = defineLint({
  code: 'SL051',
  name: 'missing-capture-group',
  severity: 'warning',
  summary: 'A capture group is used that the regular expression does not have.',
  details: `\`{http.regexp.post.2}\` is the second group of the expression with the name \`post\`. If the expression has only one, the placeholder is
always empty. The same holds for \`$2\` in a replacement. Correct the number or the name, or add the group.`,
  bad: example('{http.regexp.post.2}'),
  good: example('{http.regexp.post.1}'),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) checkServer(server, report);
    for (const { node, path } of replacementsIn(configuration.document)) checkReplacement(node, path, report);
  },
});

const groupsIn = textFinder((text) => /\{http\.regexp\.[^{}]+\}/.test(text));

function checkServer({ node, path }: ServerModel, report: Report): void {
  const used = [...groupsIn(node, path)];
  if (used.length === 0) return;
  const patterns = patternsOf(node);
  // An expression, and a handler of someone else, may capture groups under any name.
  if (patterns === null) return;
  for (const { text, path: at } of used) {
    for (const [whole, name = '', group = ''] of text.matchAll(/(?<!\\)\{http\.regexp\.(\w+)\.(\w+)\}/g)) {
      const named = patterns.filter((each) => each.name === name);
      if (named.length === 0 || named.some(({ pattern }) => hasGroup(pattern, group))) continue;
      const [only] = named;
      report(
        at,
        `${whole} is always empty: ${only?.pattern ?? ''} has no group ${group}; it has ${groupsOf(only?.pattern ?? '')}`,
      );
    }
  }
}

interface Pattern {
  readonly name: string;
  readonly pattern: string;
}

/** All named patterns within a value; `null` if there may be others. */
const patternsOf = onceForNode((node: object): readonly Pattern[] | null => {
  const found: Pattern[] = [];
  let hasUnknown = false;
  const visit = (value: Json): void => {
    if (isArray(value)) value.forEach(visit);
    else if (isObject(value)) {
      const [name, pattern] = [own(value, 'name'), own(value, 'pattern')];
      if (typeof name === 'string' && typeof pattern === 'string') found.push({ name, pattern });
      for (const each of Object.values(value)) visit(each);
    } else if (typeof value === 'string' && value.includes('_regexp(')) hasUnknown = true;
  };
  visit(node as Json);
  return hasUnknown ? null : found;
});

/** Whether a pattern has a group. One that cannot be compiled may have any. */
function hasGroup(pattern: string, group: string): boolean {
  const compiled = compiledOrNull(pattern);
  if (compiled === null) return true;
  return /^\d+$/.test(group) ? Number(group) <= compiled.groupCount : compiled.names.has(group);
}

function groupsOf(pattern: string): string {
  const compiled = compiledOrNull(pattern);
  const names = [...(compiled?.names.keys() ?? [])];
  const count = compiled?.groupCount ?? 0;
  if (count === 0) return 'none';
  return `${count}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
}

function compiledOrNull(pattern: string): ReturnType<typeof compileRegExp> | null {
  try {
    return compileRegExp(pattern);
  } catch {
    return null;
  }
}

/** Objects with a pattern and the text that replaces what it finds. */
const replacementFinder = onceForNode(
  (node: object): boolean =>
    isReplacement(node as Json) ||
    Object.values(node as Record<string, Json>).some(
      (each) => typeof each === 'object' && each !== null && replacementFinder(each),
    ),
);

function isReplacement(node: Json): boolean {
  return isObject(node) && typeof own(node, 'replace') === 'string' && /\$\{?[1-9]/.test(String(own(node, 'replace')));
}

function* replacementsIn(
  node: Json,
  path: ConfigPath = [],
): Generator<{ readonly node: Json; readonly path: ConfigPath }> {
  if (typeof node !== 'object' || node === null || !replacementFinder(node)) return;
  if (isReplacement(node)) yield { node, path };
  for (const [key, value] of Object.entries(node)) yield* replacementsIn(value, [...path, key]);
}

/** `find` is a pattern in `path_regexp` of rewrites, and a text in `uri_substring`; `search_regexp` always is one. */
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
