/** The module `dns.providers.hetzner`, which changes zones in the Hetzner Console through the Hetzner Cloud API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '@sluice/base';
import { dnsProviders } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { objectsIn } from '../common/json.ts';
import { zoneName } from '../common/names.ts';
import { requiredOption } from '../common/options.ts';
import { recordSetProvider, type RecordSetApi } from '../common/record-set-provider.ts';
import { quotedText, seconds, unquotedText, type RecordSet } from '../common/records.ts';

const base = 'https://api.hetzner.cloud/v1';
const pageSize = 100;
const leastTtl = 60;
/** Initial delay between status queries of an action, in milliseconds. The delay doubles with each query, up to the maximum. */
const firstPause = 50;
const maxPause = 2_000;

export const hetznerModule = defineModule(dnsProviders, {
  name: 'hetzner',
  help: 'DNS provider for zones in the Hetzner Console. Zones in the old DNS Console must be migrated first.',
  config: options({
    api_token: string('API token of the project, such as `{env.HETZNER_API_TOKEN}`. Requires write access.'),
  }),
  provision(config, context) {
    const token = requiredOption(config.api_token, context, 'api_token');
    const headers = { authorization: `Bearer ${token}` };
    return recordSetProvider(new Hetzner(new Api({ name: 'hetzner', base, headers, secrets: [token] }, context)));
  },
});

class Hetzner implements RecordSetApi {
  readonly name = 'hetzner';
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async read(zone: string, { name, type }: { name: string; type: string }, signal: AbortSignal): Promise<RecordSet> {
    const path = `${pathOf(zone)}/${encodeURIComponent(name)}/${type}`;
    const response = await this.#api.json({ method: 'GET', path, accept: [404], signal });
    const found = response?.['rrset'];
    return isObject(found) ? recordSet(found) : { name, type, ttl: 0, values: [] };
  }

  async write(
    zone: string,
    { name, type, ttl, values }: RecordSet,
    known: RecordSet,
    signal: AbortSignal,
  ): Promise<void> {
    const path = `${pathOf(zone)}/${encodeURIComponent(name)}/${type}`;
    const records = values.map((value) => ({ value: type === 'TXT' ? quotedText(value) : value }));
    if (values.length === 0) {
      await this.#finish(await this.#api.json({ method: 'DELETE', path, accept: [404], signal }), signal);
    } else if (known.values.length > 0) {
      const body = { records };
      await this.#finish(
        await this.#api.json({ method: 'POST', path: `${path}/actions/set_records`, body, signal }),
        signal,
      );
    } else {
      const body = { name, type, ttl: ttl <= 0 ? null : seconds(ttl, 0, leastTtl), records };
      await this.#finish(await this.#api.json({ method: 'POST', path: pathOf(zone), body, signal }), signal);
    }
  }

  async list(zone: string, signal: AbortSignal): Promise<readonly RecordSet[]> {
    const found: RecordSet[] = [];
    for (let page = 1; ; page++) {
      const query = { page: String(page), per_page: String(pageSize) };
      const response = await this.#api.json({ method: 'GET', path: pathOf(zone), query, signal });
      const sets = objectsIn(response?.['rrsets']);
      found.push(...sets.map(recordSet));
      if (sets.length < pageSize) return found;
    }
  }

  /** Waits until an API action has completed. */
  async #finish(response: JsonObject | null, signal: AbortSignal): Promise<void> {
    let action = response?.['action'];
    for (
      let pause = firstPause;
      isObject(action) && action['status'] === 'running';
      pause = Math.min(pause * 2, maxPause)
    ) {
      await sleep(pause, undefined, { signal });
      const next = await this.#api.json({ method: 'GET', path: `/actions/${String(action['id'])}`, signal });
      action = next?.['action'];
    }
    if (!isObject(action) || action['status'] !== 'error') return;
    const error = action['error'];
    throw this.#api.error(`the change failed: ${isObject(error) ? String(error['message']) : 'unknown error'}`);
  }
}

function pathOf(zone: string): string {
  return `/zones/${zoneName(zone)}/rrsets`;
}

function recordSet(found: JsonObject): RecordSet {
  const type = String(found['type']);
  const values = objectsIn(found['records']).map(({ value }) => String(value));
  return {
    name: String(found['name']),
    type,
    ttl: Number(found['ttl'] ?? 0) * 1000,
    values: type === 'TXT' ? values.map(unquotedText) : values,
  };
}
