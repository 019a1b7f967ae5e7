import { request } from 'node:http';
import { shopOn } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard: traffic', function () {
  this.timeout(60_000);
  const suite = testInBrowser({ document: shopOn, page: {} });

  before(() => {
    const timer = setInterval(() => {
      for (const host of ['old.example.com', 'shop.example.com']) visit(suite.port, host);
    }, 100);
    suite.later(() => clearInterval(timer));
  });

  it('is told as it comes: what fails, and where most of it goes', async () => {
    const { page } = suite;
    await page
      .getByText(/% of requests fail, most at shop\.example\.com/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'old.example.com' }).waitFor();
    await page
      .getByText(/ req\/s$/)
      .first()
      .waitFor();
    await page.waitForFunction(() => document.querySelector('link[rel=icon]')?.getAttribute('href')?.includes('bad'));
  });

  it('is a map from servers over hosts to upstreams', async () => {
    const { page } = suite;
    await page.evaluate(() => void (location.hash = '/traffic'));
    const map = page.getByRole('img', { name: /^Servers, hosts and upstreams/ });
    await map.waitFor();
    for (const name of ['demo', 'old.example.com', 'shop.example.com', '127.0.0.1:9'])
      await map.locator('text', { hasText: name }).first().waitFor();
  });

  it('is made a test of, as it is explained', async () => {
    const { page } = suite;
    await page.evaluate(() => void (location.hash = '/traffic?tab=explain&url=http%3A%2F%2Fold.example.com%2F'));
    await page.getByText('The response is 301').waitFor();
    await page.getByRole('button', { name: 'Make this a test', exact: true }).click();
    await page
      .getByText(/A case for sluice test (?:copied|cannot be copied here)/)
      .first()
      .waitFor();
  });

  it('is recorded when that is asked for, with the time of each handler', async function () {
    const { page } = suite;
    await page.evaluate(() => void (location.hash = '/traffic?tab=traces'));
    const record = page.getByRole('button', { name: 'Record', exact: true });
    await record.or(page.getByText('This server records no requests')).first().waitFor();
    if (!(await record.isVisible())) this.skip();
    await page.getByLabel('Host', { exact: true }).fill('old.example.com');
    await record.click();
    await page.getByRole('button', { name: 'GET old.example.com/' }).first().click();
    await page.getByRole('link', { name: 'static_response' }).waitFor();
    await page.getByRole('button', { name: 'Make this a test', exact: true }).click();
    await page
      .getByText(/A case for sluice test (?:copied|cannot be copied here)/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'End and forget' }).click();
    await page.getByText('Nothing is recorded yet.').waitFor();
  });
});

/** Sends a request, whose end does not matter. */
function visit(port: number, host: string): void {
  const sent = request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false }, (response) =>
    response.resume(),
  );
  sent.on('error', () => undefined).end();
}
