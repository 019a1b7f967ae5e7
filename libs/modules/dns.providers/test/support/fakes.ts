/** Simulated provider APIs, implemented from the public API descriptions. Each contains the zone `example.com`. */
import { createHash } from 'node:crypto';
import aws4 from 'aws4';
import type { JsonObject } from '@sluice/base';
import { FakeRecords, FakeSets, type Fake, type FakeRequest, type FakeResponse } from './fake-api.ts';

/** Secret in the credentials of test configurations. */
export const secret = 'Secret-Of-The-Test-1234567890';

interface Body {
  readonly [name: string]: unknown;
}

const isQuoted = (value: unknown): boolean => /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/.test(String(value));

/** https://developers.cloudflare.com/api/ */
export function cloudflare(): Fake {
  const records = new FakeRecords();
  const ok = (result: unknown): FakeResponse => [200, { success: true, errors: [], result } as JsonObject];
  const failed = (status: number, code: number, message: string): FakeResponse => [
    status,
    { success: false, errors: [{ code, message }], result: null },
  ];
  return ({ host, method, path, query, headers, body }) => {
    if (host !== 'https://api.cloudflare.com') return [404];
    if (headers.authorization !== `Bearer ${secret}`) return failed(403, 9109, `Invalid access token ${secret}`);
    if (path === '/client/v4/zones')
      return ok(query['name'] === 'example.com' ? [{ id: 'z1', name: 'example.com' }] : []);
    const [, id] = /^\/client\/v4\/zones\/z1\/dns_records(?:\/(\w+))?$/.exec(path) ?? [null, null];
    if (id === null) return failed(404, 7003, 'Could not route');
    if (method === 'GET') {
      const size = Number(query['per_page']);
      const start = (Number(query['page']) - 1) * size;
      const found = records.find({ ...(query['name'] && { name: query['name'], type: query['type'] ?? '' }) });
      return ok(found.slice(start, start + size).map(({ value, ...each }) => ({ ...each, content: value })));
    }
    if (method === 'DELETE')
      return records.remove(id ?? '') ? ok({ id }) : failed(404, 81044, 'Record does not exist.');
    const { name, type, content, ttl, priority } = JSON.parse(body) as Body;
    if (type === 'TXT' && !isQuoted(content)) return failed(400, 9207, 'Content is not quoted');
    if (ttl !== 1 && Number(ttl) < 60) return failed(400, 9021, 'Invalid TTL');
    const added = { name: String(name), type: String(type), value: String(content), ttl: Number(ttl) };
    if (records.find(added).length > 0) return failed(400, 81058, 'An identical record already exists.');
    return ok(records.add(priority === undefined ? added : { ...added, priority: Number(priority) }));
  };
}

/** https://docs.digitalocean.com/reference/api/ */
export function digitalocean(): Fake {
  const records = new FakeRecords();
  return ({ host, method, path, query, headers, body }) => {
    if (host !== 'https://api.digitalocean.com') return [404];
    if (headers.authorization !== `Bearer ${secret}`)
      return [401, { id: 'Unauthorized', message: `Unable to authenticate ${secret}` }];
    const [, id] = /^\/v2\/domains\/example\.com\/records(?:\/(\w+))?$/.exec(path) ?? [null, null];
    if (id === null) return [404, { id: 'not_found', message: 'The resource could not be found.' }];
    if (method === 'GET') {
      // The API filters by full name, whereas its records contain relative names.
      const name = query['name']?.replace(/\.?example\.com$/, '') || (query['name'] === undefined ? undefined : '@');
      const found = records.find({
        ...(name !== undefined && { name }),
        ...(query['type'] && { type: query['type'] }),
      });
      return [200, { domain_records: found.map(({ value, ...each }) => ({ ...each, data: value })) }];
    }
    if (method === 'DELETE') return records.remove(id ?? '') ? [204] : [404, { id: 'not_found', message: 'Not found' }];
    const { name, type, data, ttl, priority } = JSON.parse(body) as Body;
    if (Number(ttl) < 30) return [422, { id: 'unprocessable_entity', message: 'TTL is too small' }];
    if (type === 'CNAME' && !String(data).endsWith('.'))
      return [422, { id: 'unprocessable_entity', message: 'Data needs to end with a dot (.)' }];
    const added = { name: String(name), type: String(type), value: String(data).replace(/\.$/, ''), ttl: Number(ttl) };
    const { value, ...record } = records.add(priority === undefined ? added : { ...added, priority: Number(priority) });
    return [201, { domain_record: { ...record, data: value } }];
  };
}

