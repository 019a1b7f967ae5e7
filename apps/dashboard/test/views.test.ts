import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { violationsIn } from './support/accessible.ts';
import { browserFile, openPage, showView, startBrowser } from './support/browser.ts';
import { startServer, type DashboardServer } from './support/server.ts';
import { shop } from './support/shop.ts';

/** Addresses of all views, with their tabs. */
const views = [
  'overview',
  'sites',
  'sites?add=proxy',
  'sites?add=caddyfile',
  'traffic',
  'traffic?tab=explain&url=http%3A%2F%2Fshop.example.com%2F',
  'traffic?tab=traces',
  'config',
  'config?path=/apps/http/servers/demo/routes/1/handle/0',
  'config?path=/apps/http/servers/demo/routes/1&as=text',
  'config?as=caddyfile',
  'upstreams',
  'certificates',
  'changes?revision=1',
  'logs',
  'server',
];

describe('dashboard: every view', function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: DashboardServer;

  before(async function () {
    if (browserFile === null) {
      this.skip();
      return;
    }
    browser = await startBrowser();
    server = await startServer(shop);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [title, options] of Object.entries({ light: {}, dark: { dark: true }, 'on a phone': { phone: true } })) {
    it(`keeps the policy, and can be read and used by all: ${title}`, async () => {
      const { page, context, faults } = await openPage(browser, { origin: server.origin, ...options });
      await page.goto(`${server.origin}/ui/`);
      await page.locator('h1').waitFor();
      const problems: string[] = [];
      for (const view of views) {
        await showView(page, view);
        await page.waitForTimeout(100);
        problems.push(...(await violationsIn(page)).map((each) => `${view}: ${each}`));
        const { width, inner } = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          inner: innerWidth,
        }));
        if (width > inner) problems.push(`${view}: it is ${width} wide, and the page ${inner}`);
      }
      expect(problems).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }
});
