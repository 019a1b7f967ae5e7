import { get } from 'node:http';
import { expect } from 'chai';
import { violationsIn } from './support/accessible.ts';
import { testInBrowser } from './support/suite.ts';

const zones = {
  per_key: { key: '{http.request.header.x-key}', window: '10m', max_events: 2 },
  all: { key: 'static', window: '1h', max_events: 1000 },
};

describe('dashboard rate limits', function () {
  this.timeout(60_000);
  let httpPort = 0;
  const suite = testInBrowser({
    page: {},
    document: async (port) => {
      httpPort = port;
      return {
        admin: { listen: '127.0.0.1:0' },
        apps: {
          http: {
            servers: {
              demo: {
                listen: [`127.0.0.1:${port}`],
                automatic_https: { disable: true },
                routes: [
                  {
                    handle: [
                      { handler: 'rate_limit', rate_limits: zones },
                      { handler: 'static_response', body: 'ok' },
                    ],
                  },
                ],
              },
            },
          },
        },
      };
    },
  });

  function send(key: string): Promise<number> {
    return new Promise((resolve, reject) => {
      get({ port: httpPort, host: '127.0.0.1', headers: { 'x-key': key } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject);
    });
  }

  it('the rate limits view shows zones and keys, and can reset a key', async () => {
    const { page } = suite;
    const hostile = '<b>x</b>';
    for (const key of ['a', 'a', 'a', hostile]) await send(key);
    await suite.show('traffic?tab=limits');
    const row = page.getByRole('row').filter({ hasText: 'per_key' });
    await row.getByText('2 requests per 10 min').waitFor();
    await page.getByRole('button', { name: '2 keys in per_key' }).click();
    await page.getByText(hostile, { exact: true }).waitFor();
    expect(await violationsIn(page)).to.deep.equal([]);
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('a');
    await page.getByText(hostile, { exact: true }).waitFor({ state: 'detached' });
    expect(await send('a')).to.equal(429);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('a in zone per_key was reset').waitFor();
    expect(await send('a')).to.equal(200);
  });
});
