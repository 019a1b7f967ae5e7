/** `combined { source POOL … }` */
import { compact, moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the pools. */
export function readCombined(reader: Dispenser): Json {
  const sources: Json[] = [];
  reader.noArguments();
  for (const option of reader.block()) {
    if (option !== 'source') throw reader.error(`unrecognized directive: ${option}`);
    const name = reader.argument();
    sources.push(moduleObject('provider', name, reader.module(`tls.ca_pool.source.${name}`)));
  }
  if (sources.length === 0) throw reader.error('no sources specified');
  return compact({ sources });
}
