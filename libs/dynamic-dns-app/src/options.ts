/** Options of the `dynamic_dns` app. */
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
  dns_provider: inlineModule('DNS provider of the zones. It must be able to set records.', dnsProviders, 'name'),
  domains: map(
    'Names by zone, relative to the zone: `{"example.com": ["@", "www"]}`. `@` is the zone itself.',
    strings('Names of the records. Default: `@`.'),
  ),
  dynamic_domains: boolean('Also update host names of HTTP routes that belong to one of the zones in `domains`.'),
  update_only: boolean('Update existing records only; do not create any.'),
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
  exclude: strings('CIDR ranges that addresses must not belong to, except addresses in an `include` range.'),
  check_interval: duration('Interval between address lookups. Default: 30 minutes.'),
  ttl: duration("TTL of the records. Default: the provider's default."),
});

export type DynamicDnsConfig = Options<typeof dynamicDnsOptions>;
