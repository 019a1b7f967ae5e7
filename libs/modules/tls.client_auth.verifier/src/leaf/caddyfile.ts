/** `leaf LOADER …`, `leaf { LOADER …; … }` */
import { compact, moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the loaders of certificates. */
export function readLeaf(reader: Dispenser): Json {
  const loaders: Json[] = [];
  const read = (name: string): void => {
    loaders.push(moduleObject('loader', name, reader.module(`tls.leaf_cert_loader.${name}`)));
  };
  if (reader.nextArgument()) read(reader.value);
  for (const name of reader.block()) read(name);
  return compact({ leaf_certs_loaders: loaders });
}
