/** The directive `map [matcher] SOURCE DESTINATION… { INPUT OUTPUT…; ~REGEXP OUTPUT…; default OUTPUT… }`. */
import type { Json } from '@sluice/base';
import { handler, list, listAt, note, objectsIn, quoteWord, scalarValue, scalarWord, words } from '@sluice/caddyfile';

export const map = handler('map', {
  line: {
    shown: '<source> <destination>…',
    read(reader, draft) {
      draft.put(['source'], reader.argument());
      const destinations = reader.remaining();
      if (destinations.length === 0) throw reader.error('missing destination argument(s)');
      draft.put(['destinations'], destinations);
    },
    write: (option, { source, destinations }) => [{ words: [option, ...words(source), ...words(destinations)] }],
  },
  others: {
    ...note('', ''),
    read(reader, draft, input) {
      const outputs = reader.remainingTokens().map((token) => (token.text === '-' ? null : scalarValue(token)));
      const missing = listAt(draft.get(['destinations']), []).length - outputs.length;
      if (missing < 0) throw reader.error('too many outputs');
      const key = input.startsWith('~') ? { input_regexp: input.slice(1) } : { input };
      draft.push(['mappings'], [{ ...key, outputs: [...outputs, ...Array<Json>(missing).fill(null)] }]);
    },
    write: (_option, { mappings }) =>
      objectsIn(mappings).map(({ input, input_regexp: regexp, outputs }) => {
        const shown = listAt(outputs, []).map((each) => (each === null ? '-' : scalarWord(each)));
        const key = regexp === undefined ? words(input) : words(regexp).map((each) => `~${each}`);
        return { words: [...key.map(quoteWord), ...shown], raw: true };
      }),
  },
  block: {
    default: {
      ...list('<output>…', { field: 'defaults', help: 'Values to use if no line matches.' }),
      read(reader, draft) {
        if (draft.get(['defaults']) !== undefined) throw reader.error('defaults already defined');
        const defaults = reader.remaining();
        while (defaults.length < listAt(draft.get(['destinations']), []).length) defaults.push('');
        draft.put(['defaults'], defaults);
      },
    },
  },
  help: 'Sets placeholders based on a source value. Each line contains an input, or `~` followed by a regular expression, and one output per destination. The output `-` selects the default.',
  example:
    'map {path} {backend} {\n\t/api/* localhost:9000\n\t~^/v(\\d+)/ localhost:90{re.1}\n\tdefault localhost:9999\n}\nreverse_proxy {backend}',
});
