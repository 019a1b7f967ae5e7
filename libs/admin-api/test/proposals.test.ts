import { expect } from 'chai';
import type { Json } from '@sluice/base';
import type { Proposal, ProposalStore } from '../src/proposal.ts';
import { withTokens } from './access.ts';
import { startServer, type Sent, type TestResponse, type TestServer } from './admin.ts';

const { document, as } = withTokens({
  operator: {},
  agent: { permissions: [{ methods: ['GET'] }, { paths: ['/proposals', '/explain/tests'] }] },
  reviewer: { permissions: [{ methods: ['GET'] }, { methods: ['POST'], paths: ['/approvals'] }] },
  blind: { permissions: [{ paths: ['/proposals'] }] },
  partial: { permissions: [{ methods: ['GET'], paths: ['/config/apps'] }, { paths: ['/proposals'] }] },
  reader: { permissions: [{ methods: ['GET'], paths: ['/config'] }, { paths: ['/proposals'] }] },
});

const text = '/apps/any/inside/text';
const change = { title: 'another text', reason: 'a test', patch: [{ op: 'replace', path: text, value: 'new' }] };

interface Shown {
  readonly id: number;
  readonly state: string;
  readonly by: string;
  readonly closed_by?: string;
  readonly report: { readonly changed: boolean; readonly patch: Json; readonly counts: object };
}

