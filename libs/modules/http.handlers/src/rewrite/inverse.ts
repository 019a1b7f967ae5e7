/** A rewrite as `rewrite`, `method` or `uri`. */
import { isArray, isObject, type Json } from '@sluice/base';
import { words, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `rewrite TO` */
export const rewrite: WriteDirective = ({ uri: to }) => (to === undefined ? null : { words: words(to) });

/** `method NAME` */
export const method: WriteDirective = (handler) =>
  handler['method'] === undefined ? null : { words: words(handler['method']) };

/** `uri OPERATION …` */
export const uri: WriteDirective = (handler) => {
  const {
    strip_path_prefix: prefix,
    strip_path_suffix: suffix,
    uri_substring: substring,
    path_regexp: regexp,
  } = handler;
  if (prefix !== undefined) return { words: ['strip_prefix', ...words(prefix)] };
  if (suffix !== undefined) return { words: ['strip_suffix', ...words(suffix)] };
  if (substring !== undefined) return { words: ['replace', ...wordsOfFirst(substring, ['find', 'replace', 'limit'])] };
  if (regexp !== undefined) return { words: ['path_regexp', ...wordsOfFirst(regexp, ['find', 'replace'])] };
  return isObject(handler['query']) ? { words: ['query'], block: queryLines(handler['query']) } : null;
};

function wordsOfFirst(list: Json, keys: readonly string[]): readonly string[] {
  const first = isArray(list) && isObject(list[0]) ? list[0] : {};
  return keys.flatMap((key) => (first[key] === undefined && key !== 'limit' ? [''] : words(first[key])));
}

const queryOperations: readonly (readonly [string, (fields: readonly string[]) => readonly string[]])[] = [
  ['rename', ([key, value]) => [`${key}>${value}`]],
  ['set', ([key = '', value = '']) => [key, value]],
  ['add', ([key, value = '']) => [`+${key}`, value]],
  ['replace', (fields) => fields],
];

function queryLines(query: Readonly<Record<string, Json>>): Line[] {
  const lines = queryOperations.flatMap(([name, write]) => {
    const list = query[name];
    return (isArray(list) ? list : []).map((each): Line => {
      const { key = '', val, search_regexp: find = '', replace: to = '' } = isObject(each) ? each : {};
      return { words: write(name === 'replace' ? words([key, find, to]) : words([key, val ?? ''])) };
    });
  });
  return [...lines, ...words(query['delete']).map((key): Line => ({ words: [`-${key}`] }))];
}
