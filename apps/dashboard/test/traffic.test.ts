import { request } from 'node:http';
import { shopOn } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard view of traffic', function () {
  this.timeout(60_000);
  const suite = testInBrowser({ document: shopOn, page: {} });

  before(() => {
    const timer = setInterval(() => {
      for (const host of ['old.example.com', 'shop.example.com']) visit(suite.port, host);
    }, 100);
    suite.later(() => clearInterval(timer));
  });

  it('the live traffic view is updated continuously, and shows failures and the busiest hosts', async () => {
    const { page } = suite;
    await page
      .getByText(/% of requests fail, most of them for shop\.example\.com/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'old.example.com' }).waitFor();
    await page
      .getByText(/ req\/s$/)
      .first()
      .waitFor();
    await page.waitForFunction(() => document.querySelector('link[rel=icon]')?.getAttribute('href')?.includes('bad'));
  });

  it('the traffic map shows the flow from servers through hosts to upstreams', async () => {
    const { page } = suite;
    await page.evaluate(() => void (location.hash = '/traffic'));
    const map = page.getByRole('img', { name: /^Request flow by server, host and upstream/ });
    await map.waitFor();
    for (const name of ['demo', 'old.example.com', 'shop.example.com', '127.0.0.1:9'])
      await map.locator('text', { hasText: name }).first().waitFor();
  });

  it('a request can be explained and copied as a test case', async () => {
    const { page } = suite;
    await page.evaluate(() => void (location.hash = '/traffic?tab=explain&url=http%3A%2F%2Fold.example.com%2F'));
    await page.getByText('Responds with 301').waitFor();
    await page.getByRole('button', { name: 'Copy as test', exact: true }).click();
    await page
      .getByText(/Test case for sluice test copied|Cannot copy test case/)
      .first()
      .waitFor();
  });

  it('the traces view records on demand, and shows handler durations next to the selected row', async function () {
    const { page } = suite;
    await page.evaluate(() => void (location.hash = '/traffic?tab=traces'));
    const record = page.getByRole('button', { name: 'Record', exact: true });
    await record.or(page.getByText('This server does not record traces')).first().waitFor();
    if (!(await record.isVisible())) this.skip();
    await page.getByLabel('Host', { exact: true }).fill('old.example.com');
    await record.click();
    await page.getByRole('button', { name: 'GET old.example.com/' }).first().click();
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { expanded: true }) });
    const details = row.locator('xpath=following-sibling::tr[1]').getByRole('region', { name: /^Trace of GET old/ });
    await details.getByRole('link', { name: 'static_response' }).waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector('.trace')?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
      return top >= 0 && top < innerHeight && bottom > 0;
    });
    await page.getByRole('button', { name: 'Copy as test', exact: true }).click();
    await page
      .getByText(/Test case for sluice test copied|Cannot copy test case/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Stop and clear' }).click();
    await page.getByText('No traces yet.').waitFor();
  });
});

/** Sends a request and ignores the response. */
function visit(port: number, host: string): void {
  const sent = request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false }, (response) =>
    response.resume(),
  );
  sent.on('error', () => undefined).end();
}
