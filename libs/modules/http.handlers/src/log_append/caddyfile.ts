/** The directive `log_append [matcher] [<]KEY VALUE`. */
import { handler, words } from '@sluice/caddyfile';

export const logAppend = handler('log_append', {
  line: {
    shown: '[<]<key> <value>',
    read(reader, draft) {
      const key = reader.argument();
      const early = key.startsWith('<');
      draft.put(['early'], early);
      draft.put(['key'], early ? key.slice(1) : key);
      draft.put(['value'], reader.argument());
    },
    write: (option, { key, value, early }) => [
      { words: [option, ...words(key).map((each) => (early === true ? `<${each}` : each)), ...words(value)] },
    ],
  },
  help: 'Adds a field to the access log entry for the request. If `<` precedes the key, the value is evaluated before the request is handled.',
  example: 'log\nlog_append tenant {header.X-Tenant}\nrespond hi',
});
