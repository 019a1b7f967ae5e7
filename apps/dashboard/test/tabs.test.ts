import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import type { WatchedPage } from './support/browser.ts';
import { shopOn } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

/** Number of browser tabs. With two connections per tab, they exceed the browser limit of six connections per server. */
const tabs = 4;

describe('dashboard in many browser tabs', function () {
  this.timeout(300_000);
  const suite = testInBrowser({ document: shopOn });
  let opened: WatchedPage;
  let context: BrowserContext;
  let pages: Page[] = [];

  before(async () => {
    opened = await suite.open();
    opened.context.setDefaultTimeout(60_000);
    opened.page.setDefaultTimeout(60_000);
    ({ context } = opened);
    pages = [opened.page];
  });

  it('dashboard tabs share one connection for changes @long', async () => {
    const streams = new Set<string>();
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname === '/events' || pathname === '/stats/stream')
        streams.add(`${pathname} ${request.timing().startTime}`);
    });
    while (pages.length < tabs) pages.push(await context.newPage());
    for (const page of pages) {
      await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/0/handle/0`);
      await page.getByLabel('body', { exact: true }).waitFor();
    }
    await tellAll('told to all');
    expect(streams.size).to.equal(2);
    expect(opened.faults).to.deep.equal([]);
  });

  it('dashboard tabs continue to receive changes when the subscribed tab is closed', async () => {
    const [first] = pages.splice(0, 1);
    await first?.close();
    await tellAll('told to the others');
  });

  it('new dashboard tabs show earlier statistics', async () => {
    expect((await fetch(`http://127.0.0.1:${suite.port}/hello`)).status).to.equal(200);
    const [other] = pages;
    await other?.goto(`${suite.server.origin}/ui/#/overview`);
    await other?.getByText('Since startup: 1 request,').waitFor();
    const later = await context.newPage();
    await later.goto(`${suite.server.origin}/ui/#/overview`);
    await later.getByText('Since startup: 1 request,').waitFor();
  });

  /** Changes the configuration. Each tab must receive the change. */
  async function tellAll(text: string): Promise<void> {
    await suite.server.change('PATCH', '/config/apps/http/servers/demo/routes/0/handle/0/body', text);
    for (const page of pages)
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('input, textarea')].some((field) => Reflect.get(field, 'value') === wanted),
        text,
      );
  }
});
