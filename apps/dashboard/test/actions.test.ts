import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '@sluice/admin-api';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { calls, targetOf, type Call } from '../src/page/api/calls.ts';
import { actions, free, type PageAction } from './support/actions.ts';
import { startServer, type DashboardServer } from './support/server.ts';
import { shop } from './support/shop.ts';

const guide = new URL('../../../docs/guide/dashboard.md', import.meta.url);

type Permission = Readonly<Record<'methods' | 'paths', readonly string[]>>;

function callOf({ call, values = {}, sent = {} }: Pick<PageAction, 'call' | 'values' | 'sent'>): Call {
  return calls[call](values, sent);
}

function permissionOf({ method, path }: Call): Permission {
  return { methods: [method], paths: [path.replace(/\/$/, '') || '/'] };
}

/** Returns the permissions for an action's API call and for the additional call that the action requires. */
function permissionsFor(action: PageAction): readonly Permission[] {
  const { also } = action;
  return [callOf(action), ...(also === undefined ? [] : [calls[also]()])].map(permissionOf);
}

describe('dashboard actions', function () {
  this.timeout(60_000);

  it('every dashboard action is listed in the guide with its API call', () => {
    const rows = actions.map(({ view, action, call }) => [
      view,
      action,
      `\`${calls[call].method} ${calls[call].template}\``,
    ]);
    const table = readFileSync(guide, 'utf8').split('## Required permissions')[1]?.split('\n## ')[0] ?? '';
    const written = table
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
      .slice(2);
    expect(written).to.deep.equal(rows);
  });

  it('the guide lists exactly the API calls that the dashboard makes', () => {
    const used = new Set<string>([...actions.map(({ call }) => call), ...free]);
    expect([...used].sort()).to.deep.equal(Object.keys(calls).sort());
  });

  describe('dashboard actions with restricted tokens', () => {
    const all = createToken();
    const tokens = actions.map((action, index) => {
      const permission = permissionOf(callOf(action));
      const [right, rest] = [createToken(), createToken()];
      const others = actions
        .map((each) => permissionOf(callOf(each)))
        .filter((each) => JSON.stringify(each) !== JSON.stringify(permission));
      // Properties that contain the permission for the action's call do not count as missing.
      const without = others.filter((each) => !contains(each, callOf(action)));
      return {
        right: right.token,
        without: rest.token,
        entries: [
          { name: `only ${index}`, hash: right.hash, permissions: permissionsFor(action) },
          { name: `all but ${index}`, hash: rest.hash, permissions: without },
        ],
      };
    });
    let server: DashboardServer;
    let root: string;

    before(async () => {
      const entries = [{ name: 'all', hash: all.hash }, ...tokens.flatMap((each) => each.entries)];
      root = await mkdtemp(join(tmpdir(), 'sluice-actions-'));
      const apps = {
        ...((shop as JsonObject)['apps'] as JsonObject),
        pki: { certificate_authorities: { local: { install_trust: false } } },
        tls: {
          certificates: { automate: ['managed.example.com'] },
          automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
        },
      };
      const admin = { listen: '127.0.0.1:0', tokens: entries };
      server = await startServer({ ...(shop as object), admin, apps, storage: { module: 'file_system', root } });
    });
    after(async () => {
      await server.close();
      // The server may still be writing the certificate, so deletion is retried.
      await rm(root, { recursive: true, force: true, maxRetries: 10 });
    });

    async function statusOf(call: Call, token: string | null): Promise<number> {
      const { method, json, text, headers } = call;
      const body = json === undefined ? text : JSON.stringify(json);
      const response = await fetch(`${server.origin}${targetOf(call)}`, {
        method,
        headers: {
          Origin: server.origin,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body }),
      });
      await response.body?.cancel();
      return response.status;
    }

    for (const [index, action] of actions.entries()) {
      it(`the dashboard action ${action.action} requires only the permission for its own API call @long`, async () => {
        const call = callOf(action);
        const { right, without } = tokens[index] as (typeof tokens)[number];
        const { first } = action;
        if (first !== undefined) expect(await statusOf(callOf(first), all.token)).to.be.within(200, 201);
        expect(await statusOf(call, null)).to.equal(401);
        if (!free.includes(action.call)) expect(await statusOf(call, without)).to.equal(403);
        expect(await statusOf(call, right)).to.equal(action.status ?? 200);
      });
    }
  });
});

function contains({ methods, paths }: Permission, { method, path }: Call): boolean {
  return (
    methods.includes(method) && paths.some((each) => path === each || path.startsWith(each === '/' ? '/' : `${each}/`))
  );
}
