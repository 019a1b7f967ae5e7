import { expect } from 'chai';
import { setAt, type Json } from '../../src/page/base/json.ts';
import { showView } from '../support/browser.ts';
import { testInBrowser } from '../support/suite.ts';
import { manyRoutes } from './documents.ts';
import { holds, lineOf } from './measurement.ts';
import { tryHour } from './hour-trial.ts';
import { tryViews } from './views-trial.ts';
import { trySteady, type ChangedServer } from './steady-trial.ts';

const routes = 40;

describe('dashboard trials at small scale', function () {
  this.timeout(300_000);
  const suite = testInBrowser({ document: (port) => documentFor(routes, port) });
  let changed: ChangedServer;

  before(() => {
    const { origin, change } = suite.server;
    changed = { origin, port: suite.port, change };
  });

  it('dashboard views do not shift while the configuration changes', async () => {
    const plan = { routes, views: ['overview', 'changes', 'logs'], rate: 20, changes: 20 };
    const measured = await trySteady(suite.browser, changed, plan);
    expect(measured.filter((measurement) => !holds(measurement)).map(lineOf)).to.deep.equal([]);
  });

  it('the dashboard does not use more memory after minutes of traffic events', async () => {
    const measured = await tryHour(suite.browser, changed, {
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

  it('open dashboard views receive only a small amount of data', async () => {
    const measured = await tryViews(suite.browser, changed, { routes, times: 2, seconds: 6 });
    const sent = measured.filter(({ unit }) => unit === 'KB');
    expect(sent).to.have.length(8);
    expect(sent.filter((measurement) => !holds(measurement)).map(lineOf)).to.deep.equal([]);
  });

  it('the dashboard renders only a few rows of a long list, and reads the configuration once', async () => {
    await suite.server.control.reconciler.load(documentFor(1000, suite.port));
    const { page, context, faults } = await suite.open();
    page.setDefaultTimeout(60_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/999`);
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

function documentFor(count: number, port: number): Json {
  return setAt(manyRoutes(count, port), ['admin', 'listen'], '127.0.0.1:0');
}
