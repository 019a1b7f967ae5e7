import { createServer, type Server, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import { valueAt } from '../src/page/base/json.ts';
import { violationsIn } from './support/accessible.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

/** Fleet state with a rollout in progress, as reported by the members. */
const fleet = {
  cluster: 'production',
  member: 'web-1',
  revision: 41,
  members: [
    { name: 'web-1', labels: ['eu'], version: '1.0.0', applied: 41, ready: true },
    { name: 'web-2', labels: ['eu'], version: '1.0.0', applied: 41, ready: true, drained: true },
    { name: 'web-3', labels: ['us'], version: '1.0.0', applied: 39, rejected: { rev: 40, message: 'address in use' } },
  ],
  rollout: {
    id: 'op',
    state: 'holding',
    stage: 1,
    stages: ['canary:1', '50%', 'all'],
    held_seconds: 12,
    hold_seconds: 30,
    members: ['web-1'],
    seen: { new: { requests: 2130, failures: 2 }, old: { requests: 2204, failures: 1 } },
    by: 'web-1 operator',
  },
};

describe('dashboard operations', function () {
  this.timeout(120_000);
  const suite = testInBrowser({
    document: async (port) => {
      root = await mkdtemp(join(tmpdir(), 'sluice-operations-'));
      silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
      suite.later(() => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      });
      await new Promise((resolve) => silent.once('listening', resolve));
      return documentFor({ port, slow: portOf(silent), root });
    },
    page: {},
  });
  let silent: Server;
  let root: string;
  const sockets: Socket[] = [];

  after(async () => {
    if (root !== undefined) await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });
  afterEach(async () => {
    const { page, server } = suite;
    await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${server.origin}/ui/`);
  });

  it('an upstream row shows the time and error of the last health check', async () => {
    await suite.show('upstreams');
    const row = suite.page.getByRole('row').filter({ hasText: '127.0.0.3:9' });
    await row.locator('time').waitFor();
    await row.getByText(/^cannot connect .*(?:ECONNREFUSED|refused)/).waitFor();
    expect(await violationsIn(suite.page)).to.deep.equal([]);
  });

  it('the weight of an upstream can be changed in the draft', async () => {
    const { page } = suite;
    await suite.show('upstreams');
    await page.getByRole('button', { name: 'Used by 1 proxy: 127.0.0.3:9' }).click();
    const weight = page.getByLabel(/^Weight of 127\.0\.0\.3:9 in/);
    expect(await weight.inputValue()).to.equal('3');
    await weight.fill('5');
    await weight.press('Tab');
    await page.getByText('1 change in the draft').waitFor();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('+ 5').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const path = ['apps', 'http', 'servers', 'demo', 'routes', 0, 'handle', 0, 'load_balancing', 'selection_policy'];
    expect(valueAt(suite.server.control.reconciler.document, [...path, 'weights'])).to.deep.equal([5, 1]);
  });

  it('the plan of a change shows the open connections and in-flight requests of affected modules', async () => {
    const { page } = suite;
    const asked = fetch(`http://127.0.0.1:${suite.port}/slow`).catch(() => null);
    while (sockets.length === 0) await page.waitForTimeout(20);
    await suite.show('config', { path: '/apps/http/servers/demo/routes/1/handle/0', as: 'text' });
    await typeText({
      handler: 'reverse_proxy',
      upstreams: [{ dial: `127.0.0.1:${portOf(silent)}` }],
      flush_interval: -1,
    });
    await page.getByRole('button', { name: 'Review and apply' }).click();
    const modules = page.getByRole('region', { name: 'Modules' });
    await modules.getByRole('listitem').filter({ hasText: 'http.handlers.reverse_proxy' }).first().waitFor();
    await modules.getByText('1 connection, 1 request in flight').first().waitFor();
    const rebuilt = modules.getByRole('listitem').filter({ hasText: 'demo › /slow › handle[0]' }).first();
    expect(await rebuilt.innerText()).to.contain('1 request in flight');
    await drop();
    for (const socket of sockets.splice(0)) socket.destroy();
    await asked;
  });

  it('the dashboard renews a certificate @long', async () => {
    const { page } = suite;
    await suite.show('certificates');
    const row = page.getByRole('row').filter({ hasText: 'managed.example.com' });
    const facts = row.getByRole('definition');
    await row.getByText('Details').click();
    const before = await facts.allTextContents();
    await row.getByRole('button', { name: 'Renew now' }).click();
    await page.getByText('Renewing the certificate for managed.example.com').waitFor();
    const fingerprint = before.find((each) => /^[\da-f]{64}$/i.test(each)) ?? '';
    expect(fingerprint).to.not.equal('');
    await page.getByText(fingerprint).waitFor({ state: 'detached', timeout: 30_000 });
    expect(await facts.allTextContents()).to.not.deep.equal(before);
    expect(await violationsIn(page)).to.deep.equal([]);
  });

  it('the server view shows thread heaps, and copies a command that downloads a heap snapshot', async () => {
    const { page } = suite;
    await suite.show('server');
    const heaps = page.getByRole('region', { name: 'Heaps' });
    await heaps.getByRole('row').nth(1).waitFor();
    await heaps.getByRole('button', { name: 'Copy as curl: GET /debug/pprof/heap' }).first().click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).to.match(/^curl 'http:\S+\/debug\/pprof\/heap\?thread=\d+'$/);
    expect(await violationsIn(page)).to.deep.equal([]);
  });

  it('the fleet view can control members and a rollout with the keyboard', async () => {
    const { page } = suite;
    const asked = await inFleet();
    await suite.show('server');
    const members = page.getByRole('region', { name: 'Fleet production, revision 41' });
    await members
      .getByRole('row')
      .filter({ hasText: 'web-3' })
      .getByText('Rejected revision 40: address in use')
      .waitFor();
    expect(await members.getByRole('row').filter({ hasText: 'web-3' }).getByRole('cell').nth(2).innerText()).to.equal(
      '2',
    );
    const rollout = page.getByRole('region', { name: 'Rollout' });
    await rollout.getByText('12 of 30 s').waitFor();
    await rollout.getByText(/requests, 2 failed: web-1/).waitFor();
    const done = Number(await rollout.getByRole('progressbar').getAttribute('value'));
    expect(done).to.be.closeTo(0.7, 0.01);
    expect(await violationsIn(page)).to.deep.equal([]);
    for (const [region, name] of [
      [rollout, 'Pause'],
      [rollout, 'Abort'],
      [members.getByRole('row').filter({ hasText: 'web-1' }), 'Drain'],
      [members.getByRole('row').filter({ hasText: 'web-2' }), 'Undrain'],
    ] as const) {
      const button = region.getByRole('button', { name, exact: true });
      await button.focus();
      const before = asked.length;
      await page.keyboard.press('Enter');
      while (asked.length === before) await page.waitForTimeout(20);
    }
    expect(asked).to.deep.equal([
      'POST /fleet/rollout/pause',
      'POST /fleet/rollout/abort',
      'POST /fleet/members/web-1/drain',
      'DELETE /fleet/members/web-2/drain',
    ]);
  });

  it('a paused rollout can be resumed, and a rejected revision can be retried', async () => {
    const { page } = suite;
    const paused = { ...fleet.rollout, state: 'paused', why: 'by web-2 operator' };
    const rejected = { rev: 41, message: 'address in use' };
    const asked = await inFleet((before) => ({
      ...fleet,
      ...(before.includes('POST /fleet/retry') ? {} : { rejected }),
      rollout: before.includes('POST /fleet/rollout/resume') ? fleet.rollout : paused,
    }));
    await suite.show('server');
    const members = page.getByRole('region', { name: 'Fleet production, revision 41' });
    const refusal = members.getByText('Revision 41 was rejected: address in use');
    await refusal.waitFor();
    await members.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByText('Revision applied').waitFor();
    await refusal.waitFor({ state: 'detached' });
    const rollout = page.getByRole('region', { name: 'Rollout' });
    await rollout.getByText('by web-2 operator').waitFor();
    expect(await rollout.getByRole('button', { name: 'Pause', exact: true }).count()).to.equal(0);
    await rollout.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Rollout resumed').waitFor();
    await rollout.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    expect(asked).to.deep.equal(['POST /fleet/retry', 'POST /fleet/rollout/resume']);
  });

  it('a change can be rolled out to a fleet in stages', async () => {
    const { page } = suite;
    await inFleet();
    const targets: string[] = [];
    await page.route(
      (url) => url.pathname === '/config/' && url.search !== '',
      async (route) => {
        targets.push(route.request().url());
        if (route.request().url().includes('rollout')) await route.fulfill({ status: 202, json: {} });
        else await route.continue();
      },
    );
    await draftOf('by stages');
    await page.getByLabel('Rollout', { exact: true }).selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Rollout started').waitFor();
    expect(new URL(targets.at(-1) ?? '').searchParams.get('rollout')).to.equal('canary:1,10%,50%,all');
  });

  it('the dashboard offers to copy the patch before applying it if the server watches a file', async () => {
    const { page } = suite;
    await page.route(/\/session$/, (route) =>
      route.fulfill({ json: { name: null, permissions: null, watched_file: 'site.json' } }),
    );
    await draftOf('in the file');
    await page.getByText('The server watches site.json').waitFor();
    await page.getByRole('button', { name: 'Apply anyway' }).waitFor();
    await page.getByRole('button', { name: 'Copy as JSON Patch' }).click();
    const patch = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(patch)).to.deep.equal([
      { op: 'replace', path: '/apps/http/servers/demo/routes/2/handle/0/body', value: 'in the file' },
    ]);
    expect(await violationsIn(page)).to.deep.equal([]);
    await drop();
  });

  /**
   * Mocks a fleet for the page, and records the requests that the page sends to the fleet API. `reported` returns the fleet's response to
   * the nth request.
   */
  async function inFleet(reported: (asked: readonly string[]) => object = () => fleet): Promise<string[]> {
    const asked: string[] = [];
    const { page } = suite;
    await page.route(/\/session$/, (route) => route.fulfill({ json: { name: null, permissions: null, fleet: true } }));
    await page.route(/\/fleet(\/.*)?$/, async (route) => {
      const { pathname } = new URL(route.request().url());
      const method = route.request().method();
      if (method !== 'GET') asked.push(`${method} ${pathname}`);
      await route.fulfill({ json: reported(asked) });
    });
    await page.reload();
    await page.locator('h1').waitFor();
    return asked;
  }

  /** Changes the body of the last route in its form, and starts a dry run. */
  async function draftOf(body: string): Promise<void> {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/2/handle/0' });
    await page.reload();
    const field = page.getByLabel('body', { exact: true });
    await field.fill(body);
    await field.blur();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('2 rebuilt').waitFor();
  }

  async function typeText(value: Json): Promise<void> {
    const { page } = suite;
    await page.getByLabel('Configuration as JSON').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify(value));
    await page.getByRole('button', { name: 'Add to draft' }).click();
  }

  async function drop(): Promise<void> {
    await suite.page.getByRole('button', { name: 'Close' }).click();
    await suite.page.getByRole('button', { name: 'Discard' }).click();
  }
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function documentFor({ port, slow, root }: { port: number; slow: number; root: string }): JsonObject {
  const weighted = {
    handler: 'reverse_proxy',
    upstreams: [{ dial: '127.0.0.3:9' }, { dial: '127.0.0.4:9' }],
    load_balancing: { selection_policy: { policy: 'weighted_round_robin', weights: [3, 1] } },
    health_checks: { active: { uri: '/health', interval: '1s' } },
  };
  const routes = [
    { match: [{ host: ['weighted.example.com'] }], handle: [weighted], terminal: true },
    {
      match: [{ path: ['/slow'] }],
      handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${slow}` }] }],
    },
    { handle: [{ handler: 'static_response', body: 'hello' }] },
  ];
  const servers = { demo: { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes } };
  return {
    ...(shop as JsonObject),
    storage: { module: 'file_system', root },
    apps: {
      http: { servers },
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: {
        certificates: { automate: ['managed.example.com'] },
        automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
      },
    },
  };
}