/** https://docs.hetzner.cloud/reference/cloud#dns */
export function hetzner(): Fake {
  const sets = new FakeSets();
  let polls = 0;
  const running = (): FakeResponse => [201, { action: { id: 7, status: 'running' } }];
  const failed = (status: number, code: string, message: string): FakeResponse => [
    status,
    { error: { code, message } },
  ];
  return ({ host, method, path, headers, body }) => {
    if (host !== 'https://api.hetzner.cloud') return [404];
    if (headers.authorization !== `Bearer ${secret}`)
      return failed(401, 'unauthorized', `unable to authenticate ${secret}`);
    if (path === '/v1/actions/7')
      return [200, { action: { id: 7, status: ++polls % 2 === 1 ? 'running' : 'success' } }];
    const [, name, type, action] = /^\/v1\/zones\/example\.com\/rrsets(?:\/([^/]+)\/(\w+))?(\/actions\/\w+)?$/.exec(
      path,
    ) ?? [null, null];
    if (name === null) return failed(404, 'not_found', 'zone not found');
    const shown = ({ values, ...set }: { name: string; type: string; ttl: number; values: string[] }): JsonObject => ({
      id: `${set.name}/${set.type}`,
      ...set,
      ttl: set.ttl === 0 ? null : set.ttl,
      records: values.map((value) => ({ value, comment: '' })),
    });
    if (name === undefined && method === 'GET') return [200, { rrsets: [...sets.all.values()].map(shown) }];
    const known = name === undefined ? undefined : sets.get(name, type ?? '');
    const values =
      body === '' ? [] : ((JSON.parse(body) as Body)['records'] as { value: string }[]).map((each) => each.value);
    const isText = type === 'TXT' || (body !== '' && (JSON.parse(body) as Body)['type'] === 'TXT');
    if (isText && !values.every(isQuoted)) return failed(422, 'invalid_input', 'TXT records must be quoted');
    if (name === undefined) {
      const { name: wanted, type: of, ttl } = JSON.parse(body) as Body;
      if (sets.get(String(wanted), String(of)) !== undefined) return failed(409, 'uniqueness_error', 'RRSet exists');
      sets.set(String(wanted), String(of), Number(ttl ?? 0), values);
      return running();
    }
    if (known === undefined) return failed(404, 'not_found', 'RRSet not found');
    if (method === 'GET') return [200, { rrset: shown(known) }];
    if (method === 'DELETE') sets.set(known.name, known.type, 0, []);
    else if (action === '/actions/set_records') sets.set(known.name, known.type, known.ttl, values);
    return running();
  };
}

/** https://api.gandi.net/docs/livedns/ */
export function gandi(): Fake {
  const sets = new FakeSets();
  return ({ host, method, path, headers, body }) => {
    if (host !== 'https://api.gandi.net') return [404];
    if (headers.authorization !== `Bearer ${secret}`)
      return [
        401,
        { code: 401, message: `The token ${secret} is unknown`, object: 'HTTPUnauthorized', cause: 'Unauthorized' },
      ];
    const [, name, type] = /^\/v5\/livedns\/domains\/example\.com\/records(?:\/([^/]+)\/(\w+))?$/.exec(path) ?? [
      null,
      null,
    ];
    if (name === null) return [404, { code: 404, message: 'Unknown domain', object: 'dns', cause: 'Not Found' }];
    const shown = (set: { name: string; type: string; ttl: number; values: string[] }): JsonObject => ({
      rrset_name: set.name,
      rrset_type: set.type,
      rrset_ttl: set.ttl,
      rrset_values: set.values,
    });
    if (name === undefined) return [200, [...sets.all.values()].map(shown)];
    const known = sets.get(name, type ?? '');
    if (method === 'PUT') {
      const { rrset_values: values, rrset_ttl: ttl } = JSON.parse(body) as Body;
      if (Number(ttl) < 300) return [400, { code: 400, message: 'TTL must be at least 300' }];
      sets.set(name, type ?? '', Number(ttl), values as string[]);
      return [201, { message: 'DNS Record Created' }];
    }
    if (known === undefined) return [404, { code: 404, message: "Can't find the DNS record", object: 'dns-record' }];
    if (method === 'GET') return [200, shown(known)];
    sets.set(name, type ?? '', 0, []);
    return [204];
  };
}

