import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import type { JsonObject } from '@sluice/base';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

const secret = (number: number): string => `planted-${number}-secret`;

/** All dashboard views in their initial state. */
const views = [
  'overview',
  'sites',
  'traffic',
  'traffic?tab=explain&url=http%3A%2F%2Fshop.example.com%2F',
  'traffic?tab=traces',
  'config',
  'config?path=/apps/http/servers/demo/routes/0/handle/0',
  'config?path=/apps/http/servers/demo/routes/0/handle/0/request/set',
  'config?path=/apps/http/servers/demo/routes/0&as=text',
  'config?path=/apps/tls/automation/policies/0/issuers/0/external_account',
  'config?path=/apps/http&as=text',
  'config?as=caddyfile',
  'config?find=planted',
  'upstreams',
  'statistics',
  'certificates',
  'changes?revision=1',
  'changes?revision=2',
  'logs',
  'server',
];

describe('dashboard with twenty secrets of a server and its clients', function () {
  this.timeout(240_000);
  const suite = testInBrowser({
    document: documentWith,
    page: { expected: /status of [45]\d\d/ },
  });
  let page: Page;
  /** Responses received by the page, excluding those that contain the configuration, and requests sent by the page. */
  const reported: string[] = [];
  const sent: string[] = [];

  before(async () => {
    ({ page } = suite);
    page.on('request', (request) => void note(request));
    await suite.server.change('POST', '/traces', { count: 100, seconds: 600 });
    await page.reload();
    await page.locator('h1').waitFor();
  });

  it('the dashboard never exposes secrets in a view, URL or browser storage', async () => {
    await suite.show('overview');
    const following = page.waitForResponse(/\/logs\/stream/);
    await suite.show('logs');
    // Waits for the subscription, because the stream does not contain entries logged before it.
    await following;
    await askWithSecrets(suite.port);
    await page.getByRole('row').filter({ hasText: '/private' }).first().click();
    await page.getByText('handled request').first().waitFor();
    expect(await textOf(page), 'logs').to.not.contain('planted-');
    for (const view of views) {
      await suite.show(view);
      await page.waitForTimeout(300);
      expect(await textOf(page), view).to.not.contain('planted-');
    }
    expect(page.url().replace('find=planted', '')).to.not.contain('planted');
  });

  it('the dashboard never exposes secrets in a diff, dry run, finding, stored draft, copied patch or command', async () => {
    await suite.show('config?path=/apps/http/servers/demo/routes/0&as=text');
    const editor = page.getByLabel('Configuration as JSON');
    await editor.click();
    await page.keyboard.press('Control+End');
    for (let i = 0; i < 2; i++) await page.keyboard.press('Backspace');
    await page.keyboard.insertText(', "terminal": true }');
    await page.getByRole('button', { name: 'Add to draft' }).click();
    // Adds a route that contains a new secret and all existing secrets.
    await suite.show('config?path=/apps/http/servers/demo/routes&as=text');
    const routes = await suite.server.control.reconciler.read(['apps', 'http', 'servers', 'demo', 'routes']);
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(
      JSON.stringify([...(routes as readonly object[]), (routes as readonly object[])[0]]),
    );
    await page.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText(/\d+ started/).waitFor();
    // Verifies the stored draft as well.
    await page.waitForFunction(() => sessionStorage.getItem('sluice-draft') !== null);
    expect(await textOf(page)).to.not.contain('planted-');
    await page.getByRole('button', { name: 'Copy as JSON Patch' }).click();
    await page.getByText('without secrets').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText()))
      .to.contain('••••••')
      .and.not.contain('planted-');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Copy as curl: PATCH/ })
      .click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('curl'));
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.not.contain('planted-');
  });

  it('the dashboard receives secrets only in the configuration, and sends secrets only in changes', () => {
    expect(reported.length).to.be.above(8);
    expect(reported.filter((each) => each.includes('planted-'))).to.deep.equal([]);
    expect(sent.filter((each) => each.replace('find=planted', '').includes('planted-'))).to.deep.equal([]);
  });

  it('responses of /stats, /traces, /explain and checks contain no secrets', async () => {
    const headers = { Origin: suite.server.origin, 'Content-Type': 'application/json' };
    const explained = { url: `http://demo/?token=${secret(18)}`, headers: { Authorization: [secret(13)] } };
    const ask = async (path: string, init: RequestInit = {}): Promise<string> =>
      (await fetch(suite.server.origin + path, { headers, ...init })).text();
    expect(await ask('/stats')).to.not.contain('planted-');
    const traces = await ask('/traces?follow=false');
    expect(traces).to.contain('/private').and.not.contain('planted-');
    expect(await ask('/explain', { method: 'POST', body: JSON.stringify(explained) })).to.not.contain('planted-');
    expect(await ask('/explain?last=5', { method: 'POST' })).to.not.contain('planted-');
    const { reconciler } = suite.server.control;
    const { warnings = [] } = JSON.parse(
      await ask('/config/?dry_run', { method: 'PATCH', body: JSON.stringify(reconciler.document) }),
    ) as { readonly warnings?: readonly object[] };
    expect(JSON.stringify(warnings)).to.not.contain('planted-');
  });

  async function note(request: Request): Promise<void> {
    const { pathname } = new URL(request.url());
    const isChange = pathname.startsWith('/config') || pathname.startsWith('/history') || pathname === '/adapt';
    sent.push(`${request.method()} ${request.url()} ${isChange ? '' : (request.postData() ?? '')}`);
    if (isChange || pathname.startsWith('/ui/')) return;
    const response = await request.response().catch(() => null);
    const text = await response?.text().catch(() => '');
    reported.push(`${pathname} ${text ?? ''}`);
  }
});

