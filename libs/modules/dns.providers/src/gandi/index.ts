/** `dns.providers.gandi`: Gandi's LiveDNS. */
import type { JsonObject } from '@sluice/base';
import { dnsProviders } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { objectsIn, stringsIn } from '../common/json.ts';
import { zoneName } from '../common/names.ts';
import { requiredOption } from '../common/options.ts';
import { recordSetProvider, type RecordSetApi } from '../common/record-set-provider.ts';
import { quotedText, seconds, unquotedText, type RecordSet } from '../common/records.ts';

const base = 'https://api.gandi.net/v5/livedns';
const leastTtl = 300;

export const gandiModule = defineModule(dnsProviders, {
  name: 'gandi',
  help: 'DNS provider for Gandi LiveDNS domains.',
  config: options({ bearer_token: string('Personal access token, such as `{env.GANDI_BEARER_TOKEN}`.') }),
  provision(config, context) {
    const token = requiredOption(config.bearer_token, context, 'bearer_token');
    const headers = { authorization: `Bearer ${token}` };
    return recordSetProvider(new Gandi(new Api({ name: 'gandi', base, headers, secrets: [token] }, context)));
  },
});

class Gandi implements RecordSetApi {
  readonly name = 'gandi';
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async read(zone: string, { name, type }: { name: string; type: string }, signal: AbortSignal): Promise<RecordSet> {
    const path = `${pathOf(zone)}/${encodeURIComponent(name)}/${type}`;
    const found = await this.#api.json({ method: 'GET', path, accept: [404], signal });
    return found === null ? { name, type, ttl: 0, values: [] } : recordSet(found);
  }

  async write(zone: string, { name, type, ttl, values }: RecordSet, _: RecordSet, signal: AbortSignal): Promise<void> {
    const path = `${pathOf(zone)}/${encodeURIComponent(name)}/${type}`;
    if (values.length === 0) {
      await this.#api.call({ method: 'DELETE', path, accept: [404], signal });
      return;
    }
    const body = {
      rrset_values: type === 'TXT' ? values.map(quotedText) : [...values],
      rrset_ttl: seconds(ttl, leastTtl, leastTtl),
    };
    await this.#api.call({ method: 'PUT', path, body, signal });
  }

  async list(zone: string, signal: AbortSignal): Promise<readonly RecordSet[]> {
    return objectsIn([...(await this.#api.list({ method: 'GET', path: pathOf(zone), signal }))]).map(recordSet);
  }
}

function pathOf(zone: string): string {
  return `/domains/${zoneName(zone)}/records`;
}

function recordSet(found: JsonObject): RecordSet {
  const type = String(found['rrset_type']);
  const values = stringsIn(found['rrset_values']);
  return {
    name: String(found['rrset_name']),
    type,
    ttl: Number(found['rrset_ttl']) * 1000,
    values: type === 'TXT' ? values.map(unquotedText) : values,
  };
}
