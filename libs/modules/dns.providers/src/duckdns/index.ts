/** The module `dns.providers.duckdns`, which uses Duck DNS. A Duck DNS domain has one IPv4 address, one IPv6 address and one TXT record. */
import { Resolver } from 'node:dns/promises';
import { SluiceError } from '@sluice/base';
import { dnsProviders, type DnsProvider, type DnsRecord } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { ExclusiveValues } from '../common/exclusive.ts';
import { fullName, zoneName } from '../common/names.ts';
import { optionalOption, requiredOption } from '../common/options.ts';

const base = 'https://www.duckdns.org';
const defaultResolver = '8.8.8.8:53';
/** API parameters by record type. */
const parameters: Readonly<Record<string, string>> = { A: 'ip', AAAA: 'ipv6', TXT: 'txt' };

export const duckdnsModule = defineModule(dnsProviders, {
  name: 'duckdns',
  help: 'DNS provider for Duck DNS domains. Each domain has only one TXT record, so its challenges run sequentially.',
  config: options({
    api_token: string('Account token, such as `{env.DUCKDNS_API_TOKEN}`.'),
    override_domain: string('Domain to update. Default: the domain of the record.'),
    resolver: string(`DNS server for reading the current records. Default: \`${defaultResolver}\`.`),
  }),
  provision(config, context) {
    const token = requiredOption(config.api_token, context, 'api_token');
    const resolver = new Resolver({ timeout: 5_000, tries: 2 });
    const server = optionalOption(config.resolver, context, 'resolver') || defaultResolver;
    try {
      resolver.setServers([server]);
    } catch {
      throw context.error(`${JSON.stringify(server)} is not an IP address with an optional port`, 'resolver');
    }
    const api = new Api({ name: 'duckdns', base, headers: {}, secrets: [token] }, context);
    const domain = zoneName(optionalOption(config.override_domain, context, 'override_domain'));
    return new DuckDns({ api, token, resolver, domain: domain === '' ? null : domain });
  },
});

interface Settings {
  readonly api: Api;
  readonly token: string;
  readonly resolver: Resolver;
  /** Domain to change. `null` selects the domain of the record. */
  readonly domain: string | null;
}

/** TXT records in use. Because a domain has only one TXT record, further challenges wait until it is removed. */
const texts = new ExclusiveValues();

class DuckDns implements DnsProvider {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    for (const record of records) {
      const domain = this.#domainOf(zone, record);
      if (record.type === 'TXT') await texts.take(domain, record.value, signal);
      try {
        await this.set(zone, [record], signal);
      } catch (error) {
        texts.release(domain, record.value);
        throw error;
      }
    }
  }

  async set(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    for (const record of records) await this.#update(zone, record, { [parameterOf(record)]: record.value }, signal);
  }

  async remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    for (const record of records) {
      const cleared: Record<string, string> = record.type === 'TXT' ? { txt: record.value } : {};
      try {
        await this.#update(zone, record, { ...cleared, clear: 'true' }, signal);
      } finally {
        if (record.type === 'TXT') texts.release(this.#domainOf(zone, record), record.value);
      }
    }
  }

  async get(zone: string): Promise<readonly DnsRecord[]> {
    const { resolver, domain } = this.#settings;
    const name = domain ?? zoneName(zone);
    const records = await Promise.all(
      [
        resolver.resolve4(name).then((all) => all.map((value) => ({ type: 'A', value }))),
        resolver.resolve6(name).then((all) => all.map((value) => ({ type: 'AAAA', value }))),
        resolver.resolveTxt(name).then((all) => all.map((parts) => ({ type: 'TXT', value: parts.join('') }))),
      ].map((each) => each.catch(() => [])),
    );
    return records.flat().map((record): DnsRecord => ({ name: '@', ttl: 0, ...record }));
  }

  async #update(
    zone: string,
    record: DnsRecord,
    change: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { api, token } = this.#settings;
    const domains = this.#domainOf(zone, record);
    const query = { domains, token, ...change };
    const { body } = await api.call({ method: 'GET', path: '/update', query, signal });
    if (!body.startsWith('OK'))
      throw api.error(
        `the update of ${domains} was rejected; check the token, and that the domain is registered with Duck DNS`,
      );
  }

  #domainOf(zone: string, { name }: DnsRecord): string {
    return this.#settings.domain ?? domainOf(fullName(name, zone));
  }
}

/** Returns the Duck DNS domain of a record name: `a.duckdns.org` for `_acme-challenge.b.a.duckdns.org`. */
function domainOf(name: string): string {
  const found = /[^.]+\.duckdns\.org$/.exec(name);
  return found === null ? name.replace(/^_acme-challenge\./, '') : found[0];
}

function parameterOf({ type }: DnsRecord): string {
  const parameter = parameters[type];
  if (parameter === undefined)
    throw new SluiceError('ERR_DNS_PROVIDER', `duckdns: records of type ${type} are not supported`);
  return parameter;
}
