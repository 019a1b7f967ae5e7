/** The module `dynamic_dns.ip_sources.interface`, which reads the addresses of a network interface. */
import { networkInterfaces } from 'node:os';
import { compileRanges, privateRanges, SluiceError } from '@sluice/base';
import { addressSources, type AddressSource } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';

/** Reports whether an address is not globally reachable. */
const isLocal = compileRanges([...privateRanges, '169.254.0.0/16', 'fe80::/10', '100.64.0.0/10']);

export interface SystemAddress {
  readonly address: string;
  readonly family: string;
  readonly internal: boolean;
}

export const interfaceModule = defineModule(addressSources, {
  name: 'interface',
  help: 'Reads the first public IPv4 address and the first public IPv6 address of a network interface.',
  config: options({ name: string('Name of the interface, such as `eth0`.') }),
  provision(config, context): AddressSource {
    const name = config.name ?? '';
    if (name === '') throw context.error('is required', 'name');
    return { addresses: async () => publicAddresses(name, networkInterfaces()) };
  },
});

/** Returns the first public address of each IP version. */
export function publicAddresses(
  name: string,
  interfaces: Readonly<Record<string, readonly SystemAddress[] | undefined>>,
): string[] {
  const all = interfaces[name];
  if (all === undefined)
    throw new SluiceError('ERR_DNS_PROVIDER', `the network interface ${name} does not exist or has no address`);
  const usable = all.filter(({ address, internal }) => !internal && !isLocal(address));
  return ['IPv4', 'IPv6'].flatMap((version) => usable.find(({ family }) => family === version)?.address ?? []);
}
