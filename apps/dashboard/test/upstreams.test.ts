import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { setAt, type Json } from '../src/page/base/json.ts';
import { violationsIn } from './support/accessible.ts';
import { testInBrowser } from './support/suite.ts';

/** Number of proxies. Half of the proxies use one upstream, and half use the other. */
const proxies = 500;

describe('dashboard with many proxies of an upstream', function () {
  this.timeout(60_000);
  let upstream: Server;
  let dial = '';
  const unused = '127.0.0.9:9';
  const suite = testInBrowser({
    page: {},
    document: async (port) => {
      upstream = createServer((_request, response) => void response.end('ok'));
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
      return documentOf(port, dial);
    },
  });
  after(() => void upstream?.close());

  function documentOf(port: number, address: string): Json {
    const routes = Array.from({ length: 2 * proxies }, (_, index) => ({
      match: [{ path: [`/${index}`] }],
      handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: index % 2 === 0 ? address : unused }] }],
    }));
    const server: Json = { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes };
    return setAt({ admin: { listen: '127.0.0.1:0' } }, ['apps'], { http: { servers: { demo: server } } });
  }

  it('the upstreams view counts the proxies of an upstream, and lists them in pages when expanded', async () => {
    const { page } = suite;
    await suite.show('upstreams');
    expect(await page.getByRole('link', { name: /^demo ›/ }).count()).to.equal(0);
    await page.getByRole('button', { name: `Used by ${proxies} proxies: ${dial}` }).click();
    const list = page.getByRole('list', { name: `Proxies that use ${dial}` });
    await list.getByRole('link', { name: 'demo › /0 › handle[0]' }).waitFor();
    expect(await list.getByRole('listitem').count()).to.equal(20);
    await page.getByText(`1–20 of ${proxies}`).waitFor();
    await page
      .getByRole('navigation', { name: `Pages of proxies that use ${dial}` })
      .getByText('Next')
      .click();
    await list.getByRole('link', { name: 'demo › /40 › handle[0]' }).waitFor();
    expect(await list.getByRole('listitem').count()).to.equal(20);
    expect(await violationsIn(page)).to.deep.equal([]);
  });

  it('the upstreams view shows the health, the reason, and the draining state for each proxy @long', async () => {
    const { page } = suite;
    await suite.show('upstreams');
    const row = page.getByRole('row').filter({ hasText: dial });
    await row.getByText(/^\W*unknown$/).waitFor();
    await row.getByText(/^no health checks are configured/).waitFor();
    await row.getByRole('button', { name: 'Drain', exact: true }).click();
    await row.getByText(/^\W*drained$/).waitFor();
    await row.getByRole('button', { name: 'Undrain', exact: true }).click();
    await row.getByText(/^\W*unknown$/).waitFor();
  });

  it('upstream actions are visible at all screen sizes @long', async () => {
    for (const [width, height] of [
      [1400, 900],
      [1100, 900],
      [768, 1024],
      [390, 844],
    ] as const) {
      const { page, context, faults } = await suite.open();
      await page.setViewportSize({ width, height });
      await page.goto(`${suite.server.origin}/ui/#/upstreams`);
      const drain = page.getByRole('button', { name: 'Drain', exact: true }).first();
      await drain.waitFor();
      expect([width, await isInSight(page, width)]).to.deep.equal([width, true]);
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).to.deep.equal([
        width,
        true,
      ]);
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  /** Reports whether the first action is visible and can be clicked at its center. */
  function isInSight(page: Page, width: number): Promise<boolean> {
    return page.evaluate((inner) => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Drain');
      const box = button?.getBoundingClientRect();
      if (button === undefined || box === undefined || box.left < 0 || box.right > inner) return false;
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return button.contains(hit);
    }, width);
  }

  it('the upstreams view fetches proxies only after changes @long', async () => {
    const { page, context, faults } = await suite.open();
    const sizes: number[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.startsWith('/reverse_proxy/'))
        void response.body().then((body) => void sizes.push(body.length));
    });
    await page.goto(`${suite.server.origin}/ui/#/upstreams`);
    await page.getByText('2 upstreams').waitFor();
    while (sizes.length < 3) await page.waitForTimeout(100);
    const [, ...later] = sizes;
    expect(Math.max(...later.slice(1))).to.be.below(100);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
