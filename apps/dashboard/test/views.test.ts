import { expect } from 'chai';
import { violationsIn } from './support/accessible.ts';
import { showView } from './support/browser.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

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
  'statistics',
  'certificates',
  'changes?revision=1',
  'logs',
  'server',
];

describe('dashboard: every view', function () {
  this.timeout(120_000);
  const suite = testInBrowser({ document: shop });

  for (const [title, options] of Object.entries({ light: {}, dark: { dark: true }, 'on a phone': { phone: true } })) {
    it(`keeps the policy, and can be read and used by all: ${title} @long`, async () => {
      const { page, context, faults } = await suite.open(options);
      await page.goto(`${suite.server.origin}/ui/`);
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
