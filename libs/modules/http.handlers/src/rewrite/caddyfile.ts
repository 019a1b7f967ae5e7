/** The directives `rewrite`, `method` and `uri`. */
import type { JsonObject } from '@sluice/base';
import {
  compact,
  fields,
  handler,
  objectsIn,
  readInteger,
  text,
  words,
  type Block,
  type Term,
} from '@sluice/caddyfile';
import { query } from './query-operations.ts';

function inList(field: string, shown: string, names: readonly string[]): Term {
  const value = (name: string, object: JsonObject): readonly string[] =>
    object[name] === undefined && name !== 'limit' ? [''] : words(object[name]);
  return {
    shown,
    field,
    read(reader, draft) {
      const found = reader.remaining();
      if (found.length < 2 || found.length > names.length) throw reader.argumentError();
      const [find = '', replace = '', limit = ''] = found;
      draft.put([field], [compact({ find, replace, limit: limit === '' ? 0 : readInteger(reader, limit, 'limit') })]);
    },
    write: (option, object) =>
      objectsIn(object[field])
        .slice(0, 1)
        .map((each) => ({ words: [option, ...names.flatMap((name) => value(name, each))] })),
  };
}

const operations: Block = {
  strip_prefix: fields('<text>', ['strip_path_prefix'], { least: 1 }),
  strip_suffix: fields('<text>', ['strip_path_suffix'], { least: 1 }),
  replace: inList('uri_substring', '<text> <replacement> [<limit>]', ['find', 'replace', 'limit']),
  path_regexp: inList('path_regexp', '<regexp> <replacement>', ['find', 'replace']),
  query,
};

const operation: Term = {
  shown: '<operation>',
  read(reader, draft) {
    const name = reader.argument();
    const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (found !== undefined) return found.read(reader, draft, name);
    reader.remaining();
    throw name === '' ? reader.argumentError() : reader.error(`unrecognized URI manipulation '${name}'`);
  },
  async write(option, object, writer) {
    for (const [name, each] of Object.entries(operations)) {
      const [line] = (await each.write(name, object, writer)) ?? [];
      if (line !== undefined) return [{ ...line, words: [option, ...line.words] }];
    }
    return [];
  },
};

export const rewrite = handler('rewrite', {
  line: text('<to>', { field: 'uri', takes: 'more' }),
  matcher: { before: 'a URI' },
  help: 'Rewrites the path and query of the request internally, without a redirect.',
  example: 'rewrite /old/* /new{uri}\nfile_server',
});

export const method = handler('rewrite', {
  line: text('<method>', { field: 'method' }),
  help: 'Changes the request method.',
  example: 'method /hook POST\nreverse_proxy localhost:9000',
});

export const uri = handler('rewrite', {
  line: operation,
  shown: Object.entries(operations).map(([name, { shown }]) => `${name} ${shown}`),
  help: 'Changes part of the request URI. For `query`, `+` adds a parameter, `-` deletes it, and `a>b` renames it.',
  example: 'uri /api/* strip_prefix /api\nuri query -utm_source\nreverse_proxy localhost:9000',
});
