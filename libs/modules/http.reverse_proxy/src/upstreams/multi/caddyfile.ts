/** `multi { SOURCE … }` */
import { compact, moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the sources. */
export function readMulti(reader: Dispenser): Json {
  reader.noArguments();
  const sources: Json[] = [];
  for (const name of reader.block()) {
    sources.push(moduleObject('source', name, reader.module(`http.reverse_proxy.upstreams.${name}`)));
  }
  return compact({ sources });
}
