/** `dns.providers.ovh`: OVHcloud. */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@sluice/base';
import { dnsProviders, type DnsRecord } from '@sluice/contracts';
import { defineModule, options, string, type Context, type Options } from '@sluice/registry';
import { Api, type Call } from '../common/api.ts';
import { emptyForZone, zoneName } from '../common/names.ts';
import { requiredOption } from '../common/options.ts';
import { quotedText, seconds, unquotedText } from '../common/records.ts';
import { ofSet, singleRecordProvider, type SingleRecordApi, type StoredRecord } from '../common/single-records.ts';
import type { ApiResponse } from '../common/transport.ts';

/** OVH API URLs by region name. */
const endpoints: ReadonlyMap<string, string> = new Map([
  ['ovh-eu', 'https://eu.api.ovh.com/1.0'],
  ['ovh-us', 'https://api.us.ovhcloud.com/1.0'],
  ['ovh-ca', 'https://ca.api.ovh.com/1.0'],
  ['kimsufi-eu', 'https://eu.api.kimsufi.com/1.0'],
  ['kimsufi-ca', 'https://ca.api.kimsufi.com/1.0'],
  ['soyoustart-eu', 'https://eu.api.soyoustart.com/1.0'],
  ['soyoustart-ca', 'https://ca.api.soyoustart.com/1.0'],
]);

const ovhOptions = options({
  endpoint: string(`API endpoint: ${[...endpoints.keys()].map((name) => `\`${name}\``).join(', ')}, or a URL.`),
  application_key: string('Application key of the API credentials.'),
  application_secret: string('Application secret, such as `{env.OVH_APPLICATION_SECRET}`.'),
  consumer_key: string('Consumer key, such as `{env.OVH_CONSUMER_KEY}`. Requires access to `/domain/zone/*`.'),
});

export const ovhModule = defineModule(dnsProviders, {
  name: 'ovh',
  help: 'DNS provider for OVHcloud zones.',
  config: ovhOptions,
  provision: (config, context) => singleRecordProvider(new Ovh(config, context)),
});

interface Keys {
  readonly application: string;
  readonly secret: string;
  readonly consumer: string;
}

class Ovh implements SingleRecordApi {
  readonly #api: Api;
  readonly #base: string;
  readonly #keys: Keys;
  /** Difference between the API's clock and the local clock, in seconds. `null` until it is known. */
  #difference: number | null = null;

  constructor(config: Options<typeof ovhOptions>, context: Context) {
    const endpoint = requiredOption(config.endpoint, context, 'endpoint');
    const base = endpoints.get(endpoint) ?? (URL.canParse(endpoint) ? endpoint.replace(/\/$/, '') : null);
    if (base === null)
      throw context.error(
        `${JSON.stringify(endpoint)} is neither a URL nor one of ${[...endpoints.keys()].join(', ')}`,
        'endpoint',
      );
    this.#base = base;
    this.#keys = {
      application: requiredOption(config.application_key, context, 'application_key'),
      secret: requiredOption(config.application_secret, context, 'application_secret'),
      consumer: requiredOption(config.consumer_key, context, 'consumer_key'),
    };
    const secrets = [this.#keys.secret, this.#keys.consumer];
    this.#api = new Api({ name: 'ovh', base, headers: {}, secrets }, context);
  }

  async find(
    zone: string,
    of: { readonly name: string; readonly type: string } | null,
    signal: AbortSignal,
  ): Promise<readonly StoredRecord[]> {
    const path = `${pathOf(zone)}/record`;
    const query = of === null ? {} : { fieldType: of.type, subDomain: emptyForZone(of.name) };
    const ids = JSON.parse((await this.#signed({ method: 'GET', path, query, signal })).body) as Json[];
    const found: StoredRecord[] = [];
    for (const id of ids) {
      const { body } = await this.#signed({ method: 'GET', path: `${path}/${String(id)}`, signal });
      found.push(storedRecord(JSON.parse(body) as JsonObject));
    }
    return ofSet(found, of);
  }

  async create(zone: string, { name, type, value, ttl }: DnsRecord, signal: AbortSignal): Promise<void> {
    const body = {
      fieldType: type,
      subDomain: emptyForZone(name),
      target: type === 'TXT' ? quotedText(value) : value,
      ttl: seconds(ttl, 0),
    };
    await this.#signed({ method: 'POST', path: `${pathOf(zone)}/record`, body, signal });
  }

  async remove(zone: string, id: string, signal: AbortSignal): Promise<void> {
    await this.#signed({ method: 'DELETE', path: `${pathOf(zone)}/record/${id}`, accept: [404], signal });
  }

  async publish(zone: string, signal: AbortSignal): Promise<void> {
    await this.#signed({ method: 'POST', path: `${pathOf(zone)}/refresh`, signal });
  }

  /** Sends a signed API request. */
  async #signed(call: Call): Promise<ApiResponse> {
    const { method, path, query = {}, body } = call;
    const { application, secret, consumer } = this.#keys;
    const parameters = new URLSearchParams(query).toString();
    const url = `${this.#base}${path}${parameters === '' ? '' : `?${parameters}`}`;
    const text = body === undefined ? '' : JSON.stringify(body);
    const time = String(Math.floor(Date.now() / 1000) + (await this.#clockDifference(call.signal)));
    const signature = createHash('sha1').update([secret, consumer, method, url, text, time].join('+')).digest('hex');
    const headers = {
      'x-ovh-application': application,
      'x-ovh-consumer': consumer,
      'x-ovh-timestamp': time,
      'x-ovh-signature': `$1$${signature}`,
    };
    const signed = parameters === '' ? { method, path, headers } : { method, path, query, headers };
    const { accept, signal } = call;
    return this.#api.call({
      ...signed,
      signal,
      ...(accept !== undefined && { accept }),
      ...(body !== undefined && { body }),
    });
  }

  async #clockDifference(signal: AbortSignal): Promise<number> {
    if (this.#difference !== null) return this.#difference;
    const { body } = await this.#api.call({ method: 'GET', path: '/auth/time', signal });
    return (this.#difference = Number(body) - Math.floor(Date.now() / 1000));
  }
}

function pathOf(zone: string): string {
  return `/domain/zone/${zoneName(zone)}`;
}

function storedRecord(found: JsonObject): StoredRecord {
  const type = String(found['fieldType']);
  const target = String(found['target']);
  return {
    id: String(found['id']),
    name: String(found['subDomain'] ?? '') || '@',
    type,
    value: type === 'TXT' ? unquotedText(target) : target,
    ttl: Number(found['ttl'] ?? 0) * 1000,
  };
}
