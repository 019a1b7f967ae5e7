import { createServer, request, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import type { Page } from 'playwright-core';
import { valueAt } from '../src/page/base/json.ts';
import { keyboardOf, mouseOf, type Hands } from './support/hands.ts';
import { testInBrowser } from './support/suite.ts';

const routesPath = ['apps', 'http', 'servers', 'demo', 'routes'];

describe('dashboard tasks of an operator', function () {
  this.timeout(120_000);
  let root: string;
  let upstream: Server;
  const suite = testInBrowser({
    document: async (port) => {
      root = await mkdtemp(join(tmpdir(), 'sluice-jobs-'));
      upstream = createServer((asked, response) => {
        const fails = asked.url === '/broken';
        setTimeout(
          () => response.writeHead(fails ? 503 : 200).end('from the upstream'),
          asked.url === '/slow' ? 300 : 0,
        );
      });
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      suite.later(() => upstream.close());
      return tenSites({ port, dial: `127.0.0.1:${(upstream.address() as AddressInfo).port}`, root });
    },
    page: { expected: /status of 412/ },
  });
  let page: Page;

  before(() => {
    ({ page } = suite);
    const timer = setInterval(() => {
      for (const [host, path] of [
        ['site-1.example.com', '/broken'],
        ['site-2.example.com', '/slow'],
        ['site-3.example.com', '/'],
      ] as const)
        void send(suite.port, host, path);
    }, 150);
    suite.later(() => clearInterval(timer));
  });
  after(async () => {
    if (root !== undefined) await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });
  beforeEach(() => suite.show('overview'));

  for (const hands of [mouseOf(), keyboardOf(() => suite.page)]) jobs(hands);

  /** Registers a test for each user task. Each test starts at the overview. */
  function jobs({ name, press, type, pick }: Hands): void {
    // `keyboard.test.ts` always tests these tasks with the keyboard.
    const long = name === 'by keyboard' ? ' @long' : '';
    it(`an operator can add a site ${name}${long}`, async () => {
      const host = `${name.replaceAll(' ', '-')}.example.com`;
      await go(press, 'Sites');
      await press(button('Add a site'));
      await type(page.getByLabel('Host names'), `${host}:80`);
      await page.getByText(`${host}:80 contains a port.`).waitFor();
      await type(page.getByLabel('Host names'), host);
      await type(
        page.getByLabel('Upstreams', { exact: true }),
        `127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      );
      await page.getByText(`Will be served at http://${host}:${suite.port}/`).waitFor();
      await press(button('Add to draft'));
      await press(button('Review and apply'));
      await press(button('Apply'));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await send(suite.port, host, '/')).to.equal(200);
    });

    it(`an operator can drain an upstream ${name}${long}`, async () => {
      await go(press, 'Upstreams');
      const row = page.getByRole('row').filter({ hasText: '127.0.0.3:9' });
      await press(row.getByRole('button', { name: 'Drain', exact: true }));
      await row
        .getByText(/drain(?:ed|ing)/)
        .first()
        .waitFor();
      await press(row.getByRole('button', { name: 'Undrain', exact: true }));
      await row.getByRole('button', { name: 'Drain', exact: true }).waitFor();
    });

    it(`an operator can find out why a request got a 404 ${name}${long}`, async () => {
      await go(press, 'Traffic');
      await press(page.getByRole('tab', { name: 'Explain' }));
      await type(page.getByLabel('URL', { exact: true }), 'http://unknown.example.com/cart');
      await press(button('Explain'));
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText('Responds with 404').waitFor();
      await result.getByRole('link', { name: 'demo › @missing', exact: true }).first().waitFor();
    });

    it(`an operator can undo the last change ${name}`, async () => {
      const before = suite.server.control.reconciler.document;
      await suite.server.change('PATCH', '/id/site-4/handle/0/body', `wrong ${name}`);
      await go(press, 'Changes');
      // The page reads changes made by other clients within a second, and shows them when the user clicks the button.
      const newer = page.getByRole('button', { name: /^Show \d+ newer changes?$/ });
      const current = page.getByRole('listitem').filter({ hasText: 'Current' }).filter({ hasText: 'PATCH /id/site-4' });
      await newer
        .or(current.getByRole('button', { name: 'Undo this change' }))
        .first()
        .waitFor();
      if (await newer.isVisible()) await press(newer);
      await current.getByText('demo › @site-4 › handle[0].body').first().waitFor();
      await press(button('Undo this change'));
      await page
        .getByText(/Rolled back to revision/)
        .last()
        .waitFor();
      expect(suite.server.control.reconciler.document).to.deep.equal(before);
      const dismiss = page.getByRole('button', { name: 'Dismiss' });
      while ((await dismiss.count()) > 0) await dismiss.first().click();
    });

    it(`an operator can apply a change with auto-rollback, and confirm it ${name}`, async () => {
      await edit({ press, type }, `confirmed ${name}`);
      await pick(page.getByLabel('Auto-rollback after'), '5 min');
      await press(button('Apply with auto-rollback after 5 min'));
      await page.getByText(/will be rolled back in/).waitFor();
      await press(button('Confirm'));
      await page.getByText(/will be rolled back in/).waitFor({ state: 'detached' });
      expect(bodyOf(4)).to.equal(`confirmed ${name}`);
    });

    it(`an operator can find slow requests ${name}`, async () => {
      await go(press, 'Logs and events');
      await type(page.getByLabel('Min. duration (ms)'), '200');
      const log = page.getByRole('grid', { name: 'Live log' });
      await log.getByText('/slow').first().waitFor();
      expect(await log.getByText('/broken').count()).to.equal(0);
      await type(page.getByLabel('Min. duration (ms)'), '');
    });

    it(`an operator can see the certificate that expires next ${name}`, async () => {
      await go(press, 'Certificates');
      const first = page.getByRole('row').nth(1);
      await first.getByText('soon.example.com', { exact: true }).waitFor();
      await first
        .getByText(/in \d+ (?:min|h)/)
        .first()
        .waitFor();
    });

    it(`an operator can resolve a draft conflict ${name}`, async () => {
      await edit({ press, type }, `mine ${name}`, () =>
        suite.server.change('PATCH', '/id/site-4/handle/0/body', `theirs ${name}`),
      );
      await page.getByText('1 value changed on both sides').waitFor();
      await press(page.getByRole('radio', { name: /^Yours/ }));
      await press(button('Rebase draft'));
      await page.getByText(`+ "mine ${name}"`).waitFor();
      await press(button('Apply'));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(bodyOf(4)).to.equal(`mine ${name}`);
    });

    it(`an operator can filter the live log for 5xx responses of one host, and open a line ${name}`, async () => {
      await go(press, 'Logs and events');
      await type(page.getByLabel('Host', { exact: true }), 'site-1.example.com');
      await type(page.getByLabel('Status', { exact: true }), '5xx');
      const log = page.getByRole('grid', { name: 'Live log' });
      await log.getByText('/broken').first().waitFor();
      expect(
        await log
          .getByRole('gridcell')
          .filter({ hasText: /site-[23]/ })
          .count(),
      ).to.equal(0);
      if (name === 'by mouse') await log.getByText('/broken').first().click();
      else {
        await press(log);
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Enter');
      }
      const details = page.getByRole('region', { name: 'Log entry' });
      await details.getByText('request.headers.User-Agent').waitFor();
      await press(button('Pause'));
      const downloading = page.waitForEvent('download');
      await press(button('Download'));
      expect((await downloading).suggestedFilename()).to.match(/^log-.*\.jsonl$/);
      await press(button('Clear filters'));
    });

    it(`an operator can record traces, inspect a trace, and stop the recording ${name}`, async () => {
      await go(press, 'Traffic');
      await press(page.getByRole('tab', { name: 'Traces' }));
      await type(page.getByLabel('Host', { exact: true }), 'site-2.example.com');
      await press(button('Record'));
      const trace = page.getByRole('button', { name: 'GET site-2.example.com/slow' }).first();
      await trace.waitFor();
      await press(trace);
      await page
        .getByRole('region', { name: /^Trace of GET site-2/ })
        .getByText('reverse_proxy')
        .first()
        .waitFor();
      await press(button('Stop and clear'));
      await page.getByText('No traces yet.').waitFor();
    });
  }

  async function go(press: Hands['press'], view: string): Promise<void> {
    await press(
      page.getByRole('navigation', { name: 'Views', exact: true }).getByRole('link', { name: view, exact: true }),
    );
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
  }

  /** Edits a site's response and opens the review. `meanwhile` runs before the review. */
  async function edit(
    { press, type }: Pick<Hands, 'press' | 'type'>,
    body: string,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    await suite.show('config', { path: '/apps/http/servers/demo/routes/4/handle/0' });
    const field = page.getByLabel('body', { exact: true });
    await page.waitForFunction(
      (wanted) => [...document.querySelectorAll('input')].some(({ value }) => value === wanted),
      bodyOf(4),
    );
    await type(field, body);
    await page.keyboard.press('Tab');
    await page.getByText('1 change in the draft').waitFor();
    await meanwhile();
    await press(button('Review and apply'));
  }

  function button(name: string) {
    return page.getByRole('button', { name, exact: true });
  }

  function bodyOf(route: number): unknown {
    return valueAt(suite.server.control.reconciler.document, [...routesPath, route, 'handle', 0, 'body']);
  }
});

function send(port: number, host: string, path: string): Promise<number> {
  return new Promise((resolve) => {
    request(
      { host: '127.0.0.1', port, path, headers: { Host: host, 'User-Agent': 'jobs' }, agent: false },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    )
      .on('error', () => resolve(0))
      .end();
  });
}

/** Returns a configuration with ten sites, access logs, and internal CA certificates with different lifetimes. */
function tenSites({ port, dial, root }: { port: number; dial: string; root: string }): Json {
  const proxies = ['127.0.0.3:9', dial, dial, dial].map((each, index) => ({
    '@id': `site-${index}`,
    match: [{ host: [`site-${index}.example.com`] }],
    handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: each }] }],
    terminal: true,
  }));
  const others = [4, 5, 6, 7, 8, 9].map((index) => ({
    '@id': `site-${index}`,
    match: [{ host: [`site-${index}.example.com`] }],
    handle: [{ handler: 'static_response', body: `site ${index}` }],
    terminal: true,
  }));
  const missing = { '@id': 'missing', handle: [{ handler: 'static_response', status_code: 404 }] };
  const internal = (lifetime: string): JsonObject => ({ issuers: [{ module: 'internal', lifetime }] });
  return {
    admin: { listen: '127.0.0.1:0' },
    storage: { module: 'file_system', root },
    logging: { logs: { default: { writer: { output: 'file', filename: '/dev/null' } } } },
    apps: {
      http: {
        servers: {
          demo: {
            listen: [`127.0.0.1:${port}`],
            automatic_https: { disable: true },
            logs: {},
            routes: [...proxies, ...others, missing],
          },
        },
      },
      tls: {
        certificates: { automate: ['late.example.com', 'soon.example.com'] },
        automation: { policies: [{ subjects: ['soon.example.com'], ...internal('2h') }, internal('40h')] },
      },
      pki: { certificate_authorities: { local: { install_trust: false } } },
    },
  };
}
