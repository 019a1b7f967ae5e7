/** `vars`, and directives that set a variable which others know: `root`, `fs`, `log_skip`, `log_name`. */
import {
  dictionary,
  handlerDirective,
  moduleObject,
  scalarValue,
  type ConfigValue,
  type DirectiveReader,
} from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

function variables(values: Readonly<Record<string, Json>>): Json {
  return moduleObject('handler', 'vars', values);
}

/** `vars [matcher] [NAME VALUE] { NAME VALUE… }` */
export const vars = handlerDirective((reader) => {
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
export function root(reader: DirectiveReader): readonly ConfigValue[] {
  const words = reader.remainingTokens();
  if (words.length === 0) throw reader.argumentError();
  if (words.length > 2) throw reader.error('too many arguments; should only be a matcher and a path');
  const { match, value } = reader.matcherAndValue(words);
  return reader.route(match, variables({ root: value }));
}

/** `fs [matcher] NAME` */
export const fs = handlerDirective((reader) => variables({ fs: reader.onlyArgument() }));

/** `log_skip [matcher]` */
export const logSkip = handlerDirective((reader) => {
  reader.noArguments();
  if (reader.nextInBlock(reader.nesting)) throw reader.error('log_skip directive does not accept blocks');
  return variables({ log_skip: true });
});

/** `log_name [matcher] NAME…` */
export const logName = handlerDirective((reader) => {
  const names = reader.remaining();
  return variables({ access_logger_names: names.length === 0 ? null : names });
});
