/** `encode [matcher] [FORMAT…] { FORMAT …; minimum_length BYTES; match … }` */
import { isObject, type Json } from '@sluice/base';
import {
  compact,
  dictionary,
  handler,
  handlerDirective,
  integer,
  type Line,
  moduleObject,
  note,
  readInteger,
  readResponseMatcher,
  responseMatcherLine,
  type ResponseMatchers,
  words,
  type WriteDirective,
  written,
} from '@sluice/caddyfile';
import { responseMatchTerm } from '../common/response-match-term.ts';

/** Formats where none are named, the better first. */
const usual = ['zstd', 'gzip'];

/** Makes the handler `encode`. */
const readEncode = handlerDirective((reader) => {
  const encodings = dictionary();
  const prefer: string[] = [];
  let minimum = 0;
  const matchers: ResponseMatchers = new Map();
  const read = (name: string): void => {
    encodings[name] = reader.module(`http.encoders.${name}`);
    prefer.push(name);
  };
  while (reader.nextArgument()) {
    encodings[reader.value] = reader.bareModule(`http.encoders.${reader.value}`);
    prefer.push(reader.value);
  }
  for (const option of reader.block()) {
    if (option === 'minimum_length') minimum = readInteger(reader, reader.argument(), option);
    else if (option === 'match') readResponseMatcher(reader, matchers);
    else read(option);
  }
  if (prefer.length === 0) {
    for (const name of usual) encodings[name] = {};
    prefer.push(...usual);
  }
  const match = matchers.get('match');
  const fields = compact({ encodings, prefer, minimum_length: minimum });
  return moduleObject('handler', 'encode', match === undefined ? fields : { ...fields, match });
});

/** `encode FORMAT… { … }` */
const writeEncode: WriteDirective = async ({ encodings, prefer, minimum_length: minimum, match }, writer) => {
  const known = isObject(encodings) ? encodings : {};
  const inline: string[] = [];
  const block: Line[] = [];
  for (const name of words(prefer)) {
    if (block.length === 0 && isBare(known[name])) inline.push(name);
    else block.push(...((await writer.module(`http.encoders.${name}`, known[name] ?? {})) ?? []));
  }
  if (minimum !== undefined) block.push({ words: ['minimum_length', ...words(minimum)] });
  if (match !== undefined) block.push(responseMatcherLine('match', match));
  return written(inline, block);
};

function isBare(options: Json | undefined): boolean {
  return isObject(options) && Object.keys(options).length === 0;
}

export const encode = handler(
  'encode',
  {
    help: 'Compresses responses for clients that accept it. Formats are offered in the given order. Default: zstd, gzip.',
    content: 'http.encoders',
    line: { ...note('[<format>…]', ''), module: 'http.encoders' },
    block: {
      minimum_length: integer('<bytes>'),
      match: responseMatchTerm('Responses to compress. Default: content types that compress well.'),
    },
    example: 'encode {\n\tzstd\n\tgzip 6\n\tminimum_length 1024\n}\nfile_server',
  },
  { directive: readEncode, write: writeEncode },
);