/** https://desec.readthedocs.io/en/latest/dns/rrsets.html */
export function desec(): Fake {
  const sets = new FakeSets();
  let calls = 0;
  return ({ host, method, path, query, headers, body }) => {
    if (host !== 'https://desec.io') return [404];
    if (headers.authorization !== `Token ${secret}`) return [401, { detail: `Invalid token ${secret}.` }];
    if (path !== '/api/v1/domains/example.com/rrsets/') return [404, { detail: 'Not found.' }];
    // Every third request exceeds the rate limit.
    if (++calls % 3 === 0) return [429, { detail: 'Request was throttled.' }, { 'retry-after': '0' }];
    if (method === 'GET') {
      const found = [...sets.all.values()].filter(
        ({ name, type }) => query['type'] === undefined || (name === query['subname'] && type === query['type']),
      );
      return [200, found.map(({ name, type, ttl, values }) => ({ subname: name, type, ttl, records: values }))];
    }
    for (const { subname, type, ttl, records } of JSON.parse(body) as Body[]) {
      if (Number(ttl) < 3600) return [400, [{ ttl: ['Ensure this value is greater than or equal to 3600.'] }]];
      if (type === 'TXT' && !(records as string[]).every(isQuoted)) return [400, [{ records: ['not canonical'] }]];
      sets.set(String(subname), String(type), Number(ttl), records as string[]);
    }
    return [200, []];
  };
}

/** https://help.ovhcloud.com/csm/en-api-getting-started-ovhcloud-api */
export function ovh(): Fake {
  const records = new FakeRecords();
  const published = new Set<string>();
  const isSigned = ({ method, url, headers, body }: FakeRequest): boolean => {
    const time = String(headers['x-ovh-timestamp']);
    const text = [secret, 'consumer', method, url, body, time].join('+');
    return (
      headers['x-ovh-application'] === 'application' &&
      headers['x-ovh-consumer'] === 'consumer' &&
      Math.abs(Number(time) - clock()) < 5 &&
      headers['x-ovh-signature'] === `$1$${createHash('sha1').update(text).digest('hex')}`
    );
  };
  // Returns the clock of the API, which differs from the local clock.
  const clock = (): number => Math.floor(Date.now() / 1000) - 1000;
  return (request) => {
    const { host, method, path, query, body } = request;
    if (host !== 'https://eu.api.ovh.com') return [404];
    if (path === '/1.0/auth/time') return [200, String(clock())];
    if (!isSigned(request)) return [403, { class: 'Client::Forbidden', message: `Invalid signature ${secret}` }];
    if (path === '/1.0/domain/zone/example.com/refresh') {
      published.clear();
      for (const { id } of records.all) published.add(id);
      return [200, 'null'];
    }
    const [, id] = /^\/1\.0\/domain\/zone\/example\.com\/record(?:\/(\w+))?$/.exec(path) ?? [null, null];
    if (id === null) return [404, { class: 'Client::NotFound', message: 'This service does not exist' }];
    if (method === 'POST') {
      const { fieldType, subDomain, target, ttl } = JSON.parse(body) as Body;
      const added = { name: String(subDomain), type: String(fieldType), value: String(target), ttl: Number(ttl) };
      return [200, { id: Number(records.add(added).id) }];
    }
    if (method === 'DELETE') return records.remove(id ?? '') ? [200, 'null'] : [404, { message: 'No such record' }];
    if (id === undefined) {
      const filter = { ...(query['fieldType'] && { type: query['fieldType'], name: query['subDomain'] ?? '' }) };
      return [200, records.find(filter).map((each) => Number(each.id))];
    }
    const [found] = records.find({ id });
    if (found === undefined) return [404, { message: 'No such record' }];
    if (!published.has(found.id)) return [500, { message: 'the zone was not refreshed' }];
    return [
      200,
      { id: Number(found.id), fieldType: found.type, subDomain: found.name, target: found.value, ttl: found.ttl },
    ];
  };
}

