/** `query KEY=VALUE…` */
import { keyedLines } from '@sluice/caddyfile';
import { matcher } from '../common/matcher.ts';

export const query = matcher('query', {
  line: {
    shown: '<key>=<value>…',
    read(reader, draft) {
      for (const word of reader.remaining()) {
        const mark = word.indexOf('=');
        if (word !== '' && mark < 0)
          throw reader.error(`malformed query matcher token: ${word}; must be in param=val format`);
        if (word !== '') draft.push([word.slice(0, mark)], [word.slice(mark + 1)]);
      }
    },
    write: (option, values) => [{ words: [option, ...keyedLines(values).map((line) => line.words.join('='))] }],
  },
  help: 'Matches requests in which a query parameter has the given value. `*` matches any value.',
  example: '@search query q=*\nrespond @search "{query.q}"',
});
