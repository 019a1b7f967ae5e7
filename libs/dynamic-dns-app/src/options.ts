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
  dynamic_domains: boolean(
    'Also update the host names of the routes of HTTP servers that are in one of the zones of `domains`.',
  ),
  update_only: boolean('Update only records that exist already, and create none.'),
  ip_sources: inlineModules(
    'Sources of the addresses of this machine. For each IP version, the first source that finds an address is used. Default: `simple_http`.',
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
  include: strings('IP ranges (CIDR) that addresses must be in. Default: all.'),
  exclude: strings('IP ranges (CIDR) that addresses must not be in, unless an `include` range contains them.'),
  check_interval: duration('Interval between lookups of the addresses. Default: 30 minutes.'),
  ttl: duration("TTL of the records. Default: the provider's default."),
});

export type DynamicDnsConfig = Options<typeof dynamicDnsOptions>;
