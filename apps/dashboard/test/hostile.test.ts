import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { setAt, valueAt, type Json } from '../src/page/base/json.ts';
import { hostile } from './support/hostile.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

const now = new Date().toISOString();
const counts = {
  requests: 7,
  in_flight: 1,
  status: { '2xx': 5, '5xx': 2 },
  bytes_in: 1,
  bytes_out: 2,
  latency_ms: { mean: 1, p50: 1, p90: 2, p99: 3, max: 4 },
};

const routesPath = ['apps', 'http', 'servers', 'demo', 'routes'];

/** Unreachable routes at the end of a server's route list, with a malicious string in each field. */
const routes = hostile.map((text, index) => ({
  '@id': `${text.toWellFormed()} ${index}`,
  match: [{ header: { 'X-Never': [text.toWellFormed()] } }],
  handle: [
    {
      handler: 'static_response',
      body: text.toWellFormed(),
      headers: { 'X-Text': [text.toWellFormed().replaceAll(/[^\x20-\x7e]/g, '')] },
    },
  ],
}));

/** Mock API responses with malicious strings in requests, names and errors. */
const responses: Readonly<Record<string, unknown>> = {
  '/reverse_proxy/upstreams/summary': {
    cursor: hostile[0],
    complete: true,
    upstreams: hostile.map((address) => ({
      address,
      num_requests: 0,
      queued: 0,
      fails: 3,
      draining: false,
      latency_ms: 1,
      used_by: 1,
      unhealthy: 1,
      checked: 1,
      ejected_until: null,
      last_check: { time: now, problem: address },
    })),
  },
  '/reverse_proxy/upstreams': [
    { used_by: hostile.length, proxies: hostile.map((where) => ({ where, healthy: false })) },
  ],
  '/stats/history': {
    step: 10,
    from: now,
    to: now,
    series: { [hostile[0] ?? '']: [] },
    upstreams: hostile.map((address) => ({ address, downtime_seconds: 9 })),
  },
  '/stats/listeners': hostile.map((server) => ({
    server,
    listen: [server],
    protocols: [server],
    tls: true,
    connections: 1,
    limits: {},
  })),
  '/samples': {
    per_route: 16,
    requests: hostile.map((text) => ({
      at: text,
      route: text,
      request: { method: text, host: text, path: text, query: text },
      response: { status: 200 },
      duration_ms: 1,
      upstream: text,
    })),
  },
  '/proposals': hostile.map((text, index) => ({
    id: index + 1,
    title: text,
    state: 'open',
    by: text,
    at: text,
    closed_by: text,
    changes: 1,
  })),
  '/proposals/1': {
    reason: hostile.join('\n'),
    report: {
      changed: true,
      patch: hostile.map((text) => ({ op: 'add', path: `/apps/${text}`, value: text })),
      warnings: hostile.map((text) => ({ check: text, code: text, path: text, message: text, source: text })),
      behavior: {
        recorded: 1,
        generated: 1,
        same: 0,
        different: 1,
        undecided: 1,
        not_compared: 0,
        groups: hostile.map((text) => ({
          summary: text,
          count: 1,
          recorded: 1,
          hosts: [text],
          more_hosts: 0,
          route_before: text,
          route_after: `${text} after`,
          examples: [
            {
              request: { method: text, url: text },
              before: { status: 200, upstream: text },
              after: { status: 200, upstream: text },
              differences: [{ aspect: 'header', name: text, before: text, after: { [text]: text } }],
            },
          ],
        })),
        more_groups: 0,
        undecided_because: hostile.map((text) => ({ reason: text, count: 1, example: { method: text, url: text } })),
      },
    },
  },
  '/session': { name: hostile[0], permissions: null, fleet: true },
  '/fleet': {
    cluster: hostile[0],
    member: hostile[1],
    revision: 1,
    store_away: { since: now, reason: hostile[2] },
    forked: { reason: hostile[3] },
    rejected: { rev: 1, message: hostile[4] },
    members: hostile.map((name) => ({ name, labels: [name], version: name, rejected: { rev: 1, message: name } })),
    rollout: {
      state: 'paused',
      why: hostile[5],
      stage: 0,
      stages: hostile,
      held_seconds: 1,
      members: hostile,
      by: hostile[6],
    },
  },
  '/certificates': hostile.map((text) => ({
    identifier: text,
    subject: text,
    names: [text, text],
    issuer: text,
    serial_number: text,
    fingerprint: text,
    not_after: text,
    managed: true,
    last_error: text,
    next_attempt: text,
    source: text,
    tags: [text],
  })),
  '/explain': {
    request: { method: 'GET', url: hostile[0], server: hostile[1] },
    outcome: {
      kind: 'error',
      status: 502,
      route: hostile[2],
      handler_id: hostile[3],
      error: { status: 502, message: hostile[4] },
      upstream: { candidates: hostile.map((address) => ({ address, chosen: false, why: address })) },
    },
    unknown: hostile,
    truncated: hostile[5],
    disagreement: [],
    ms: 1,
    paths: [
      {
        assumed: hostile.slice(0, 3).map((fact) => ({ path: fact, fact, verdict: true })),
        outcome: { kind: 'response', status: 200, route: null },
        steps: hostile.map((text) => ({
          path: text,
          id: text,
          kind: 'matcher',
          verdict: false,
          known: text,
          wanted: text,
          got: { [text]: text },
          changed: { [text]: [text, text] },
          source: { file: text, line: 1 },
          steps: [],
        })),
      },
    ],
  },
};

