/** `replace [matcher] [stream | [re] SEARCH REPLACEMENT] { stream; match …; [re] SEARCH REPLACEMENT }` */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import {
  compact,
  flag,
  handler,
  note,
  readResponseMatcher,
  responseMatcherLine,
  words,
  written,
  type DirectiveReader,
  type Line,
  type ResponseMatchers,
  type WriteDirective,
} from '@sluice/caddyfile';
import { responseMatchTerm } from '../common/response-match-term.ts';

/** Reads the words of a replacement; the first one is at the cursor. */
function readReplacement(reader: DirectiveReader): JsonObject {
  const isPattern = reader.value === 're';
  const search = isPattern ? reader.argument() : reader.value;
  const replace = reader.argument();
  reader.noArguments();
  return compact({ [isPattern ? 'search_regexp' : 'search']: search, replace });
}

function readReplace(reader: DirectiveReader): Json {
  const fields: Record<string, Json> = {};
  const replacements: Json[] = [];
  const matchers: ResponseMatchers = new Map();
  const read = (): void => {
    if (reader.value !== 'stream') {
      replacements.push(readReplacement(reader));
      return;
    }
    if (fields['stream'] === true) throw reader.error('streaming already enabled');
    fields['stream'] = true;
    reader.noArguments();
  };
  if (reader.nextArgument()) read();
  for (const option of reader.block()) {
    if (option !== 'match') read();
    else if (matchers.size > 0) throw reader.error('match block already specified');
    else readResponseMatcher(reader, matchers);
  }
  const match = matchers.get('match');
  return { ...compact({ ...fields, replacements }), ...(match === undefined ? {} : { match }) };
}

const writeReplace: WriteDirective = ({ replacements, stream, match }) => {
  const block: Line[] = [];
  if (match !== undefined) block.push(responseMatcherLine('match', match));
  for (const each of isArray(replacements) ? replacements : []) {
    const { search, search_regexp: pattern, replace = '' } = isObject(each) ? each : {};
    if (pattern === undefined && (search === 're' || search === 'stream' || search === 'match')) return null;
    const searched = pattern === undefined ? words(search) : ['re', ...(words(pattern) ?? [])];
    block.push({ words: [...(searched ?? []), ...(words(replace) ?? [])] });
  }
  const [only] = block;
  if (stream !== true && match === undefined && block.length === 1 && only !== undefined)
    return written(only.words, []);
  return written(stream === true ? ['stream'] : [], block);
};

export const replace = handler(
  'replace_response',
  {
    shown: ['stream', '[re] <search> <replacement>'],
    block: {
      stream: flag(),
      match: responseMatchTerm('Responses to change. Default: all.'),
      '<search>': note('<replacement>', 'Replaces a string.'),
      re: note('<pattern> <replacement>', 'Replaces matches of a regular expression. `$1` is its first group.'),
    },
    example: 'replace http://internal.example https://www.example.com\nreverse_proxy localhost:9000',
  },
  { read: readReplace, write: writeReplace },
);
