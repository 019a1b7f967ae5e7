import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserFile, openPage, startBrowser, type WatchedPage } from './support/browser.ts';
import { startServer, type DashboardServer } from './support/server.ts';
import { shop } from './support/shop.ts';

describe('dashboard: in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let server: DashboardServer;
  let opened: WatchedPage;

  before(async function () {
    if (browserFile === null) {
      this.skip();
      return;
    }
    browser = await startBrowser();
    server = await startServer(shop);
    opened = await openPage(browser, server);
    await opened.page.goto(`${server.origin}/ui/`);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    expect(opened?.faults ?? []).to.deep.equal([]);
  });

  it('says in one sentence how the server is', async () => {
    await opened.page.getByText('All well').waitFor();
    expect(await opened.page.title()).to.equal('Overview · Sluice');
  });
});
