import { freePort } from '@sluice/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserFile, openPage, showView, startBrowser } from '../support/browser.ts';
import { startServer, type DashboardServer } from '../support/server.ts';
import { manyRoutes } from './documents.ts';
import { holds, lineOf } from './measurement.ts';
import { tryHour } from './hour-trial.ts';
import { trySteady, type ChangedServer } from './steady-trial.ts';

const routes = 40;

describe('dashboard: trials, small', function () {
  this.timeout(300_000);
  let browser: Browser;
  let server: DashboardServer;
  let changed: ChangedServer;

  before(async function () {
    if (browserFile === null) {
      this.skip();
      return;
    }
    const port = await freePort();
    browser = await startBrowser();
    server = await startServer({ ...(manyRoutes(routes, port) as object), admin: { listen: '127.0.0.1:0' } });
    changed = { origin: server.origin, port, change: server.change };
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('nothing moves in any view while the configuration changes', async () => {
    const plan = { routes, views: ['overview', 'changes', 'logs'], rate: 20, changes: 20 };
    const measured = await trySteady(browser, changed, plan);
    expect(measured.filter((measurement) => !holds(measurement)).map(lineOf)).to.deep.equal([]);
  });

  it('a page does not grow while it is told of minutes of traffic', async () => {
    const measured = await tryHour(browser, changed, {
      routes,
      views: ['overview', 'changes', 'logs'],
      minutes: 6,
      speed: 60,
    });
    expect(measured.filter((measurement) => !holds(measurement)).map(lineOf)).to.deep.equal([]);
    const value = (what: string): number => measured.find((each) => each.what === what)?.value ?? Number.NaN;
    expect(value('messages of streams')).to.be.above(60);
    const grown = value('heap after a collection, at the end') - value('heap after a collection, in the beginning');
    expect(grown).to.be.below(5);
  });

  it('a page has few rows, however many there are, and reads the configuration once', async () => {
    await server.control.engine.load({
      ...(manyRoutes(1000, changed.port) as object),
      admin: { listen: '127.0.0.1:0' },
    });
    const { page, context, faults } = await openPage(browser, server);
    page.setDefaultTimeout(60_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(`${server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/999`);
    await page.locator('[role=row][aria-selected=true]', { hasText: '[999]' }).waitFor();
    expect(await page.locator('[role=row]').count()).to.be.within(20, 300);
    await showView(page, 'sites');
    expect(await page.locator('tbody tr').count()).to.be.within(20, 300);
    for (const call of ['GET /config/', 'GET /history', 'GET /openapi.json', 'GET /session'])
      expect([call, asked.filter((each) => each === call).length]).to.deep.equal([call, 1]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
