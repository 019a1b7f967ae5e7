/** `fastcgi { root PATH; split SUFFIX…; env NAME VALUE; … }` */
import { compact, dictionary, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const times = ['dial_timeout', 'read_timeout', 'write_timeout'];
const flags = ['resolve_root_symlink', 'capture_stderr'];

/** Reads the options. */
export function readFastcgi(reader: Dispenser): Json {
  const fields: Record<string, Json> = {};
  const environment = dictionary();
  reader.remaining();
  for (const option of reader.block()) {
    if (option === 'root') {
      fields['root'] = reader.argument();
    } else if (option === 'split') {
      fields['split_path'] = reader.arguments();
    } else if (option === 'env') {
      const name = reader.argument();
      environment[name] = reader.onlyArgument();
    } else if (flags.includes(option)) {
      reader.noArguments();
      fields[option] = true;
    } else if (times.includes(option)) {
      fields[option] = readDuration(reader, reader.argument(), 'timeout');
    } else {
      throw reader.error(`unrecognized subdirective ${option}`);
    }
  }
  return compact({ ...fields, env: environment });
}