describe('proposals', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ document });
  });
  afterEach(() => server.close());

  const propose = (json: unknown = change, by = 'agent'): Promise<TestResponse> =>
    server.ask('/proposals', as(by, { method: 'POST', json }));
  const approve = (id: number | string, by = 'reviewer', query = ''): Promise<TestResponse> =>
    server.ask(`/approvals/${id}${query}`, as(by, { method: 'POST' }));
  const read = async (id: number): Promise<Shown> => (await server.ask(`/proposals/${id}`, as('agent'))).json as Shown;
  const insideText = (): Json => server.reconciler.document;

  it('a new proposal is tested, but is not applied', async () => {
    const { revision } = server.reconciler;
    const { status, headers, json } = await propose();
    expect(status).to.equal(201);
    expect(headers.location).to.equal('/proposals/1');
    expect(json).to.deep.include({ id: 1, state: 'open', by: 'agent', title: 'another text', changes: 1 });
    expect((json as Shown).report).to.deep.include({ changed: true, patch: change.patch });
    expect(server.reconciler.revision).to.equal(revision);
    expect(JSON.stringify(insideText())).to.include('"text":"mine"');
  });

  it('a proposal approved with another token is applied, and the history names the author and the approver', async () => {
    await propose();
    expect((await approve(1)).status).to.equal(200);
    expect(JSON.stringify(insideText())).to.include('"text":"new"');
    expect(await read(1)).to.include({ state: 'applied', closed_by: 'reviewer' });
    const [entry] = (await server.ask('/history', as('operator'))).json as { origin: string; by: string }[];
    expect(entry).to.include({ origin: 'approval of proposal 1 by agent', by: 'reviewer' });
    expect((await approve(1)).status).to.equal(409);
  });

  it('the author of a proposal cannot approve the proposal, even with full permissions', async () => {
    await propose(change, 'operator');
    const { status, json } = await approve(1, 'operator');
    expect(status).to.equal(403);
    expect(json).to.deep.include({ error: 'operator is the author of proposal 1: a different token must approve it' });
  });

  it('a dry run of an approval leaves the proposal open', async () => {
    await propose();
    expect((await approve(1, 'reviewer', '?dry_run')).json).to.deep.include({ changed: true });
    expect(await read(1)).to.include({ state: 'open' });
  });

  it('a proposal becomes outdated if a value that it changes has been modified, but not if other values have been modified', async () => {
    await propose();
    await propose({ title: 'list', patch: [{ op: 'add', path: '/apps/any/inside/list/0', value: 0 }] });
    const patch = (path: string, json: Json) => server.ask(`/config${path}`, as('operator', { method: 'PATCH', json }));
    await patch('/apps/any/outside/secret', 'other');
    await patch(text, 'meanwhile');
    const { status, json } = await approve(1);
    expect(status).to.equal(409);
    expect(json)
      .to.have.property('error')
      .that.matches(/^proposal 1 is outdated: \/apps\/any\/inside\/text has changed/);
    expect((await approve(2)).status).to.equal(200);
    await propose({ title: 'list', patch: [{ op: 'add', path: '/apps/any/inside/list/0', value: 0 }] });
    await server.ask('/config/apps/any/inside/list/0', as('operator', { method: 'DELETE' }));
    expect((await approve(3)).status).to.equal(409);
  });

  it('a proposal is outdated if its path now refers to a different element, even if both elements have the same value', async () => {
    const steps = [
      { '@id': 'a', text: 'same' },
      { '@id': 'b', text: 'same' },
    ];
    const change = (method: string, path: string, json?: Json) =>
      server.ask(`/config/apps/any${path}`, as('operator', { method, ...(json === undefined ? {} : { json }) }));
    await change('PATCH', '/steps', steps);
    await propose({ title: 'b', patch: [{ op: 'replace', path: '/apps/any/steps/1/text', value: 'new' }] });
    await change('PUT', '/steps/0', { '@id': 'c', text: 'same' });
    const { status, json } = await approve(1);
    expect([status, JSON.stringify(json)]).to.satisfy(([code]: [number]) => code === 409, JSON.stringify(json));
  });

  it('a token that cannot read the whole configuration cannot read a proposal, because proposals contain parts of the configuration', async () => {
    await propose();
    for (const path of ['/proposals/1', '/proposals/1/report'])
      expect((await server.ask(path, as('blind'))).status, path).to.equal(403);
    expect((await server.ask('/proposals', as('blind'))).json).to.have.length(1);
  });

  it('only one of two concurrent approvals applies the change', async () => {
    await propose({ title: 'list', patch: [{ op: 'add', path: '/apps/any/inside/list/0', value: 'once' }] });
    const answers = await Promise.all([approve(1), approve(1)]);
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409]);
    expect(JSON.stringify(insideText()).split('once')).to.have.length(2);
  });

  it('an approval that reuses an operation ID is either rejected or applied, but never recorded without being applied', async () => {
    await propose();
    const headers = { 'Idempotency-Key': 'deploy-1' };
    await server.ask('/config/apps/any/outside/secret', as('operator', { method: 'PATCH', json: 'x', headers }));
    await server.ask('/approvals/1', as('reviewer', { method: 'POST', headers }));
    const isMade = JSON.stringify(insideText()).includes('"text":"new"');
    expect((await read(1)).state).to.equal(isMade ? 'applied' : 'open');
  });

  it('a withdrawn proposal cannot be approved', async () => {
    await propose();
    expect((await server.ask('/proposals/1', as('agent', { method: 'DELETE' }))).status).to.equal(200);
    const { status, json } = await approve(1);
    expect([status, json]).to.deep.equal([409, { error: 'proposal 1 is withdrawn' }]);
  });

  it('a proposal can replace the whole configuration', async () => {
    const config = structuredClone(server.reconciler.document) as { apps: { any: { inside: { text: string } } } };
    config.apps.any.inside.text = 'whole';
    const { json } = await propose({ title: 'whole', config });
    expect((json as Shown).report.patch).to.deep.equal([{ op: 'replace', path: text, value: 'whole' }]);
  });

  for (const [name, body, message] of [
    ['an array instead of an object', [], /expected \{"title"/],
    ['an unknown property', { ...change, x: 1 }, /x: unknown property/],
    ['no title', { patch: [] }, /title: must be a string/],
    ['a reason that is too long', { ...change, reason: 'x'.repeat(10_001) }, /reason: must be/],
    ['neither a patch nor a configuration', { title: 'x' }, /one of patch \(RFC 6902\) and config is required/],
    ['both a patch and a configuration', { ...change, config: {} }, /either patch/],
    ['a patch that is not an array', { title: 'x', patch: {} }, /patch: must be an array/],
    ['a patch that changes nothing', { title: 'x', patch: [] }, /does not change the configuration/],
    ['a patch that does not apply', { title: 'x', patch: [{ op: 'remove', path: '/nothing' }] }, /nothing/],
    ['an invalid configuration', { title: 'x', config: { apps: { unknown: {} } } }, /unknown/],
  ] as const)
    it(`a proposal with ${name} is rejected`, async () => {
      const { status, json } = await propose(body);
      expect(status).to.be.within(400, 422);
      expect(json).to.have.property('error').that.matches(message);
      expect((await server.ask('/proposals', as('agent'))).json).to.deep.equal([]);
    });

  it('a token that cannot read the whole configuration cannot create proposals', async () => {
    const copied = { title: 'x', patch: [{ op: 'copy', from: '/apps/any/insider', path: '/apps/any/inside/text' }] };
    const { status, text: body } = await propose(copied, 'blind');
    expect(status).to.equal(403);
    expect(body).to.not.include('TOP-SECRET');
    expect((await propose(change, 'partial')).status).to.equal(403);
  });

  it('permission for GET /config is sufficient to create proposals', async () => {
    expect((await propose(change, 'reader')).status).to.equal(201);
  });

  it('the number of open proposals is limited', async () => {
    for (let i = 0; i < 50; i++) expect((await propose()).status).to.equal(201);
    expect((await propose()).status).to.equal(503);
    await server.ask('/proposals/7', as('agent', { method: 'DELETE' }));
    expect((await propose()).status).to.equal(201);
  }).timeout(20_000);

  it('a token that can only read and propose cannot change the configuration through any other route', async () => {
    const before = JSON.stringify(server.reconciler.document);
    const { revision } = server.reconciler;
    expect((await propose()).status).to.equal(201);
    expect((await propose(change, 'operator')).status).to.equal(201);
    let attempts = 0;
    for (const { path, sent } of attacks()) {
      attempts++;
      const { status } = await server.ask(path, as('agent', sent));
      expect(JSON.stringify(server.reconciler.document), `${sent.method ?? 'GET'} ${path}: ${status}`).to.equal(before);
      expect(server.reconciler.revision).to.equal(revision);
      expect(server.stopped()).to.equal(false);
    }
    expect(attempts).to.be.at.least(100);
    expect(await read(2)).to.include({ state: 'open' });
  }).timeout(30_000);

  it('saved proposals can be approved after a restart, unless a value that they change has been modified', async () => {
    const saved = new Map<number, string>();
    const proposalStore: ProposalStore = {
      read: () => Promise.resolve([...saved.values()].map((each) => JSON.parse(each) as Proposal)),
      save: (proposal) => Promise.resolve(void saved.set(proposal.id, JSON.stringify(proposal))),
    };
    const restarted = async (): Promise<void> => {
      await server.close();
      server = await startServer({ document, proposalStore });
    };
    await restarted();
    await propose();
    await propose();
    await server.ask('/proposals/2', as('agent', { method: 'DELETE' }));
    await restarted();
    expect(await read(1)).to.include({ state: 'open', by: 'agent' });
    expect((await approve(2)).status).to.equal(409);
    expect((await approve(1, 'agent')).status).to.equal(403);
    expect((await propose()).json).to.include({ id: 3 });
    expect((await approve(1)).status).to.equal(200);
    expect(JSON.stringify(insideText())).to.include('"text":"new"');
    expect((await approve(3)).status).to.equal(409);
    await restarted();
    expect(await read(1)).to.include({ state: 'applied', closed_by: 'reviewer' });
  });
});

