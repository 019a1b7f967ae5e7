import type { Json, JsonObject } from '@sluice/base';
import { handler, integer, note, objectAt, responseMatch, words, type Draft, type Line } from '@sluice/caddyfile';

const namespace = 'http.encoders';

function add(draft: Draft, name: string, options: Json): void {
  draft.put(['encodings', name], options, true);
  draft.push(['prefer'], [name]);
}

/** Returns the number of formats at the start of the list that have no options. These are written on the directive's first line. */
function bareCount({ prefer, encodings }: JsonObject): number {
  const isBare = (name: string): boolean => Object.keys(objectAt(encodings, [name])).length === 0;
  return [...words(prefer), ''].findIndex((name) => name === '' || !isBare(name));
}

export const encode = handler('encode', {
  line: {
    ...note('[<format>…]', ''),
    module: namespace,
    read(reader, draft) {
      while (reader.nextArgument()) add(draft, reader.value, reader.bareModule(`${namespace}.${reader.value}`));
    },
    write: (option, encode) => [{ words: [option, ...words(encode['prefer']).slice(0, bareCount(encode))] }],
  },
  others: {
    ...note('', ''),
    read: (reader, draft, name) => add(draft, name, reader.module(`${namespace}.${name}`)),
    async write(_option, encode, writer) {
      const lines: Line[] = [];
      for (const name of words(encode['prefer']).slice(bareCount(encode))) {
        const options = objectAt(encode['encodings'], [name]);
        lines.push(...((await writer.module(`${namespace}.${name}`, options)) ?? []));
      }
      return lines;
    },
  },
  block: {
    minimum_length: integer('<bytes>', { takes: 'more' }),
    match: responseMatch(
      'Matcher for the responses to compress. Default: content types that compress well.',
      'matcher is defined more than once: match',
    ),
  },
  finish: (fields) =>
    fields['prefer'] === undefined
      ? { ...fields, encodings: { zstd: {}, gzip: {} }, prefer: ['zstd', 'gzip'] }
      : fields,
  content: namespace,
  help: 'Compresses responses if the client accepts a supported format. Formats are preferred in the given order. Default: zstd, gzip.',
  example: 'encode {\n\tzstd\n\tgzip 6\n\tminimum_length 1024\n}\nfile_server',
});
