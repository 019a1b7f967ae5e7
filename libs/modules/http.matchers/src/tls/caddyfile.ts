/** `tls [early_data]` */
import { isObject, type Json } from '@sluice/base';
import { type Dispenser, syntax } from '@sluice/caddyfile';
import { eachLine, refuseBlock } from '../common/words.ts';

/** `early_data` matches requests that came before the handshake was complete. */
function readTls(reader: Dispenser): Json {
  let options: Json = {};
  eachLine(reader, () => {
    if (reader.nextArgument()) {
      if (reader.value !== 'early_data') throw reader.error(`unrecognized option '${reader.value}'`);
      options = { handshake_complete: false };
    }
    reader.noArguments();
    refuseBlock(reader, 'tls');
  });
  return options;
}

export const tls = syntax(
  {
    shown: ['[early_data]'],
    help: 'Matches if the connection uses TLS, or if the request was sent as early data.',
    example: '@early tls early_data\nrespond @early 425',
  },
  {
    read: readTls,
    write: (options) =>
      isObject(options) && options['handshake_complete'] === false ? [{ words: ['early_data'] }] : [{}],
  },
);
