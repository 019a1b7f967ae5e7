/** The module `dns.providers.digitalocean`, which uses DigitalOcean's API v2. */
import type { JsonObject } from '@sluice/base';
import { dnsProviders, type DnsRecord } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { objectsIn } from '../common/json.ts';
import { fullName, zoneName } from '../common/names.ts';
import { requiredOption } from '../common/options.ts';
import { seconds } from '../common/records.ts';
import { ofSet, singleRecordProvider, type SingleRecordApi, type StoredRecord } from '../common/single-records.ts';

const base = 'https://api.digitalocean.com/v2';
const pageSize = 200;
const defaultTtl = 1800;
const leastTtl = 30;
/** Record types whose data is a domain name, which must end with a dot. */
const named: ReadonlySet<string> = new Set(['CNAME', 'NS', 'MX']);

export const digitaloceanModule = defineModule(dnsProviders, {
  name: 'digitalocean',
  help: 'DNS provider for DigitalOcean domains.',
  config: options({
    auth_token: string('API token with the `domain` scopes, such as `{env.DO_AUTH_TOKEN}`.'),
  }),
  provision(config, context) {
    const token = requiredOption(config.auth_token, context, 'auth_token');
    const headers = { authorization: `Bearer ${token}` };
    return singleRecordProvider(
      new DigitalOcean(new Api({ name: 'digitalocean', base, headers, secrets: [token] }, context)),
    );
  },
});

class DigitalOcean implements SingleRecordApi {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async find(
    zone: string,
    of: { readonly name: string; readonly type: string } | null,
    signal: AbortSignal,
  ): Promise<readonly StoredRecord[]> {
    const filter: Record<string, string> = of === null ? {} : { name: fullName(of.name, zone), type: of.type };
    const found: StoredRecord[] = [];
    for (let page = 1; ; page++) {
      const query = { ...filter, page: String(page), per_page: String(pageSize) };
      const response = await this.#api.json({ method: 'GET', path: pathOf(zone), query, signal });
      const records = objectsIn(response?.['domain_records']);
      found.push(...records.map(storedRecord));
      if (records.length < pageSize) return ofSet(found, of);
    }
  }

  async create(zone: string, { name, type, value, ttl }: DnsRecord, signal: AbortSignal): Promise<void> {
    const [, priority, exchange] = type === 'MX' ? (/^(\d+)\s+(.+)$/.exec(value) ?? []) : [];
    const data = exchange ?? value;
    const body = {
      name,
      type,
      data: named.has(type) && !data.endsWith('.') ? `${data}.` : data,
      ttl: seconds(ttl, defaultTtl, leastTtl),
      ...(priority !== undefined && { priority: Number(priority) }),
    };
    await this.#api.call({ method: 'POST', path: pathOf(zone), body, signal });
  }

  async remove(zone: string, id: string, signal: AbortSignal): Promise<void> {
    await this.#api.call({ method: 'DELETE', path: `${pathOf(zone)}/${id}`, accept: [404], signal });
  }
}

function pathOf(zone: string): string {
  return `/domains/${zoneName(zone)}/records`;
}

function storedRecord(found: JsonObject): StoredRecord {
  const type = String(found['type']);
  const data = String(found['data']);
  return {
    id: String(found['id']),
    name: String(found['name']),
    type,
    value: type === 'MX' ? `${Number(found['priority'])} ${data}` : data,
    ttl: Number(found['ttl']) * 1000,
  };
}
