/** `vars`, and directives that set a variable which others know: `root`, `fs`, `log_skip`, `log_name`. */
import { type Json } from '@sluice/base';
import {
  type ConfigValue,
  dictionary,
  type DirectiveReader,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  quoteWord,
  scalarValue,
  scalarWord,
  words,
  type WriteDirective,
  written,
} from '@sluice/caddyfile';

function variables(values: Readonly<Record<string, Json>>): Json {
  return moduleObject('handler', 'vars', values);
}

/** `vars [matcher] [NAME VALUE] { NAME VALUE… }` */
const readVars = handlerDirective((reader) => {
  const values = dictionary();
  const read = (name: string): void => {
    reader.argument();
    values[name] = scalarValue(reader.token);
  };
  if (reader.nextArgument()) {
    read(reader.value);
    reader.noArguments();
  }
  for (const name of reader.block()) {
    read(name);
    reader.noArguments();
  }
  return variables(values);
});

/** `root [matcher] PATH`: a single word is a path, also if it begins with a slash. */
function readRoot(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.remainingTokens();
  if (words.length === 0) throw reader.argumentError();
  if (words.length > 2) throw reader.error('too many arguments; should only be a matcher and a path');
  const { match, value } = reader.matcherAndValue(words);
  return reader.route(match, variables({ root: value }));
}

/** `fs [matcher] NAME` */
const readFs = handlerDirective((reader) => variables({ fs: reader.onlyArgument() }));

/** `log_skip [matcher]` */
const readLogSkip = handlerDirective((reader) => {
  reader.noArguments();
  if (reader.nextInBlock(reader.nesting)) throw reader.error('log_skip directive does not accept blocks');
  return variables({ log_skip: true });
});

/** `log_name [matcher] NAME…` */
const readLogName = handlerDirective((reader) => {
  const names = reader.remaining();
  return variables({ access_logger_names: names.length === 0 ? null : names });
});

/** `vars NAME VALUE`, or a block where there are several. */
const writeVars: WriteDirective = ({ handler: _handler, ...values }) => {
  const lines = Object.entries(values).map(([name, value]): Line => ({
    words: [quoteWord(name), scalarWord(value)],
    raw: true,
  }));
  const [only] = lines;
  return lines.length === 1 && only !== undefined ? { words: only.words, raw: true } : written([], lines);
};

/** `root PATH` */
const writeRoot: WriteDirective = (handler) => single(handler, 'root');

/** `fs NAME` */
const writeFs: WriteDirective = (handler) => single(handler, 'fs');

/** `log_skip` */
const writeLogSkip: WriteDirective = (handler) => (handler['log_skip'] === true ? {} : null);

/** `log_name NAME…` */
const writeLogName: WriteDirective = (handler) => single(handler, 'access_logger_names');

function single(handler: Parameters<WriteDirective>[0], name: string): ReturnType<WriteDirective> {
  return handler[name] === undefined ? null : { words: words(handler[name]) };
}

export const vars = handler(
  'vars',
  {
    shown: ['[<name> <value>]'],
    help: 'Sets variables, available as `{vars.name}` and to the `vars` matcher.',
    example: 'vars greeting hello\nrespond "{vars.greeting}"',
  },
  { directive: readVars, write: writeVars },
);

export const root = handler(
  'vars',
  {
    shown: ['<path>'],
    help: 'Root directory to serve files from. Default: the working directory.',
    example: 'root /srv/www\nroot /assets/* /srv/assets\nfile_server',
  },
  { directive: readRoot, write: writeRoot },
);

export const fs = handler(
  'vars',
  {
    shown: ['<name>'],
    help: 'File system to serve files from, defined by the global option `filesystem`.',
    example: 'fs disk\nfile_server',
  },
  { directive: readFs, write: writeFs },
);

export const logSkip = handler(
  'vars',
  {
    help: 'Excludes requests from the access log.',
    example: 'log\nlog_skip /health\nrespond hi',
  },
  { directive: readLogSkip, write: writeLogSkip },
);

export const logName = handler(
  'vars',
  {
    shown: ['<name>…'],
    help: 'Writes requests to other access loggers.',
    example: 'log\nlog_name /api/* api\nrespond hi',
  },
  { directive: readLogName, write: writeLogName },
);

export const skipLog = handler(
  'vars',
  {
    help: 'Deprecated name of `log_skip`.',
    example: 'log\nskip_log /health\nrespond hi',
  },
  { directive: readLogSkip },
);
