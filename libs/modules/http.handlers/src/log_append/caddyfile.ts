/** `log_append [matcher] [<]KEY VALUE` */
import { compact, handler, handlerDirective, moduleObject, words, type WriteDirective } from '@sluice/caddyfile';

/** Makes the handler `log_append`; `<` before the key has the value taken before the request is handled. */
const readLogAppend = handlerDirective((reader) => {
  const key = reader.argument();
  const value = reader.argument();
  const early = key.startsWith('<');
  return moduleObject('handler', 'log_append', compact({ early, key: early ? key.slice(1) : key, value }));
});

/** `log_append [<]KEY VALUE` */
const writeLogAppend: WriteDirective = ({ key, value, early }) => ({
  words: [...words(key).map((each) => (early === true ? `<${each}` : each)), ...words(value)],
});

export const logAppend = handler(
  'log_append',
  {
    shown: ['[<]<key> <value>'],
    help: 'Adds a field to the access log entry of the request. With `<` before the key, the value is evaluated before the request is handled.',
    example: 'log\nlog_append tenant {header.X-Tenant}\nrespond hi',
  },
  { directive: readLogAppend, write: writeLogAppend },
);
