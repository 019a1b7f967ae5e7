import { expect } from 'chai';
import { violationsIn } from './support/accessible.ts';
import { showView } from './support/browser.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

const views = [
  'overview',
  'sites',
  'sites?add=proxy',
  'sites?add=caddyfile',
  'traffic',
  'traffic?tab=explain&url=http%3A%2F%2Fshop.example.com%2F',
  'traffic?tab=traces',
  'traffic?tab=sample',
  'config',
  'config?path=/apps/http/servers/demo/routes/1/handle/0',
  'config?path=/apps/http/servers/demo/routes/1&as=text',
  'config?as=caddyfile',
  'upstreams',
  'statistics',
  'certificates',
  'proposals',
  'changes?revision=1',
  'logs',
  'logs?tab=events',
  'logs?tab=levels',
  'server',
];

describe('dashboard views', function () {
  this.timeout(120_000);
  const suite = testInBrowser({ document: shop });

  for (const [title, options] of Object.entries({
    'in light mode': {},
    'in dark mode': { dark: true },
    'on a tablet': { width: 768 },
    'on a phone': { phone: true },
    'on a phone in dark mode': { phone: true, dark: true },
  })) {
    it(`the dashboard fits the screen and has no accessibility violations ${title} @long`, async () => {
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
        if (width > inner) problems.push(`${view}: content is ${width} px wide, the screen ${inner} px`);
      }
      expect(problems).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }

  it('dashboard dialogs, banners and details have no accessibility violations @long', async () => {
    for (const options of [{}, { dark: true }, { phone: true }]) {
      const { page, context, faults } = await suite.open(options);
      await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/0/handle/0`);
      const body = page.getByLabel('body', { exact: true });
      await body.fill('a draft');
      await body.blur();
      await page.getByRole('button', { name: 'Review and apply' }).click();
      await page.getByText('2 rebuilt').waitFor();
      expect(await violationsIn(page), 'review').to.deep.equal([]);
      await page.getByRole('button', { name: /^Apply with auto-rollback/ }).click();
      await page.getByText(/will be rolled back in/).waitFor();
      expect(await violationsIn(page), 'unconfirmed change').to.deep.equal([]);
      await page.getByRole('button', { name: 'Roll back now' }).click();
      await page.getByText(/will be rolled back in/).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^View, host/ }).waitFor();
      expect(await violationsIn(page), 'palette').to.deep.equal([]);
      await page.keyboard.press('Escape');
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });
});
