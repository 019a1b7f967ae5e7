/** The directive `replace [matcher] [stream | [re] SEARCH REPLACEMENT] { stream; match …; [re] SEARCH REPLACEMENT }`. */
import type { JsonObject } from '@sluice/base';
import { compact, flag, handler, objectsIn, responseMatch, words, type Line, type Term } from '@sluice/caddyfile';

const stream = flag({ once: 'streaming already enabled' });

/** Returns one line per replacement. Returns `null` if the parser would interpret a search string as an option. */
function linesOf({ replacements }: JsonObject): Line[] | null {
  const all = objectsIn(replacements);
  const isOption = ({ search, search_regexp: pattern }: JsonObject): boolean =>
    pattern === undefined && ['re', 'stream', 'match'].includes(String(search));
  if (all.some(isOption)) return null;
  return all.map(({ search = '', search_regexp: pattern, replace = '' }) => ({
    words: pattern === undefined ? words([search, replace]) : words(['re', pattern, replace]),
  }));
}

/** Reports whether to write a single replacement on the directive's first line. */
const isInline = ({ replacements, stream: isStream, match }: JsonObject): boolean =>
  isStream !== true && match === undefined && objectsIn(replacements).length === 1;

/** Syntax of `[re] SEARCH REPLACEMENT`. The cursor must be on the first word. */
const replacement: Term = {
  shown: '<replacement>',
  help: 'Replaces all occurrences of a string.',
  read(reader, draft) {
    const isPattern = reader.value === 're';
    const search = isPattern ? reader.argument() : reader.value;
    // Like Caddy, write an empty replacement, but omit an empty search string.
    const found = compact({ [isPattern ? 'search_regexp' : 'search']: search });
    const operation = { replace: reader.argument(), ...found };
    reader.noArguments();
    draft.push(['replacements'], [operation]);
  },
  write: (_option, replace) => (isInline(replace) ? [] : linesOf(replace)),
};

export const replace = handler('replace_response', {
  line: {
    shown: '[stream|[re] <search> <replacement>]',
    read(reader, draft) {
      if (reader.nextArgument()) (reader.value === 'stream' ? stream : replacement).read(reader, draft, 'stream');
    },
    write(option, replace) {
      const [line] = isInline(replace) ? (linesOf(replace) ?? []) : [];
      return [{ words: [option, ...(line?.words ?? (replace['stream'] === true ? ['stream'] : []))] }];
    },
  },
  shown: ['stream', '[re] <search> <replacement>'],
  block: {
    stream: { ...stream, write: () => [] },
    match: responseMatch(
      'Matcher that selects the responses to modify. Default: all responses.',
      'match block already specified',
    ),
    re: {
      ...replacement,
      shown: '<pattern> <replacement>',
      help: 'Replaces all matches of a regular expression. `$1` expands to the first capture group.',
      write: () => [],
    },
  },
  others: { ...replacement, shown: '<search> <replacement>' },
  example: 'replace http://internal.example https://www.example.com\nreverse_proxy localhost:9000',
});
