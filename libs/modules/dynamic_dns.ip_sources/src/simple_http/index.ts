/** The module `dynamic_dns.ip_sources.simple_http`, which queries services that return the client IP. */
import { isIP } from 'node:net';
import { messageOf, SluiceError } from '@sluice/base';
import { addressSources, type AddressSource, type AddressVersions } from '@sluice/contracts';
import { defineModule, options, strings } from '@sluice/registry';
import { fetchText } from '../common/fetch-text.ts';

const defaultEndpoints = [
  'https://icanhazip.com',
  'https://ifconfig.me/ip',
  'https://ident.me',
  'https://ipecho.net/plain',
];
/** Timeout of one HTTP request, in milliseconds. */
const timeout = 10_000;

export const simpleHttpModule = defineModule(addressSources, {
  name: 'simple_http',
  help: "Queries web services that return the client's IP address as text, separately over IPv4 and IPv6.",
  config: options({
    endpoints: strings(
      `URLs, tried in order. Default: ${defaultEndpoints.map((endpoint) => `\`${endpoint}\``).join(', ')}.`,
    ),
  }),
  provision(config, context): AddressSource {
    const endpoints = config.endpoints ?? [];
    for (const [index, endpoint] of endpoints.entries())
      if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
        throw context.error(`${JSON.stringify(endpoint)} is not a URL`, 'endpoints', index);
    const urls = endpoints.length > 0 ? endpoints : defaultEndpoints;
    return { addresses: (wanted, signal) => addressesFrom(urls, wanted, signal) };
  },
});

async function addressesFrom(
  urls: readonly string[],
  { ipv4, ipv6 }: AddressVersions,
  signal: AbortSignal,
): Promise<string[]> {
  const families = [...(ipv4 ? [4 as const] : []), ...(ipv6 ? [6 as const] : [])];
  const results = await Promise.allSettled(families.map((family) => addressOf(urls, family, signal)));
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [failure] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  // If an address was found, ignore the failure, because many machines have only one IP version.
  if (found.length === 0 && failure !== undefined) throw failure;
  return found;
}

async function addressOf(urls: readonly string[], family: 4 | 6, signal: AbortSignal): Promise<string> {
  const reasons: string[] = [];
  for (const url of urls) {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
      const address = (await fetchText(url, { family, signal: limited, headers: { accept: 'text/plain' } })).trim();
      if (isIP(address) === family) return address;
      reasons.push(`${url} returned no IPv${family} address`);
    } catch (error) {
      signal.throwIfAborted();
      reasons.push(`${url}: ${messageOf(error)}`);
    }
  }
  throw new SluiceError('ERR_DNS_PROVIDER', reasons.join('; '));
}
