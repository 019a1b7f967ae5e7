/** The module `dns.providers.cloudflare`, which uses Cloudflare's API v4. */
import type { JsonObject } from '@sluice/base';
import { dnsProviders, type DnsRecord } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { objectsIn } from '../common/json.ts';
import { fullName, relativeName, zoneName } from '../common/names.ts';
import { optionalOption, requiredOption } from '../common/options.ts';
import { quotedText, seconds, unquotedText } from '../common/records.ts';
import { singleRecordProvider, type SingleRecordApi, type StoredRecord } from '../common/single-records.ts';

const base = 'https://api.cloudflare.com/client/v4';
const pageSize = 100;
/** TTL value that lets Cloudflare choose the TTL. */
const automatic = 1;
const leastTtl = 60;

export const cloudflareModule = defineModule(dnsProviders, {
  name: 'cloudflare',
  help: 'DNS provider for Cloudflare zones.',
  config: options({
    api_token: string(
      'API token, such as `{env.CF_API_TOKEN}`. Requires the `Zone.DNS:Edit` permission, and `Zone.Zone:Read` unless `zone_token` is set.',
    ),
    zone_token: string('API token with the `Zone.Zone:Read` permission. Default: the value of `api_token`.'),
  }),
  provision(config, context) {
    const token = requiredOption(config.api_token, context, 'api_token');
    const zoneToken = optionalOption(config.zone_token, context, 'zone_token') || token;
    const settings = { name: 'cloudflare', base, secrets: [token, zoneToken] };
    return singleRecordProvider(
      new Cloudflare(
        new Api({ ...settings, headers: bearer(token) }, context),
        new Api({ ...settings, headers: bearer(zoneToken) }, context),
      ),
    );
  },
});

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

class Cloudflare implements SingleRecordApi {
  readonly #api: Api;
  readonly #zones: Api;
  /** Zone IDs by zone name. */
  readonly #ids = new Map<string, string>();

  constructor(api: Api, zones: Api) {
    this.#api = api;
    this.#zones = zones;
  }

  async find(
    zone: string,
    of: { readonly name: string; readonly type: string } | null,
    signal: AbortSignal,
  ): Promise<StoredRecord[]> {
    const path = await this.#path(zone, signal);
    const filter: Record<string, string> = of === null ? {} : { name: fullName(of.name, zone), type: of.type };
    const found: StoredRecord[] = [];
    for (let page = 1; ; page++) {
      const query = { ...filter, page: String(page), per_page: String(pageSize) };
      const response = await this.#api.json({ method: 'GET', path, query, signal });
      const results = objectsIn(response?.['result']);
      found.push(...results.map((each) => storedRecord(each, zone)));
      if (results.length < pageSize) return found;
    }
  }

  async create(zone: string, { name, type, value, ttl }: DnsRecord, signal: AbortSignal): Promise<void> {
    const path = await this.#path(zone, signal);
    const [, priority, exchange] = type === 'MX' ? (/^(\d+)\s+(.+)$/.exec(value) ?? []) : [];
    const body = {
      name: fullName(name, zone),
      type,
      content: type === 'TXT' ? quotedText(value) : (exchange ?? value),
      ttl: seconds(ttl, automatic, leastTtl),
      ...(priority !== undefined && { priority: Number(priority) }),
    };
    await this.#api.call({ method: 'POST', path, body, signal });
  }

  async remove(zone: string, id: string, signal: AbortSignal): Promise<void> {
    const path = await this.#path(zone, signal);
    await this.#api.call({ method: 'DELETE', path: `${path}/${id}`, accept: [404], signal });
  }

  async #path(zone: string, signal: AbortSignal): Promise<string> {
    const name = zoneName(zone);
    const known = this.#ids.get(name);
    if (known !== undefined) return `/zones/${known}/dns_records`;
    const response = await this.#zones.json({ method: 'GET', path: '/zones', query: { name }, signal });
    const id = objectsIn(response?.['result'])[0]?.['id'];
    if (typeof id !== 'string') throw this.#api.error(`the zone ${name} does not exist, or the token cannot read it`);
    this.#ids.set(name, id);
    return `/zones/${id}/dns_records`;
  }
}

function storedRecord(found: JsonObject, zone: string): StoredRecord {
  const type = String(found['type']);
  const content = String(found['content']);
  const ttl = Number(found['ttl']);
  return {
    id: String(found['id']),
    name: relativeName(String(found['name']), zone),
    type,
    value:
      type === 'TXT'
        ? unquotedText(content)
        : found['priority'] === undefined || found['priority'] === null || type !== 'MX'
          ? content
          : `${Number(found['priority'])} ${content}`,
    ttl: ttl === automatic ? 0 : ttl * 1000,
  };
}
