/** `storage [KEY…] { storage MODULE …; keys KEY… }` */
import { compact, moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/registry';

/** Reads the keys. */
export function readStorage(reader: Dispenser): Json {
  const keys = reader.remaining();
  let storage: Json | undefined;
  for (const option of reader.block()) {
    if (option === 'storage') {
      const name = reader.argument();
      if (storage !== undefined) throw reader.error('storage module is already set');
      storage = moduleObject('module', name, reader.module(`caddy.storage.${name}`));
    } else if (option === 'keys') {
      keys.push(...reader.arguments());
    } else {
      throw reader.error(`unrecognized directive: ${option}`);
    }
  }
  if (keys.length === 0) throw reader.error('no keys specified');
  return compact({ storage, pem_keys: keys });
}
