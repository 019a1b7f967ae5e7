import { Agent } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '@sluice/base';
import { allButSecondStep, app, outsideOf, scope, secret, withTokens } from './access.ts';
import { ask, startServer, type Sent, type TestServer } from './admin.ts';

const runs = Number(process.env['SLUICE_TEST_REQUESTS'] ?? 1000);

const { document, as } = withTokens({
  all: {},
  scoped: { permissions: [scope] },
  reader: { permissions: [{ ...scope, methods: ['GET', 'HEAD'] }] },
  element: { permissions: [{ paths: ['/config/apps/any/steps/1'] }] },
});

/** Parts of the configuration, as text, that the token must not be able to change. */
const untouchable: Readonly<Record<string, (any: Json) => string>> = {
  scoped: outsideOf,
  reader: (any) => JSON.stringify(any),
  element: allButSecondStep,
};

const segment = fc.constantFrom(
  ...['config', 'id', 'apps', 'any', 'inside', 'insider', 'outside', 'objects', 'secret', 'text', 'list', 'admin'],
  ...['steps', 'steps', '1'],
  ...['tokens', 'mine', 'theirs', 'last', 'value', '0', '1', '2', '-', '00', '+1', '...', '..', '.', '', '@id'],
  ...['load', 'stop', 'adapt', 'schema', 'history', 'apply', 'confirm', '__proto__', 'constructor', 'null'],
);

/** Paths inside and outside the scope. They may contain dot segments. */
const begun = fc.constantFrom<readonly string[]>(
  [],
  ['config', 'apps', 'any', 'inside'],
  ['config', 'apps', 'any', 'inside', 'list'],
  ['config', 'apps', 'any', 'outside'],
  ['config', 'apps', 'any', 'objects', '1'],
  ['config', 'apps', 'any', 'objects'],
  ['config', 'apps', 'any', 'steps', '1'],
  ['config', 'apps', 'any', 'steps'],
  ['id', 'mine'],
  ['id', 'outside'],
  ['history', '1'],
);

const detour = fc.constantFrom('//', '/./', '/../', '%2F', '%2f', '%252F', '\\', '%5C', ';/');
const separator = fc.oneof({ weight: 30, arbitrary: fc.constant('/') }, { weight: 1, arbitrary: detour });

/** Alternative spellings of a path segment that a server might confuse. */
const disguise = fc.constantFrom<(text: string) => string>(
  (text) => text.toUpperCase(),
  (text) => encodeAll(text),
  (text) => encodeAll(text).toLowerCase(),
  (text) => encodeURIComponent(encodeAll(text)),
  (text) => text.replace(/^./, (unit) => encodeAll(unit)),
  (text) => `${text}%00`,
  (text) => `${text}%20`,
  (text) => `${text};a=b`,
  (text) => text.replaceAll('.', '%2e'),
  (text) => text.replaceAll('.', '%C0%AE'),
  (text) => text.replaceAll('i', '%EF%BD%89'),
);

const plain = (text: string): string => text;
const writing = fc.oneof({ weight: 20, arbitrary: fc.constant(plain) }, { weight: 1, arbitrary: disguise });

function encodeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

const path = fc
  .tuple(
    begun,
    fc.array(segment, { maxLength: 4 }),
    fc.array(fc.tuple(separator, writing), { minLength: 12, maxLength: 12 }),
  )
  .map(
    ([start, rest, ways]) =>
      [...start, ...rest]
        .map((text, i) => `${i === 0 ? '/' : (ways[i]?.[0] ?? '/')}${ways[i]?.[1](text) ?? text}`)
        .join('') || '/',
  );

const target = fc
  .tuple(
    fc.constantFrom('', '', '', '', 'http://127.0.0.1:PORT', 'http://mine@127.0.0.1:PORT'),
    path,
    fc.constantFrom('', '', '/', '/...', '?dry_run', '?x=/../config', '#/config'),
  )
  .map((parts) => parts.join(''));

const pointer = fc
  .array(fc.constantFrom('..', '.', '', 'text', 'list', '0', '-', 'secret', 'outside', '~1config', 'x'), {
    maxLength: 4,
  })
  .map((parts) => parts.map((part) => `/${part}`).join(''));

const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: pointer,
  from: pointer,
  value: fc.constantFrom<Json>(1, 'x', {}, [], { '@id': 'theirs' }, { '@id': 'new', value: 1 }),
});

const sent: fc.Arbitrary<Sent> = fc.oneof(
  fc.constant<Sent>({ method: 'GET' }),
  fc.record<{ method: string; json: unknown }>({
    method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    json: fc.constantFrom<Json>('x', 1, {}, [], ['a'], { '@id': 'mine' }, { '@id': 'outside' }, { text: 'mine' }, null),
  }),
  fc.array(operation, { maxLength: 4 }).map((operations) => ({
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: JSON.stringify(operations),
  })),
  fc.constantFrom('{"secret":null}', '{"inside":{"text":null}}', '{"@id":"theirs"}').map((body) => ({
    method: 'PATCH',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body,
  })),
);

describe('admin.tokens with requests outside a token scope', () => {
  let server: TestServer;
  let agent: Agent;

  before(async () => {
    server = await startServer({ document });
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });

  after(async () => {
    agent.destroy();
    await server.close();
  });

  it(`a token scope is not bypassed by any request in ${runs} @long`, async function () {
    this.timeout(180_000);
    const counts = new Map<number, number>();
    const request = async (who: string, wanted: string, how: Sent): Promise<void> => {
      const outside = untouchable[who] as (any: Json) => string;
      if (server.reconciler.read(['apps', 'any']) !== app) await server.reconciler.load(document);
      const response = await ask(server, wanted.replace('PORT', String(server.port)), as(who, how), agent);
      const { location } = response.headers;
      if (response.status === 307 && location !== undefined && location !== wanted) await request(who, location, how);
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      expect(response.text).to.not.contain(secret);
      expect(JSON.stringify(response.headers)).to.not.contain(secret);
      expect(outside(server.reconciler.read(['apps', 'any']) ?? null)).to.equal(outside(app));
      expect(server.reconciler.read(['admin'])).to.deep.equal((document as { admin: Json }).admin);
      expect(server.stopped()).to.equal(false);
    };
    await fc.assert(fc.asyncProperty(fc.constantFrom('scoped', 'scoped', 'reader', 'element'), target, sent, request), {
      numRuns: runs,
    });
    // Verifies that the requests included both allowed and forbidden values.
    for (const [status, least] of [
      [200, runs / 50],
      [403, runs / 5],
      [307, runs / 50],
    ] as const)
      expect(counts.get(status) ?? 0, `${status} among ${JSON.stringify([...counts])}`).to.be.at.least(least);
  });
});
