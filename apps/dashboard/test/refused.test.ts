import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

const handling = (...handle: Json[]): Json => ({ handle });
const matching = (match: Json): Json => ({ match: [match], handle: [{ handler: 'static_response' }] });

/** Routes that the server rejects. */
const refused: readonly Json[] = [
  handling({ handler: 'nowhere' }),
  handling({}),
  handling({ handler: 'static_response', bodi: 'x' }),
  handling({ handler: 'static_response', body: 5 }),
  handling({ handler: 'static_response', headers: 'x' }),
  handling({ handler: 'subroute', routes: [handling({ handler: 'nowhere' })] }),
  handling({ handler: 'reverse_proxy', transport: { protocol: 'nowhere' } }),
  handling({ handler: 'reverse_proxy', load_balancing: { selection_policy: { policy: 'nowhere' } } }),
  handling({
    handler: 'reverse_proxy',
    load_balancing: { selection_policy: { policy: 'weighted_round_robin', weights: [-1] } },
  }),
  handling({ handler: 'encode', encodings: { nothing: {} } }),
  handling({ handler: 'rewrite', uri: 5 }),
  handling({ handler: 'headers', response: { set: 5 } }),
  handling({ handler: 'file_server', hide: 'x' }),
  { handle: 'x' },
  { terminal: 'yes' },
  { unknown: 1 },
  matching({ nothing: [] }),
  matching({ path: 'x' }),
  matching({ path_regexp: { pattern: '(' } }),
  matching({ remote_ip: { ranges: ['300.1.1.1'] } }),
  matching({ expression: '(' }),
];

/** Errors that the server returns after a successful dry run. */
const failures: readonly (readonly [status: number, error: string])[] = [
  [400, 'apps.http.servers.demo.routes[0]: it is refused'],
  [401, 'requires a token'],
  [403, 'this token may not change it'],
  [409, 'another change waits for its confirmation'],
  [500, 'apps.http.servers.demo: a worker ended'],
  [503, 'the store of the fleet is away'],
  [504, 'what became of it is not known'],
  [0, 'the server is unreachable'],
];

describe('dashboard with rejected changes', function () {
  this.timeout(240_000);
  const suite = testInBrowser({ document: shop, page: { expected: /status of [45]\d\d|net::ERR_FAILED/ } });
  let taken: Server;

  before(() => {
    taken = createServer().listen(0, '127.0.0.1');
    suite.later(() => taken.close());
  });

  it('the tests of rejected changes cover at least thirty cases', () => {
    expect(refused.length + failures.length + 1).to.be.at.least(30);
  });

  it('a rejected change stays on the screen with its path and the reason, and never appears as applied @long', async () => {
    const before = JSON.stringify(suite.server.control.reconciler.document);
    for (const route of refused) {
      const said = await reasonFor(route);
      expect(said).to.match(/apps\.http\.servers\.demo\.routes\[0\]\S* *[^ ]/);
      await edit(['routes', 0], route);
      await suite.page.getByRole('dialog').getByRole('alert').getByText(said).waitFor();
      expect(await suite.page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).to.equal(true);
      await drop();
    }
    expect(JSON.stringify(suite.server.control.reconciler.document)).to.equal(before);
  });

  it('the dashboard keeps a change and shows the reason if the server rejects the change @long', async () => {
    const { page } = suite;
    const before = JSON.stringify(suite.server.control.reconciler.document);
    for (const [index, [status, error]] of failures.entries()) {
      await edit(['routes', 0], handling({ handler: 'static_response', body: `try ${index}` }));
      await page.route(
        (url) => url.pathname.startsWith('/config') && !url.search.includes('dry_run'),
        async (route) => {
          if (route.request().method() !== 'PATCH') await route.continue();
          else if (status === 0) await route.abort();
          else await route.fulfill({ status, json: { error } });
        },
      );
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      await (
        status === 401
          ? page.getByText('This server requires a token.')
          : page.getByRole('dialog').getByRole('alert').getByText(error)
      ).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await neverMade();
      if (status === 401) await page.reload();
      else await drop();
    }
    expect(JSON.stringify(suite.server.control.reconciler.document)).to.equal(before);
  });

  it('the dashboard keeps a change if the listen address is already in use', async () => {
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await edit(['listen'], [`127.0.0.1:${port}`]);
    const apply = suite.page.getByRole('button', { name: 'Apply', exact: true });
    const problem = suite.page.getByRole('dialog').getByRole('alert').getByText(`127.0.0.1:${port}`);
    await apply.click();
    await problem.waitFor();
    await neverMade();
    await drop();
  });

  /** Edits a value of the server `demo` in the text editor and starts a dry run. */
  async function edit(path: readonly (string | number)[], value: Json): Promise<void> {
    const { page } = suite;
    const hash = `/config?path=/apps/http/servers/demo/${path.join('/')}&as=text`;
    await page.evaluate((to) => void (location.hash = to), hash);
    const editor = page.getByLabel('Configuration as JSON');
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify(value));
    await page.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByRole('dialog').waitFor();
  }

  async function drop(): Promise<void> {
    await neverMade();
    await suite.page.getByRole('button', { name: 'Close' }).click();
    await suite.page.getByRole('button', { name: 'Discard' }).click();
  }

  async function neverMade(): Promise<void> {
    expect(await suite.page.getByText(/Change applied|Rollout started/).count()).to.equal(0);
  }

  /** Returns the reason that the server gives for rejecting a route. */
  async function reasonFor(route: Json): Promise<string> {
    const headers = { 'Content-Type': 'application/json', Origin: suite.server.origin };
    const response = await fetch(`${suite.server.origin}/config/apps/http/servers/demo/routes/0?dry_run`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(route),
    });
    expect(response.status, JSON.stringify(route)).to.be.within(400, 499);
    return ((await response.json()) as { readonly error: string }).error;
  }
});
