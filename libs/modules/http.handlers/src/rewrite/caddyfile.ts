/** `rewrite`, `method` and `uri`. */
import {
  compact,
  handlerDirective,
  moduleObject,
  readInteger,
  type ConfigValue,
  type DirectiveReader,
} from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { QueryOperations } from './query-operations.ts';

function rewriteHandler(fields: Readonly<Record<string, Json>>): Json {
  return moduleObject('handler', 'rewrite', compact(fields));
}

/** `rewrite [matcher] TO`: a single word is the target, also if it begins with a slash. */
export function rewrite(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.remainingTokens();
  if (words.length === 0) throw reader.argumentError();
  if (words.length > 2) {
    throw reader.error('too many arguments; should only be a matcher and a URI');
  }
  const { match, value } = reader.matcherAndValue(words);
  return reader.route(match, rewriteHandler({ uri: value }));
}

/** `method [matcher] NAME` */
export const method = handlerDirective((reader) => rewriteHandler({ method: reader.onlyArgument() }));

/** `uri [matcher] strip_prefix | strip_suffix | replace | path_regexp | query …` */
export const uri = handlerDirective((reader) => {
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
