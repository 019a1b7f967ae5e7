/** `http.reverse_proxy.upstreams.a`: uses the A and AAAA records of a host name as upstreams. */
import { lookup, type Resolver } from 'node:dns';
import { promisify } from 'node:util';
import { compileText, timeOption, upstreamSources, type Exchange, type UpstreamSource } from '@sluice/http-app';
import { boolean, defineModule, duration, options, string, structure } from '@sluice/registry';
import { SluiceError, joinHostPort } from '@sluice/base';
import { DnsCache } from '../../common/dns-cache.ts';
import { lookupWith, makeResolver, resolverOptions } from '../../common/resolver.ts';

const defaultRefresh = 60_000;
const defaultPort = '80';

const systemLookup = promisify(lookup);

export const aModule = defineModule(upstreamSources, {
  name: 'a',
  help: 'Discovers upstreams by looking up the A and AAAA records of a host name.',
  config: options({
    name: string('Host name to look up. May contain placeholders.'),
    port: string('Port of the upstreams. May contain placeholders. Default: 80.'),
    refresh: duration('Time for which lookup results are cached. Default: 1m.'),
    resolver: structure('DNS servers to query for the host name.', resolverOptions),
    dial_timeout: duration('Timeout for each DNS query. Default: 5s.'),
    dial_fallback_delay: duration('Accepted but ignored: DNS servers are queried sequentially.'),
    versions: structure(
      'IP versions of the addresses to use. Default: both.',
      options({ ipv4: boolean('Use IPv4 addresses.'), ipv6: boolean('Use IPv6 addresses.') }),
    ),
  }),
  provision(config, context): UpstreamSource {
    const resolver = makeResolver(
      config.resolver?.addresses,
      timeOption(config.dial_timeout, 0, context, 'dial_timeout'),
      context,
    );
    const families = familiesOf(config.versions?.ipv4, config.versions?.ipv6);
    const refresh = timeOption(config.refresh, defaultRefresh, context, 'refresh');
    const name = compileText(config.name ?? '', 'empty');
    const port = compileText(config.port || defaultPort, 'empty');
    const cache = new DnsCache(refresh, 0, async (key) => {
      const [host = '', portText = ''] = key.split('\n');
      const found = await resolve(host, resolver);
      return found.filter(({ family }) => families.has(family)).map(({ address }) => joinHostPort(address, portText));
    });
    return { upstreams: (exchange: Exchange) => cache.get(`${name.expand(exchange)}\n${port.expand(exchange)}`) };
  },
});

/** Returns the enabled IP address families. If only one option is set, the other family is disabled. */
function familiesOf(ipv4: boolean | null | undefined, ipv6: boolean | null | undefined): ReadonlySet<number> {
  const both = ipv4 == null && ipv6 == null;
  return new Set([...(both || ipv4 === true ? [4] : []), ...(both || ipv6 === true ? [6] : [])]);
}

function resolve(host: string, resolver: Resolver | null): Promise<readonly { address: string; family: number }[]> {
  if (host === '')
    return Promise.reject(new SluiceError('ERR_UPSTREAM_LOOKUP', 'cannot look up upstreams: the host name is empty'));
  if (resolver === null) return systemLookup(host, { all: true, order: 'ipv4first' });
  return new Promise((done, reject) =>
    lookupWith(resolver)(host, (error, addresses) => (error === null ? done(addresses) : reject(error))),
  );
}
