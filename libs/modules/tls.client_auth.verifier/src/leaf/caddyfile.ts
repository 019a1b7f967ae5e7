/** `leaf LOADER …`, `leaf { LOADER …; … }` */
import { compact, moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the loaders of certificates. */
export function readLeaf(reader: Dispenser): Json {
  const loaders: Json[] = [];
  const read = (name: string): void => {
    loaders.push(moduleObject('loader', name, reader.module(`tls.leaf_cert_loader.${name}`)));
  };
  if (reader.nextArgument()) {
    const name = reader.value;
    const isBare = !reader.nextArgument();
    if (!isBare) reader.back();
    // As in the reference, a loader that is only named on the first line is none.
    if (isBare && !reader.opensBlock) reader.modules.warn(reader.token, `leaf: unknown loader '${name}' has no effect`);
    else read(name);
  }
  for (const name of reader.block()) read(name);
  return compact({ leaf_certs_loaders: loaders });
}