/** https://docs.aws.amazon.com/Route53/latest/APIReference/ */
export function route53(): Fake {
  const sets = new FakeSets();
  let changes = 0;
  const polls = new Map<string, number>();
  const failed = (status: number, code: string, message: string): FakeResponse => [
    status,
    `<?xml version="1.0"?><ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  ];
  const xml = (text: string): FakeResponse => [200, `<?xml version="1.0"?>\n${text}`];
  const isSigned = ({ method, host, url, headers, body }: FakeRequest): boolean => {
    const { pathname, search } = new URL(url);
    const signed = aws4.sign(
      {
        method,
        host: host.slice('https://'.length),
        path: `${pathname}${search}`,
        service: 'route53',
        region: 'us-east-1',
        headers: {
          'X-Amz-Date': String(headers['x-amz-date']),
          ...(body !== '' && { 'content-type': 'application/xml' }),
        },
        ...(body !== '' && { body }),
      },
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret },
    );
    return signed.headers?.['Authorization'] === headers.authorization;
  };
  const setText = ({
    name,
    type,
    ttl,
    values,
  }: {
    name: string;
    type: string;
    ttl: number;
    values: string[];
  }): string =>
    `<ResourceRecordSet><Name>${name}</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords>${values
      .map((value) => `<ResourceRecord><Value>${value}</Value></ResourceRecord>`)
      .join('')}</ResourceRecords></ResourceRecordSet>`;
  return (request) => {
    const { host, method, path, query, body } = request;
    if (host !== 'https://route53.amazonaws.com') return [404];
    if (!isSigned(request)) return failed(403, 'SignatureDoesNotMatch', `The signature does not match ${secret}`);
    if (path === '/2013-04-01/hostedzonesbyname') {
      const zone = (id: string, name: string, hidden: boolean): string =>
        `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}</Name><Config><PrivateZone>${hidden}</PrivateZone></Config></HostedZone>`;
      return xml(
        `<ListHostedZonesByNameResponse><HostedZones>${zone('Z0', 'example.com.', true)}${zone('Z1', 'example.com.', false)}</HostedZones><IsTruncated>false</IsTruncated></ListHostedZonesByNameResponse>`,
      );
    }
    const changed = /^\/2013-04-01\/change\/(\w+)$/.exec(path)?.[1];
    if (changed !== undefined) {
      const count = (polls.get(changed) ?? 0) + 1;
      polls.set(changed, count);
      return xml(
        `<GetChangeResponse><ChangeInfo><Id>/change/${changed}</Id><Status>${count > 1 ? 'INSYNC' : 'PENDING'}</Status></ChangeInfo></GetChangeResponse>`,
      );
    }
    if (path !== '/2013-04-01/hostedzone/Z1/rrset') return failed(404, 'NoSuchHostedZone', 'No hosted zone found');
    if (method === 'GET') {
      const all = [...sets.all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      const from = query['name'] === undefined ? 0 : all.findIndex((set) => set.name >= (query['name'] ?? ''));
      const max = Number(query['maxitems'] ?? 2);
      const rest =
        from < 0
          ? []
          : all
              .slice(from)
              .filter((set) => query['type'] === undefined || set.name !== query['name'] || set.type >= query['type']);
      const next = rest[max];
      return xml(
        `<ListResourceRecordSetsResponse><ResourceRecordSets>${rest.slice(0, max).map(setText).join('')}</ResourceRecordSets><IsTruncated>${next !== undefined}</IsTruncated>${
          next === undefined
            ? ''
            : `<NextRecordName>${next.name}</NextRecordName><NextRecordType>${next.type}</NextRecordType>`
        }</ListResourceRecordSetsResponse>`,
      );
    }
    const part = (name: string): string => new RegExp(`<${name}>(.*?)</${name}>`).exec(body)?.[1] ?? '';
    const values = [...body.matchAll(/<Value>(.*?)<\/Value>/g)].map(([, value = '']) => value);
    const [name, type, ttl] = [part('Name'), part('Type'), Number(part('TTL'))];
    if (part('Action') === 'UPSERT') sets.set(name, type, ttl, values);
    else {
      const known = sets.get(name, type);
      if (known === undefined || known.ttl !== ttl || known.values.join() !== values.join())
        return failed(400, 'InvalidChangeBatch', 'Tried to delete resource record set but it was not found');
      sets.set(name, type, 0, []);
    }
    return xml(
      `<ChangeResourceRecordSetsResponse><ChangeInfo><Id>/change/C${++changes}</Id><Status>PENDING</Status></ChangeInfo></ChangeResourceRecordSetsResponse>`,
    );
  };
}
