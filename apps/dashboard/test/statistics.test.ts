import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { violationsIn } from './support/accessible.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

const step = 10;
const names = ['cut', '1xx', '2xx', '3xx', '4xx', '5xx'].map((name) => `status_${name}`);

/** Returns a response of `GET /stats/history` with a gap. There are 20 requests per second, of which 1 fails, and 40 in the last step. */
function historyOf(url: URL): object {
  const seconds = Number.parseInt(url.searchParams.get('range') ?? '', 10);
  const to = Math.floor(Date.now() / 1000 / step) * step;
  const since = Date.parse(url.searchParams.get('since') ?? '') / 1000 || to - seconds;
  const steps = Math.max(0, Math.round((to - since) / step));
  const values = (value: number, last = value): (number | null)[] =>
    Array.from({ length: steps }, (_, at) => (at === steps - 3 ? null : at === steps - 1 ? last : value));
  const zero = Object.fromEntries([...names, 'retries', 'bytes_in'].map((name) => [name, values(0)]));
  return {
    step,
    from: new Date(since * 1000).toISOString(),
    to: new Date(to * 1000).toISOString(),
    kept: [{ step, seconds: 3600 }],
    series: {
      ...zero,
      status_2xx: values(19, 39),
      status_5xx: values(1),
      p50: values(2),
      p90: values(30),
      p99: values(1500),
      bytes_out: values(2048),
      in_flight: values(3),
      connections: values(8),
      handshakes: values(4),
      failed_handshakes: values(0),
      idle: values(2),
      waiting: values(0),
      unhealthy: values(0.5),
      down: values(0),
    },
    upstreams: [
      { address: '127.0.0.1:9', downtime_seconds: 7200 },
      { address: '127.0.0.2:9', downtime_seconds: 0 },
    ],
  };
}

describe('dashboard statistics', function () {
  this.timeout(60_000);
  const suite = testInBrowser({ document: shop });
  const asked: URL[] = [];

  async function opened(
    hash: string,
    options: { expected?: RegExp } = {},
  ): Promise<Awaited<ReturnType<typeof suite.open>>> {
    asked.length = 0;
    const watched = await suite.open(options);
    await watched.page.route('**/stats/history?**', (route: Route) => {
      const url = new URL(route.request().url());
      asked.push(url);
      return route.fulfill({ json: historyOf(url) });
    });
    await watched.page.goto(`${suite.server.origin}/ui/#/${hash}`);
    return watched;
  }

  /** Returns the legend of the chart with the given title. */
  function legendOf(page: Page, title: string): ReturnType<Page['getByRole']> {
    return page.getByRole('figure').filter({ hasText: title }).getByRole('listitem');
  }

  it('charts show the last values of all series with units', async () => {
    const { page, context, faults } = await opened('statistics');
    await page.locator('.uplot').first().waitFor();
    const texts = async (title: string): Promise<string[]> => legendOf(page, title).allInnerTexts();
    expect(await texts('Requests req/s')).to.deep.equal(['req/s 40 max 40']);
    expect(await texts('Errors')).to.deep.equal(['5xx % 2.50% max 5%']);
    expect(await texts('Latency')).to.deep.equal(['p50 2 ms max 2 ms', 'p90 30 ms max 30 ms', 'p99 1.50 s max 1.50 s']);
    expect(await texts('TLS handshakes')).to.deep.equal(['completed 4 max 4', 'failed 0 max 0']);
    expect(await texts('Bytes')).to.include('sent 2 KiB max 2 KiB');
    const downtime = page.getByRole('region', { name: 'Upstream downtime' });
    await downtime.getByText('2 h').waitFor();
    expect(await downtime.getByText('127.0.0.2:9').count()).to.equal(0);
    await page.getByRole('region', { name: 'Listeners' }).getByText('header timeout 60 s').waitFor();
    expect(await violationsIn(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('charts show the values at the cursor, and gaps for missing values', async () => {
    const { page, context, faults } = await opened('statistics');
    const chart = page.getByRole('group', { name: /^Requests/ });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await legendOf(page, 'Requests req/s').getByText('20', { exact: true }).waitFor();
    await legendOf(page, 'Errors').getByText('5%', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await legendOf(page, 'Requests req/s').getByText('–', { exact: true }).waitFor();
    await legendOf(page, 'Latency').getByText('–', { exact: true }).first().waitFor();
    const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await legendOf(page, 'Requests req/s').getByText('20', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the statistics view first requests the full selected range, and then only new steps @long', async () => {
    const { page, context, faults } = await opened('statistics?range=86400');
    await page.locator('.uplot').first().waitFor();
    await page.getByLabel('Range').selectOption('5 min');
    await page.getByLabel('Source').selectOption('127.0.0.1:9');
    await legendOf(page, 'Health').getByText('50%', { exact: true }).waitFor();
    await legendOf(page, 'Connection pool').getByText('idle').waitFor();
    expect(page.url()).to.contain('range=300').and.contain('upstream=127.0.0.1%3A9');
    const ofView = asked.map(({ searchParams }) => [searchParams.get('range'), searchParams.get('upstream')]);
    expect(ofView).to.deep.include.members([
      ['86400s', null],
      ['300s', null],
      ['300s', '127.0.0.1:9'],
    ]);
    const before = asked.length;
    while (asked.length === before) await page.waitForTimeout(200);
    expect(Date.parse(asked.at(-1)?.searchParams.get('since') ?? '')).to.be.above(Date.now() - 60_000);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('only the statistics view loads uPlot', async () => {
    const { page, context } = await suite.open();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await page.goto(`${suite.server.origin}/ui/#/overview`);
    await page.locator('h1').waitFor();
    expect(scripts.filter((path) => path.includes('statistics'))).to.deep.equal([]);
    await page.evaluate(() => void (location.hash = '/statistics'));
    await page.getByRole('heading', { name: 'Statistics' }).waitFor();
    expect(scripts.filter((path) => path.includes('statistics'))).to.have.length(1);
    await context.close();
  });

  it('charts remain visible below a banner while the server is unreachable @long', async () => {
    const { page, context, faults } = await opened('statistics?range=300', { expected: /Failed to load resource/ });
    await legendOf(page, 'Requests req/s').getByText('40', { exact: true }).waitFor();
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('alert').getByText('The server has been unreachable since').waitFor({ timeout: 30_000 });
    await page.getByRole('heading', { name: 'Requests req/s' }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(1);
    await page.unroute('**/*');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
