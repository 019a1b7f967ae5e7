import { request } from 'node:http';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { setAt } from '../src/page/base/json.ts';
import { shopOn } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard live log', function () {
  this.timeout(60_000);
  const suite = testInBrowser({
    document: (port) => {
      const logged = setAt(shopOn(port), ['apps', 'http', 'servers', 'demo', 'logs'], {});
      return setAt(logged, ['logging', 'logs', 'default', 'writer'], { output: 'file', filename: '/dev/null' });
    },
  });
  let stop: () => void;

  before(() => {
    let number = 0;
    const timer = setInterval(() => visit(suite.port, `/${(number += 1)}`), 50);
    stop = () => clearInterval(timer);
    suite.later(stop);
  });

  it('the live log shows times in the browser time zone, with its offset', async () => {
    const { page, context, faults } = await suite.open({ timezone: 'Asia/Kolkata' });
    const log = await openLog(page);
    const time = log.locator('.log-row:not(.log-header) .time').first();
    expect(await time.innerText()).to.match(/^\d\d:\d\d:\d\d\.\d{3} \+05:30$/);
    expect(await time.getAttribute('title')).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \+05:30$/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the live log follows new lines until the user scrolls up, and can be paused', async () => {
    const { page, context, faults } = await suite.open();
    const log = await openLog(page);
    const follow = page.getByRole('button', { name: 'Follow', exact: true });
    await page.waitForFunction(() => document.querySelectorAll('.log-row').length > 25);
    expect(await follow.getAttribute('aria-pressed')).to.equal('true');
    await log.hover();
    await page.mouse.wheel(0, -400);
    await page.waitForFunction(
      () => document.querySelector('button[aria-pressed=false][title]')?.textContent === 'Follow',
    );
    const top = await log.evaluate(({ scrollTop }) => scrollTop);
    const count = await page.getByText(/^\d+ lines$/).innerText();
    await page.waitForFunction(
      (before) => document.querySelector('.log-actions [role=status]')?.textContent !== before,
      count,
    );
    expect(await log.evaluate(({ scrollTop }) => scrollTop)).to.equal(top);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: /^Resume \([1-9]\d* new\)$/ }).waitFor();
    await page.getByRole('button', { name: /^Resume/ }).click();
    await follow.click();
    await page.waitForFunction(() => {
      const list = document.querySelector('.log .virtual');
      return list !== null && list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a log row shows all fields when opened, arrow keys select other rows, and Escape closes the row', async () => {
    const { page, context, faults } = await suite.open();
    const log = await openLog(page);
    await log.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const details = page.getByRole('region', { name: 'Log entry' });
    await details.getByText('request.headers.User-Agent').waitFor();
    const shown = (): Promise<string> => details.locator('dt:text-is("request.uri") + dd').innerText();
    const before = await shown();
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(
      (uri) =>
        [...document.querySelectorAll('.log-details dt')].some(
          (term) => term.textContent === 'request.uri' && term.nextElementSibling?.textContent !== uri,
        ),
      before,
    );
    expect(Number((await shown()).slice(1))).to.be.below(Number(before.slice(1)));
    // Clicks a field of the log entry to turn it into a filter.
    await details.getByRole('button', { name: /^path: / }).click();
    await page.getByText(/^1 of /).waitFor();
    expect(page.url()).to.contain('path=');
    await log.focus();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a log row opens when touched on a phone', async () => {
    const { page, context, faults } = await suite.open({ phone: true });
    const log = await openLog(page);
    await log.locator('.log-row:not(.log-header)').nth(2).tap();
    const details = page.getByRole('region', { name: 'Log entry' });
    await details.getByText('request.headers.User-Agent').waitFor();
    await page.getByText('Filters', { exact: true }).tap();
    await page.getByLabel('Status', { exact: true }).fill('5xx');
    await page.getByText('No lines match the filters.').waitFor();
    await details.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the live log renders any line as text', async () => {
    const { page, context, faults } = await suite.open();
    const text = JSON.stringify({
      level: 'error',
      msg: '<img src=x onerror="globalThis.ran=1">',
      request: { host: '<b>' },
    });
    const line = JSON.stringify({ output: 'stderr', line: text });
    await page.route(/\/logs\/stream/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: `event: line\ndata: ${line}\n\n` }),
    );
    await page.goto(`${suite.server.origin}/ui/#/logs`);
    await page.getByText('<img src=x').first().click();
    await page.getByRole('region', { name: 'Log entry' }).getByText('<img src=x').waitFor();
    expect(await page.locator('img').count()).to.equal(0);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'ran'))).to.equal(undefined);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  async function openLog(page: Page): Promise<Locator> {
    await page.goto(`${suite.server.origin}/ui/#/logs`);
    const log = page.getByRole('grid', { name: 'Live log' });
    await page.waitForFunction(() => document.querySelectorAll('.log-row').length > 5);
    return log;
  }
});

function visit(port: number, path: string): void {
  const headers = { host: 'blog.example.com', 'user-agent': 'logs' };
  request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => response.resume())
    .on('error', () => undefined)
    .end();
}
