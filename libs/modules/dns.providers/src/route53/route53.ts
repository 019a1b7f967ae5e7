/** Sends signed requests to Route 53. */
import { setTimeout as sleep } from 'node:timers/promises';
import aws4 from 'aws4';
import { messageOf } from '@sluice/base';
import type { DnsProvider } from '@sluice/contracts';
import type { Api, Call } from '../common/api.ts';
import { fullName, zoneName } from '../common/names.ts';
import { recordSetProvider, type RecordSetApi } from '../common/record-set-provider.ts';
import { seconds, type RecordSet } from '../common/records.ts';
import { findCredentials, type CredentialOptions } from './credentials.ts';
import type { MachineCredentials } from './metadata.ts';
import { changeDocument, changeIn, hostedZonesIn, recordSetsIn } from './documents.ts';

const version = '/2013-04-01';
const defaultTtl = 300;
/** Interval between status queries of a change, in milliseconds. */
const changeInterval = 2_000;

/** Settings of {@link Route53}. Durations are in milliseconds. */
export interface Route53Settings {
  readonly api: Api;
  readonly host: string;
  readonly region: string;
  readonly credentials: CredentialOptions;
  readonly machine: MachineCredentials;
  /** Zone ID. If empty, the zone is looked up by name. */
  readonly zoneId: string;
  readonly attempts: number;
  readonly waitForChanges: boolean;
  readonly waitForRemovals: boolean;
  readonly maxWait: number;
}

export function route53Provider(settings: Route53Settings): DnsProvider {
  return recordSetProvider(new Route53(settings));
}

class Route53 implements RecordSetApi {
  readonly name = 'route53';
  readonly #settings: Route53Settings;
  /** Zone IDs by zone name. */
  readonly #ids = new Map<string, string>();

  constructor(settings: Route53Settings) {
    this.#settings = settings;
  }

  async read(zone: string, { name, type }: { name: string; type: string }, signal: AbortSignal): Promise<RecordSet> {
    const query = { name: `${fullName(name, zone)}.`, type, maxitems: '1' };
    const path = await this.#path(zone, signal);
    const { sets } = recordSetsIn((await this.#send({ method: 'GET', path, query, signal })).body, zone);
    // The list begins at the requested name, so the first record set may have a different name.
    const found = sets.find((set) => set.name === name.toLowerCase() && set.type === type);
    return found ?? { name, type, ttl: 0, values: [] };
  }

  async write(zone: string, wanted: RecordSet, known: RecordSet, signal: AbortSignal): Promise<void> {
    const isRemoval = wanted.values.length === 0;
    // To remove a record set, the request must contain its current values and TTL.
    const set = isRemoval ? known : wanted;
    const action = isRemoval ? 'DELETE' : 'UPSERT';
    const body = changeDocument(action, fullName(set.name, zone), set, seconds(set.ttl, defaultTtl));
    const path = await this.#path(zone, signal);
    const { id, status } = changeIn((await this.#send({ method: 'POST', path, body, signal })).body);
    const { waitForChanges, waitForRemovals } = this.#settings;
    if (waitForChanges && status !== 'INSYNC' && (!isRemoval || waitForRemovals)) await this.#synchronized(id, signal);
  }

  async list(zone: string, signal: AbortSignal): Promise<readonly RecordSet[]> {
    const path = await this.#path(zone, signal);
    const found: RecordSet[] = [];
    for (let query: Readonly<Record<string, string>> | null = {}; query !== null;) {
      const page = recordSetsIn((await this.#send({ method: 'GET', path, query, signal })).body, zone);
      found.push(...page.sets);
      query = page.next;
    }
    return found;
  }

  async #synchronized(id: string, signal: AbortSignal): Promise<void> {
    const { api, maxWait } = this.#settings;
    const until = performance.now() + maxWait;
    for (;;) {
      const { status } = changeIn((await this.#send({ method: 'GET', path: `${version}/change/${id}`, signal })).body);
      if (status === 'INSYNC') return;
      if (performance.now() >= until) throw api.error(`change ${id} has not propagated after ${maxWait / 1000} s`);
      await sleep(Math.min(changeInterval, maxWait), undefined, { signal });
    }
  }

  async #path(zone: string, signal: AbortSignal): Promise<string> {
    const name = zoneName(zone);
    const { api, zoneId } = this.#settings;
    const known = zoneId || this.#ids.get(name);
    if (known !== undefined) return pathOf(known);
    const query = { dnsname: `${name}.` };
    const { body } = await this.#send({ method: 'GET', path: `${version}/hostedzonesbyname`, query, signal });
    const found = hostedZonesIn(body).find((each) => zoneName(each.name) === name && !each.isPrivate);
    if (found === undefined) throw api.error(`the account has no public hosted zone ${name}`);
    this.#ids.set(name, found.id);
    return pathOf(found.id);
  }

  async #send(call: Call): Promise<{ readonly body: string }> {
    const { api, attempts } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      try {
        return await api.call(await this.#signed(call));
      } catch (error) {
        // Retry after concurrent changes to the zone, throttling, and server errors.
        const again = /PriorRequestNotComplete|Throttling|: 5\d\d /.test(messageOf(error));
        if (!again || attempt >= attempts || call.signal.aborted) throw error;
        await sleep(200 * 2 ** attempt, undefined, { signal: call.signal });
      }
    }
  }

  async #signed(call: Call): Promise<Call> {
    const { host, region } = this.#settings;
    const { query = {}, path, method, body } = call;
    const { accessKeyId, secretAccessKey, sessionToken } = await findCredentials(
      this.#settings.credentials,
      this.#settings.machine,
    );
    const parameters = new URLSearchParams(query).toString();
    const { headers } = aws4.sign(
      {
        method,
        host,
        path: parameters === '' ? path : `${path}?${parameters}`,
        service: 'route53',
        region,
        ...(typeof body === 'string' && { body, headers: { 'content-type': 'application/xml' } }),
      },
      { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) },
    );
    const sent = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    return { ...call, headers: { accept: 'application/xml', ...Object.fromEntries(sent) } };
  }
}

function pathOf(id: string): string {
  return `${version}/hostedzone/${id}/rrset`;
}