/** Generates requests that try to change something with a token that may only read and propose. */
function* attacks(): Generator<{ readonly path: string; readonly sent: Sent }> {
  const config = { apps: { any: { inside: { text: 'hacked' } } } };
  const paths = [
    '/load',
    '/config/',
    '/config/apps/any/inside/text',
    '/config/admin/tokens',
    '/id/mine',
    '/id/mine/value',
    '/history/1/apply',
    '/history/1/confirm',
    '/stop',
    '/upgrade',
    '/approvals/1',
    '/approvals/2',
    '/approvals/02',
    '/proposals/2/../../approvals/2',
    '/proposals/../approvals/2',
    '/proposals/%2e%2e/approvals/2',
    '/proposals/..%2Fapprovals%2F2',
    '/proposals//approvals/2',
    '//approvals/2',
    '/Approvals/2',
    '/approvals%2F2',
    '/approvals/2/',
    '/approvals/2?dry_run=false',
    '/proposals/2/approve',
    '/proposals?approve=2',
    '/proposals/..;/approvals/2',
    '/%61pprovals/2',
    '/explain/tests',
    '/explain/tests/../../approvals/2',
    '/explain/shadow',
    '/rollout/promote',
  ];
  for (const path of paths)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      // Withdrawing its own proposal is the only change that the token may make.
      if (!(method === 'DELETE' && path.startsWith('/proposals'))) yield { path, sent: { method, json: config } };
  for (const header of [
    'X-HTTP-Method-Override',
    'X-HTTP-Method',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Forwarded-Uri',
  ])
    for (const path of ['/config/', '/proposals', '/history'])
      yield {
        path,
        sent: { method: 'GET', headers: { [header]: header.includes('Method') ? 'POST' : '/approvals/2' } },
      };
  // Tries to make the server apply the proposal immediately.
  for (const query of [
    '?dry_run=false',
    '?dry_run=0',
    '?rollout=all',
    '?confirm_within=1ms',
    '?expect_same',
    '?wait=all',
  ])
    for (const [path, json] of [
      [`/proposals${query}`, { ...change, title: query }],
      [`/explain/tests${query}`, { tests: { cases: [] }, patch: change.patch }],
    ] as const)
      yield { path, sent: { method: 'POST', json } };
}
