/** The `vars` directive, and directives that set predefined variables: `root`, `fs`, `log_skip`, `log_name`. */
import { dictionary, flag, handler, list, quoteWord, scalarValue, scalarWord, text, written } from '@sluice/caddyfile';

export const vars = handler(
  'vars',
  {
    shown: ['[<name> <value>]'],
    help: 'Sets variables, which are available as `{vars.<name>}` and to the `vars` matcher.',
    example: 'vars greeting hello\nrespond "{vars.greeting}"',
  },
  {
    read(reader) {
      const values = dictionary();
      const read = (name: string): void => {
        reader.argument();
        values[name] = scalarValue(reader.token);
        reader.noArguments();
      };
      if (reader.nextArgument()) read(reader.value);
      for (const name of reader.block()) read(name);
      return values;
    },
    write({ handler: _handler, ...values }) {
      const lines = Object.entries(values).map(([name, value]) => ({
        words: [quoteWord(name), scalarWord(value)],
        raw: true,
      }));
      const [only] = lines;
      return lines.length === 1 && only !== undefined ? only : written([], lines);
    },
  },
);

export const root = handler('vars', {
  line: text('<path>', { field: 'root', takes: 'more', keep: true }),
  matcher: { before: 'a path' },
  help: 'Sets the root directory of the site, from which files are served. Default: the working directory.',
  example: 'root /srv/www\nroot /assets/* /srv/assets\nfile_server',
});

export const fs = handler('vars', {
  line: text('<name>', { field: 'fs', keep: true }),
  help: 'Sets the file system from which files are served. The file system is defined with the `filesystem` global option.',
  example: 'fs disk\nfile_server',
});

export const logSkip = handler('vars', {
  line: flag({ field: 'log_skip' }),
  block: {},
  unknown: 'log_skip directive does not accept blocks',
  help: 'Excludes matching requests from the access log.',
  example: 'log\nlog_skip /health\nrespond hi',
});

export const logName = handler('vars', {
  line: list('<name>…', { field: 'access_logger_names', empty: null }),
  help: 'Writes the access log entries of matching requests to these loggers.',
  example: 'log\nlog_name /api/* api\nrespond hi',
});
