/** Listen addresses of a server, with the protocols of each address. */
import { expandPorts, expandRequired, parseNetworkAddress, type NetworkAddress } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import type { serverOptions } from '../options.ts';

type Config = Options<typeof serverOptions>;

export interface ServerAddress {
  readonly address: NetworkAddress;
  /** Protocols for connections without TLS on the address; `null` selects the server's protocols. */
  readonly protocols: readonly string[] | null;
}

/** Returns the server's addresses after replacing placeholders such as `{env.PORT}` and expanding port ranges. */
export function addressesOf(config: Config, context: Context): ServerAddress[] {
  const texts = config.listen ?? [];
  const protocols = config.listen_protocols ?? null;
  if (protocols !== null && protocols.length !== texts.length) {
    throw context.error(
      `${protocols.length} protocol lists for ${texts.length} addresses: specify one list per address`,
      'listen_protocols',
    );
  }
  const addresses: ServerAddress[] = [];
  for (const [index, text] of texts.entries()) {
    const own = protocols?.[index] ?? [];
    try {
      for (const address of expandPorts(parseNetworkAddress(expandRequired(text))))
        addresses.push({ address, protocols: own.length === 0 ? null : own });
    } catch (error) {
      throw context.error((error as Error).message, 'listen', index);
    }
  }
  return addresses;
}