const stats = {
  at: now,
  since: now,
  seconds: 1,
  total: counts,
  servers: hostile.map((server) => ({ server, ...counts })),
  hosts: hostile.map((host) => ({ host, server: host, ...counts })),
  routes: hostile.map((text) => ({ path: text, id: text, server: text, own: 1, ...counts })),
  upstreams: hostile.map((address) => ({ address, ...counts })),
};

const traces = hostile.map((text, index) => ({
  id: `r-${index}`,
  at: now,
  server: text,
  route: text,
  route_id: text,
  request: {
    method: text,
    proto: text,
    host: text,
    path: text,
    query: text,
    client_ip: text,
    tls: { server_name: text },
    headers: { [text]: [text] },
  },
  response: { status: 502, headers: { 'user-agent': [text] }, bytes: 1 },
  duration_ms: 1,
  upstream: text,
  error: text,
  steps: [{ path: text, module: text, depth: 0, began_ms: 0, duration_ms: 1, own_ms: 1 }],
}));

const events = hostile.map((text, index) => ({
  id: String(index),
  type: text,
  source: text,
  time: now,
  data: { error: text, [text]: text },
}));

/** Mock event streams that end immediately, which makes the page reconnect. */
const streams: Readonly<Record<string, string>> = {
  '/events': eventsOf('event', [...events, { ...events[0], type: 'config_refused' }]),
  '/stats/stream': `${eventsOf('stats', [stats])}${eventsOf('delta', [stats])}`,
  '/traces': eventsOf('trace', traces),
};

function eventsOf(name: string, list: readonly unknown[]): string {
  return list.map((each) => `event: ${name}\ndata: ${JSON.stringify(each)}\n\n`).join('');
}

const views = [
  'overview',
  'sites',
  'upstreams',
  'statistics',
  'certificates',
  'proposals?proposal=1',
  'changes?revision=1',
  'logs',
  'traffic',
  'traffic?tab=traces',
  'traffic?tab=sample',
  'server',
];

describe('dashboard with untrusted strings', function () {
  this.timeout(120_000);
  const suite = testInBrowser({
    document: setAt(shop, routesPath, [...(valueAt(shop, routesPath) as readonly Json[]), ...routes]),
  });

  // Attack in docs/security.md: Dashboard: 200 XSS payloads in names, paths, events and upstream errors.
  it('the dashboard renders untrusted strings as text, so that none of two hundred attacks runs @long', async () => {
    expect(hostile.length).to.be.at.least(200);
    const { page, context, faults } = await suite.open();
    page.on('dialog', (dialog) => void faults.push(`dialog: ${dialog.message()}`));
    await page.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url());
      const stream = streams[pathname];
      const json = responses[pathname];
      if (stream !== undefined) await route.fulfill({ contentType: 'text/event-stream', body: stream });
      else if (json !== undefined) await route.fulfill({ json });
      else if (pathname === '/openapi.json') await route.fulfill({ status: 403, json: {} });
      else await route.continue();
    });
    await page.goto(`${suite.server.origin}/ui/`);
    await page.locator('h1').waitFor();
    for (const view of views) await look(page, view);
    const open = page.getByRole('button', { name: /x$/ }).first();
    await look(page, 'traffic?tab=traces');
    if (await open.isVisible()) await open.click();
    await look(page, 'traffic?tab=explain&url=http%3A%2F%2Fx%2F');
    for (const index of [5, 40, 120, 190])
      for (const as of ['form', 'text'])
        await look(page, `config?path=/apps/http/servers/demo/routes/${index}&as=${as}`);
    await look(page, 'config?find=onerror');
    await page.keyboard.press('Control+k');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('evil');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'ran'))).to.equal(undefined);
    expect(faults.filter((each) => !each.includes('status of 403'))).to.deep.equal([]);
    await context.close();
  });

  it('untrusted strings cannot inject external links or shell commands into the dashboard', async () => {
    const { page, context, faults } = await suite.open();
    await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/5`);
    await page.locator('h1').waitFor();
    const place = encodeURIComponent("http://a/$(touch x)'`touch y`");
    await look(page, `traffic?tab=explain&url=${place}`);
    await page.getByRole('button', { name: 'Copy as curl: POST /explain', exact: true }).click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).to.contain(`'{"url":"http://a/$(touch x)'\\''\`touch y\`","method":"GET"}'`);
    expect(faults.filter((each) => !each.includes('status of 4'))).to.deep.equal([]);
    await context.close();
  });
});

/** Opens a view and verifies that no malicious string was interpreted as markup. */
async function look(page: Page, view: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `/${view}`);
  await page.waitForTimeout(120);
  const found = await page.evaluate(() => {
    const wrong = [
      ...document.querySelectorAll(
        'iframe, img, object, embed, base, form[action], meta[http-equiv], [onerror], [onload], [ontoggle]',
      ),
    ];
    const links = [...document.querySelectorAll('a')].filter(
      (link) => !(link.getAttribute('href') ?? '').startsWith('#/'),
    );
    const scripts = [...document.scripts].filter((script) => script.src === '');
    return [...wrong, ...links, ...scripts].map((each) => each.outerHTML.slice(0, 200));
  });
  expect(found, view).to.deep.equal([]);
}
