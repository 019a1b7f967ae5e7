import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserFile, openPage, startBrowser } from './support/browser.ts';
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

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

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
        await show(page, view);
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

/** Goes to a view and waits for it. */
async function show(page: Page, view: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `/${view}`);
  await page.waitForFunction(
    () => document.querySelector('h1') !== null && !document.body.innerText.includes('Loading …'),
  );
  await page.waitForTimeout(100);
}

/** What axe finds that is serious or critical. It is run apart from the page, where the policy does not reach. */
async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as { run: (options: object) => Promise<{ violations: unknown }> };
    return (await run.run({ resultTypes: ['violations'] })).violations;
  });
  return (violations as readonly Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(
          ({ html, failureSummary }) =>
            `${id}: ${html.slice(0, 160)} ${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
        ),
    );
}
