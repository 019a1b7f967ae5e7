/** Caddyfile directive `hello [matcher] [NAME] { name NAME }`. The global option `hello_name` sets the default name. */
import { alias, compact, handler, text } from '@sluice/module/directive';

export const hello = handler('hello', {
  line: text('[<name>]', { field: 'name', takes: 'optional' }),
  block: { name: alias(text('<name>')) },
  finish: (fields, { options }) => compact({ name: options.get<string>('hello_name'), ...fields }),
  example: 'hello Ada',
});
