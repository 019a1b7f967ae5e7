/** `rewrite`, `method` and `uri`. */
import { isArray, isObject, type Json } from '@sluice/base';
import {
  compact,
  type ConfigValue,
  type DirectiveReader,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  readInteger,
  words,
  type WriteDirective,
} from '@sluice/caddyfile';
import { QueryOperations } from './query-operations.ts';

function rewriteHandler(fields: Readonly<Record<string, Json>>): Json {
  return moduleObject('handler', 'rewrite', compact(fields));
}

/** `rewrite [matcher] TO`: a single word is the target, also if it begins with a slash. */
function readRewrite(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.remainingTokens();
  if (words.length === 0) throw reader.argumentError();
  if (words.length > 2) {
    throw reader.error('too many arguments; should only be a matcher and a URI');
  }
  const { match, value } = reader.matcherAndValue(words);
  return reader.route(match, rewriteHandler({ uri: value }));
}

/** `method [matcher] NAME` */
const readMethod = handlerDirective((reader) => rewriteHandler({ method: reader.onlyArgument() }));

/** `uri [matcher] strip_prefix | strip_suffix | replace | path_regexp | query …` */
const readUri = handlerDirective((reader) => {
  const words = reader.remaining();
  const [operation = ''] = words;
  const count = (least: number, most: number): void => {
    if (words.length < least || words.length > most) throw reader.argumentError();
  };
  switch (operation) {
    case 'strip_prefix':
      count(2, 2);
      return rewriteHandler({ strip_path_prefix: words[1] ?? '' });
    case 'strip_suffix':
      count(2, 2);
      return rewriteHandler({ strip_path_suffix: words[1] ?? '' });
    case 'replace':
      count(3, 4);
      return rewriteHandler({ uri_substring: [replacement(words, reader)] });
    case 'path_regexp':
      count(3, 3);
      return rewriteHandler({ path_regexp: [compact({ find: words[1] ?? '', replace: words[2] ?? '' })] });
    case 'query':
      return moduleObject('handler', 'rewrite', { query: queryOperations(words.slice(1), reader) });
    case '':
      throw reader.argumentError();
    default:
      throw reader.error(`unrecognized URI manipulation '${operation}'`);
  }
});

function replacement([, find = '', replace = '', limit]: readonly string[], reader: DirectiveReader): Json {
  const count = limit === undefined || limit === '' ? 0 : readInteger(reader, limit, 'limit');
  return compact({ find, replace, limit: count });
}

function queryOperations(words: readonly string[], reader: DirectiveReader): Json {
  const operations = new QueryOperations();
  if (words.length > 3) throw reader.argumentError();
  if (words.length > 0) operations.add(words, reader);
  for (const key of reader.block()) {
    if (words.length > 0) throw reader.error('Cannot specify uri query rewrites in both argument and block');
    const values = reader.remaining();
    if (values.length > 2) throw reader.argumentError();
    operations.add([key, ...values], reader);
  }
  return operations.json();
}

/** `rewrite TO` */
const writeRewrite: WriteDirective = ({ uri: to }) => (to === undefined ? null : { words: words(to) });

/** `method NAME` */
const writeMethod: WriteDirective = (handler) =>
  handler['method'] === undefined ? null : { words: words(handler['method']) };

/** `uri OPERATION …` */
const writeUri: WriteDirective = (handler) => {
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

const queryForms: readonly (readonly [string, (fields: readonly string[]) => readonly string[]])[] = [
  ['rename', ([key, value]) => [`${key}>${value}`]],
  ['set', ([key = '', value = '']) => [key, value]],
  ['add', ([key, value = '']) => [`+${key}`, value]],
  ['replace', (fields) => fields],
];

function queryLines(query: Readonly<Record<string, Json>>): Line[] {
  const lines = queryForms.flatMap(([name, write]) => {
    const list = query[name];
    return (isArray(list) ? list : []).map((each): Line => {
      const { key = '', val, search_regexp: find = '', replace: to = '' } = isObject(each) ? each : {};
      return { words: write(name === 'replace' ? words([key, find, to]) : words([key, val ?? ''])) };
    });
  });
  return [...lines, ...words(query['delete']).map((key): Line => ({ words: [`-${key}`] }))];
}

export const rewrite = handler(
  'rewrite',
  {
    shown: ['<to>'],
    help: 'Rewrites the path and query of the request internally. The client does not see the change.',
    example: 'rewrite /old/* /new{uri}\nfile_server',
  },
  { directive: readRewrite, write: writeRewrite },
);

export const method = handler(
  'rewrite',
  {
    shown: ['<method>'],
    help: 'Changes the request method.',
    example: 'method /hook POST\nreverse_proxy localhost:9000',
  },
  { directive: readMethod, write: writeMethod },
);

export const uri = handler(
  'rewrite',
  {
    shown: [
      'strip_prefix <text>',
      'strip_suffix <text>',
      'replace <text> <replacement> [<limit>]',
      'path_regexp <regexp> <replacement>',
      'query [-|+]<key> [<value>]',
    ],
    help: 'Changes part of the request URI. In queries, `+` adds a key, `-` deletes one, and `a>b` renames it.',
    example: 'uri /api/* strip_prefix /api\nuri query -utm_source\nreverse_proxy localhost:9000',
  },
  { directive: readUri, write: writeUri },
);
