import { addressSources, dnsProviders } from '@sluice/contracts';
import {
  boolean,
  duration,
  inlineModule,
  inlineModules,
  map,
  options,
  strings,
  structure,
  type Options,
} from '@sluice/registry';

export const dynamicDnsOptions = options({
  dns_provider: inlineModule(
    'DNS provider that hosts the zones. The provider must support setting records.',
    dnsProviders,
    'name',
  ),
  domains: map(
    'Map of zones to the names to update, relative to the zone: `{"example.com": ["@", "www"]}`. `@` is the zone itself.',
    strings('Names of the records. Default: `@`.'),
  ),
  dynamic_domains: boolean('Also update the host names of HTTP routes, if they belong to a zone in `domains`.'),
  update_only: boolean('Update existing records only; never create records.'),
  ip_sources: inlineModules(
    "Sources of this machine's IP addresses. For each IP version, the first source that finds an address is used. Default: `simple_http`.",
    addressSources,
    'source',
  ),
  versions: structure(
    'IP versions to update.',
    options({
      ipv4: boolean('Update A records. Default: true.'),
      ipv6: boolean('Update AAAA records. Default: true.'),
    }),
  ),
  include: strings('CIDR ranges that addresses must belong to. Default: all.'),
  exclude: strings('CIDR ranges that addresses must not belong to. Addresses in an `include` range are exempt.'),
  check_interval: duration('Interval between address lookups. Default: 30 minutes.'),
  ttl: duration("TTL of the records. Default: the provider's default."),
});

export type DynamicDnsConfig = Options<typeof dynamicDnsOptions>;
