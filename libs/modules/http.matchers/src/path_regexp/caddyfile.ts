/** `path_regexp [NAME] PATTERN` */
import { words } from '@sluice/caddyfile';
import { matcher, regexpOptions } from '../common/matcher.ts';

export const pathRegexp = matcher('path_regexp', {
  line: {
    shown: '[<name>] <regexp>',
    read(reader, draft) {
      if (draft.get(['pattern']) !== undefined)
        throw reader.error('regular expression can only be used once per named matcher');
      const [first, second, ...more] = reader.remaining();
      if (first === undefined || more.length > 0) throw reader.argumentError();
      const found = second === undefined ? regexpOptions('', first, reader) : regexpOptions(first, second, reader);
      for (const [key, value] of Object.entries(found)) draft.put([key], value, true);
    },
    write: (option, { name = [], pattern = [] }) => [{ words: [option, ...words([name, pattern])] }],
  },
  help: 'Matches requests whose path matches a regular expression. Capture groups are available as `{re.<name>.1}` or `{re.1}`.',
  example: '@article path_regexp ^/articles/([0-9]+)$\nrewrite @article /article.html?id={re.1}\nfile_server',
});
