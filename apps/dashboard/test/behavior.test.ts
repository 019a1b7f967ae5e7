import { request } from 'node:http';
import { expect } from 'chai';
import { violationsIn } from './support/accessible.ts';
import { shopOn } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard view of recorded requests', function () {
  this.timeout(60_000);
  const suite = testInBrowser({ document: shopOn, page: {} });

  before(async () => {
    if (suite.port === 0) return;
    for (let sent = 0; sent < 5; sent += 1) await visit(suite.port, 'old.example.com');
    const headers = { Origin: suite.server.origin };
    for (let left = 100; left > 0; left -= 1) {
      const response = await fetch(`${suite.server.origin}/samples`, { headers });
      if (((await response.json()) as { readonly count: number }).count > 0) return;
      await suite.page.waitForTimeout(50);
    }
    throw new Error('no request was recorded');
  });
  afterEach(async () => {
    const discard = suite.page.getByRole('button', { name: 'Discard' });
    if ((await discard.count()) === 0) return;
    await suite.page.getByRole('button', { name: 'Close' }).click();
    await discard.click();
  });

  it('the traffic view lists the recorded requests, and downloads them as an HTTP Archive', async () => {
    const { page } = suite;
    await suite.show('traffic', { tab: 'sample' });
    const row = page.getByRole('row').filter({ hasText: 'GET old.example.com/' }).first();
    await row.getByText(/301$/).waitFor();
    await row.getByRole('link', { name: 'demo › old.example.com' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download HAR' }).click();
    expect((await saved).suggestedFilename()).to.equal('requests.har');
    expect(await violationsIn(page)).to.deep.equal([]);
    await row.getByRole('link', { name: 'GET old.example.com/' }).click();
    await page.getByText('Responds with 301').waitFor();
  });

  it('the review shows which recorded requests would be handled differently, with an example', async () => {
    await review('routes/3/handle/0/status_code', 302);
    const behavior = suite.page.getByRole('region', { name: 'Behavior' });
    await behavior.getByText(/compared requests? would be handled differently$/).waitFor();
    const group = behavior.getByRole('listitem').filter({ hasText: /recorded requests to old\.example\.com/ });
    await group.getByText(/get status 302 instead of 301/).waitFor();
    await group.getByText('demo › old.example.com').waitFor();
    await group.getByText('GET http://old.example.com/').waitFor();
    expect(await group.innerText()).to.match(/301 → 302/);
    expect(await violationsIn(suite.page)).to.deep.equal([]);
  });

  it('the review states that no compared request is handled differently', async () => {
    await review('routes/3', {
      group: 'moved',
      match: [{ host: ['old.example.com'] }],
      handle: [{ handler: 'static_response', status_code: 301, headers: { Location: ['https://shop.example.com/'] } }],
      terminal: true,
    });
    const behavior = suite.page.getByRole('region', { name: 'Behavior' });
    await behavior.getByText('All compared requests are handled the same way').waitFor();
    await behavior.getByText(/^\d+ recorded and \d+ generated requests: \d+ the same, 0 different/).waitFor();
  });

  it('the review states why requests are undecided', async () => {
    await review('routes/3/match', [{ host: ['old.example.com'], expression: '{http.request.cookie.beta} == "1"' }]);
    const behavior = suite.page.getByRole('region', { name: 'Behavior' });
    await behavior.getByRole('heading', { name: 'Undecided' }).waitFor();
    const undecided = behavior.getByRole('listitem').filter({ hasText: 'Example:' });
    expect(await undecided.first().innerText()).to.match(/cookie/i);
  });

  /** Edits a value of the server `demo` in the text editor and opens the review. */
  async function review(path: string, value: unknown): Promise<void> {
    const { page } = suite;
    await suite.show('config', { path: `/apps/http/servers/demo/${path}`, as: 'text' });
    await page.getByLabel('Configuration as JSON').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify(value));
    await page.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByRole('button', { name: 'Review and apply' }).click();
  }
});

/** Sends a request and waits for its response. */
function visit(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { host, cookie: 'beta=1' };
    const sent = request({ host: '127.0.0.1', port, path: '/', headers, agent: false }, (response) =>
      response.resume().on('end', resolve),
    );
    sent.on('error', reject).end();
  });
}
