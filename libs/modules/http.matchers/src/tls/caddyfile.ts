/** `tls [early_data]` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** `early_data` matches requests that came before the handshake was complete. */
export function readTls(reader: Dispenser): Json {
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
