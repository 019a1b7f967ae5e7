/** `dns.providers.desec`: deSEC. */
import type { JsonObject } from '@sluice/base';
import { dnsProviders } from '@sluice/contracts';
import { defineModule, options, string } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { objectsIn, stringsIn } from '../common/json.ts';
import { emptyForZone, zoneName } from '../common/names.ts';
import { requiredOption } from '../common/options.ts';
import { recordSetProvider, type RecordSetApi } from '../common/record-set-provider.ts';
import { quotedText, seconds, unquotedText, type RecordSet } from '../common/records.ts';

const base = 'https://desec.io/api/v1';
/** Minimum TTL that deSEC allows for new domains, in seconds. */
const leastTtl = 3600;

export const desecModule = defineModule(dnsProviders, {
  name: 'desec',
  help: 'DNS provider for deSEC domains.',
  config: options({ token: string('API token, such as `{env.DESEC_TOKEN}`.') }),
  provision(config, context) {
    const token = requiredOption(config.token, context, 'token');
    const headers = { authorization: `Token ${token}` };
    return recordSetProvider(new Desec(new Api({ name: 'desec', base, headers, secrets: [token] }, context)));
  },
});

class Desec implements RecordSetApi {
  readonly name = 'desec';
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async read(zone: string, { name, type }: { name: string; type: string }, signal: AbortSignal): Promise<RecordSet> {
    const query = { subname: emptyForZone(name), type };
    const [found] = objectsIn([...(await this.#api.list({ method: 'GET', path: pathOf(zone), query, signal }))]);
    return found === undefined ? { name, type, ttl: 0, values: [] } : recordSet(found);
  }

  async write(zone: string, { name, type, ttl, values }: RecordSet, _: RecordSet, signal: AbortSignal): Promise<void> {
    const records = type === 'TXT' ? values.map(quotedText) : [...values];
    // deSEC removes a record set if the request contains no records for it.
    const body = [{ subname: emptyForZone(name), type, ttl: seconds(ttl, leastTtl, leastTtl), records }];
    await this.#api.call({ method: 'PUT', path: pathOf(zone), body, signal });
  }

  async list(zone: string, signal: AbortSignal): Promise<readonly RecordSet[]> {
    return objectsIn([...(await this.#api.list({ method: 'GET', path: pathOf(zone), signal }))]).map(recordSet);
  }
}

function pathOf(zone: string): string {
  return `/domains/${zoneName(zone)}/rrsets/`;
}

function recordSet(found: JsonObject): RecordSet {
  const type = String(found['type']);
  const values = stringsIn(found['records']);
  return {
    name: String(found['subname']) || '@',
    type,
    ttl: Number(found['ttl']) * 1000,
    values: type === 'TXT' ? values.map(unquotedText) : values,
  };
}