/** Returns all text of a page, including attributes and storage, but excluding the hidden content of password fields. */
function textOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots)
      for (const each of root.querySelectorAll('*')) if (each.shadowRoot !== null) roots.push(each.shadowRoot);
    const typed = roots.flatMap((root) =>
      [...root.querySelectorAll<HTMLInputElement>('input:not([type=password]), textarea')].map(({ value }) => value),
    );
    const kept = [...Object.values(localStorage), ...Object.values(sessionStorage), document.cookie, document.title];
    return [...roots.map((root) => ('body' in root ? root.body : root).innerHTML), ...typed, ...kept].join('\n');
  });
}

/** Returns a configuration that contains thirteen secrets. */
function documentWith(port: number): JsonObject {
  const set = {
    Authorization: [secret(1)],
    Cookie: [secret(2)],
    'X-Api-Key': [secret(3)],
    'Proxy-Authorization': [secret(4)],
  };
  const check = { uri: '/health', interval: '1h', headers: { Authorization: [secret(5)], 'X-Api-Key': [secret(6)] } };
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: [{ dial: '127.0.0.1:9' }],
    headers: { request: { set: { Authorization: [secret(7)], Cookie: [secret(8)] } } },
    health_checks: { active: check },
  };
  const eab = (number: number): JsonObject => ({
    module: 'acme',
    ca: 'https://127.0.0.1:9/directory',
    external_account: { key_id: 'id', mac_key: Buffer.from(secret(number)).toString('base64url') },
  });
  const routes = [
    { match: [{ path: ['/private'] }], handle: [{ handler: 'headers', request: { set } }] },
    { match: [{ host: ['secret.example.com'] }], handle: [proxy], terminal: true },
    {
      handle: [
        {
          handler: 'static_response',
          status_code: 200,
          body: 'x',
          headers: { 'Set-Cookie': [secret(9)], Authorization: [secret(10)] },
        },
      ],
    },
  ];
  const servers = {
    demo: { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, logs: {}, routes },
  };
  return {
    ...(shop as JsonObject),
    logging: { logs: { default: { writer: { output: 'file', filename: '/dev/null' } } } },
    apps: {
      http: { servers },
      tls: { automation: { policies: [{ subjects: ['never.example.com'], issuers: [eab(11), eab(12)] }] } },
    },
  };
}

/** Sends requests that contain the remaining secrets, as clients would. */
async function askWithSecrets(port: number): Promise<void> {
  const headers = {
    Authorization: `Bearer ${secret(13)}`,
    Cookie: `session=${secret(14)}`,
    'X-Api-Key': secret(15),
    'Proxy-Authorization': `Basic ${secret(16)}`,
    'X-Auth-Token': secret(17),
  };
  const query = `?token=${secret(18)}&password=${secret(19)}&api_key=${secret(20)}`;
  const { request } = await import('node:http');
  for (const host of ['demo', 'secret.example.com'])
    await new Promise<void>((resolve, reject) => {
      request(
        { port, host: '127.0.0.1', path: `/private${query}`, headers: { ...headers, Host: host } },
        (response) => {
          response.resume().on('end', resolve);
        },
      )
        .on('error', reject)
        .end();
    });
}
