import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { withTokens } from './access.ts';
import { startServer, type TestServer } from './admin.ts';
import { parsePlan } from '@sluice/rollout';
import { checkPolicies } from '../src/policies/policies.ts';

const { document: withoutPolicies, as } = withTokens({
  operator: {},
  editor: { permissions: [{ paths: ['/config', '/proposals', '/load', '/history'] }, { methods: ['GET'] }] },
  reviewer: { permissions: [{ methods: ['GET'] }, { methods: ['POST'], paths: ['/approvals'] }] },
});

const policies: Json = [
  { name: 'steps', paths: ['/apps/any/steps'], approval: true },
  { paths: ['/apps/any/outside'], confirmation: true },
  { paths: ['/apps/any/inside/list/1'], approval: true },
];
const { admin, ...rest } = withoutPolicies as { admin: object };
const document: Json = { ...rest, admin: { ...admin, policies } };

describe('admin.policies', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ document });
  });
  afterEach(() => server.close());

  const patch = (path: string, json: Json, by = 'editor', headers: Record<string, string> = {}) =>
    server.ask(`/config${path}`, as(by, { method: 'PATCH', json, headers }));

  it('a change that no policy covers is applied', async () => {
    expect((await patch('/apps/any/inside/text', 'b')).status).to.equal(200);
  });

  it('a change without the required approval is rejected, and the error names the policy and the next step', async () => {
    const { status, json } = await patch('/apps/any/steps/1/text', 'b');
    expect(status).to.equal(403);
    expect(json).to.deep.equal({
      error: 'policy "steps": the change must be approved with a different token: send it to POST /proposals',
    });
    expect(server.reconciler.document).to.deep.equal(document);
  });

  for (const [name, send] of [
    [
      'loading a whole configuration',
      () => server.ask('/load', as('editor', { method: 'POST', json: { ...rest, admin } })),
    ],
    ['replacing a parent value', () => patch('/apps/any', { steps: [] })],
    [
      'sending a JSON Patch',
      () =>
        server.ask(
          '/config/',
          as('editor', {
            method: 'PATCH',
            body: JSON.stringify([{ op: 'remove', path: '/apps/any/steps/0' }]),
            headers: { 'Content-Type': 'application/json-patch+json' },
          }),
        ),
    ],
    ['removing the policies', () => server.ask('/config/admin/policies', as('editor', { method: 'DELETE' }))],
    ['adding a token', () => server.ask('/config/admin/tokens', as('editor', { method: 'POST', json: { name: 'x' } }))],
    ['adding a policy', () => server.ask('/config/admin/policies', as('editor', { method: 'POST', json: {} }))],
    [
      'inserting an element that moves the protected element',
      () => server.ask('/config/apps/any/inside/list/0', as('editor', { method: 'PUT', json: 0 })),
    ],
    [
      'changing the configuration source',
      () => server.ask('/config/admin/config', as('editor', { method: 'PUT', json: { persist: false } })),
    ],
    ['removing the admin section', () => server.ask('/config/admin', as('editor', { method: 'DELETE' }))],
  ] as const)
    it(`a change cannot bypass a policy by ${name}`, async () => {
      const { status, text } = await send();
      expect([status, text]).to.satisfy(([code]: [number]) => code === 403, `${status} ${text}`);
      expect(text).to.include('policy');
      expect(server.reconciler.document).to.deep.equal(document);
    });

  it('a change with an approved proposal is applied', async () => {
    const steps = [{ op: 'replace', path: '/apps/any/steps/1/text', value: 'b' }];
    const made = await server.ask('/proposals', as('editor', { method: 'POST', json: { title: 'x', patch: steps } }));
    expect(made.status).to.equal(201);
    expect((await server.ask('/approvals/1', as('reviewer', { method: 'POST' }))).status).to.equal(200);
  });

  it('a change that requires confirmation is applied, and is then reverted if it is not confirmed in time', async () => {
    const { status, json } = await patch('/apps/any/outside/inside/text', 'b');
    expect([status, json]).to.deep.equal([
      403,
      { error: 'policy "1": the change must be confirmed or rolled out: add ?confirm_within= or ?rollout=' },
    ]);
    expect((await patch('/apps/any/outside/inside/text?confirm_within=60s', 'b')).status).to.equal(200);
  });

  it('a dry run of a change that a policy covers does not require approval or confirmation', async () => {
    expect((await patch('/apps/any/steps/1/text?dry_run', 'b')).json).to.deep.include({ changed: true });
  });

  it('a client with all permissions can override policies, and the override appears in the log and the history', async () => {
    const headers = { 'Sluice-Override': 'outage 42' };
    expect((await patch('/apps/any/steps/1/text', 'b', 'editor', headers)).status).to.equal(403);
    expect((await patch('/apps/any/steps/1/text', 'b', 'operator')).status).to.equal(403);
    expect((await patch('/apps/any/steps/1/text', 'b', 'operator', headers)).status).to.equal(200);
    const [entry] = (await server.ask('/history', as('operator'))).json as { origin: string }[];
    expect(entry?.origin).to.match(/^PATCH \/config\/apps\/any\/steps\/1\/text \(policies overridden: outage 42\)$/);
    expect(
      server.entries.some(
        ({ message, fields }) => message === 'policies overridden' && fields['reason'] === 'outage 42',
      ),
    ).to.equal(true);
  });

  it('a policy with an invalid path is rejected at load time', async () => {
    const { status, text } = await server.ask(
      '/config/admin/policies',
      as('operator', {
        method: 'PATCH',
        json: [{ paths: ['apps'] }],
        headers: { 'Sluice-Override': 'test' },
      }),
    );
    expect(status).to.equal(500);
    expect(text).to.match(/admin\.policies\[0\]\.paths: .*is not a path of the configuration/);
  });
});

describe('admin.policies with rollouts', () => {
  const required = '10%,50%,all;hold=60s';
  const before: Json = {
    apps: { http: {} },
    admin: { policies: [{ name: 'web', paths: ['/apps/http'], rollout: required }] },
  };
  const after: Json = { ...before, apps: { http: { servers: {} } } };
  const check = (plan: string | null, to: Json = after): void => {
    const parsed = plan === null ? null : parsePlan(plan);
    checkPolicies(before, to, {
      isApproved: false,
      isConfirmed: plan !== null,
      plan: parsed,
      override: null,
      confined: false,
    });
  };

  it('a policy can require a rollout', () => {
    expect(() => check(null)).to.throw(`policy "web": the change must be rolled out: add ?rollout=${required}`);
    expect(() => check(null, { ...before, apps: { http: {}, other: {} } })).to.not.throw();
  });

  it('a rollout must have at least the stages and hold times that the policy requires', () => {
    for (const plan of ['50%,all;hold=60s', '10%,50%,all;hold=30s'])
      expect(() => check(plan)).to.throw('the rollout must have at least the stages and hold times');
    expect(() => check('1%,10%,50%,all;hold=60s')).to.not.throw();
  });

  it('a policy with an invalid plan is rejected', async () => {
    const server = await startServer({ document: {} });
    const { status, text } = await server.ask('/config/admin', {
      method: 'PUT',
      json: { policies: [{ rollout: '10%' }] },
    });
    expect(status).to.be.at.least(400);
    expect(text).to.include('policies[0].rollout').and.to.include('the last stage must be all');
    await server.close();
  });
});
