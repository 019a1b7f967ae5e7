/**
 * Performance trials of the dashboard with real servers in Chromium. Prints measurements and limits. Exits with 1 if a measurement exceeds
 * its limit.
 *
 *   npm run dashboard-trials -- [cold] [scale] [views] [steady] [cost] [hour]
 *     [--routes 10000 --times 9 --changes 500 --rounds 5 --minutes 60 --speed 60]
 */
import { parseArgs } from 'node:util';
import { browserFile, startBrowser } from '../support/browser.ts';
import { shopOn } from '../support/shop.ts';
import type { Browser } from 'playwright-core';
import { tryCold } from './cold-trial.ts';
import { manyRoutes } from './documents.ts';
import { holds, lineOf, type Measurement } from './measurement.ts';
import { tryScale } from './scale-trial.ts';
import { tryCost } from './cost-trial.ts';
import { tryHour } from './hour-trial.ts';
import { changingViews, trySteady } from './steady-trial.ts';
import { tryViews } from './views-trial.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

const { values, positionals } = parseArgs({
  options: {
    routes: { type: 'string', default: '10000' },
    times: { type: 'string', default: '9' },
    changes: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '60' },
    speed: { type: 'string', default: '60' },
  },
  allowPositionals: true,
});
const routes = Number(values.routes);
const times = Number(values.times);

const large = (port: number) => manyRoutes(routes, port);

/** Starts a server, runs a trial, and stops the server. */
async function withServer(
  started: Promise<ServerProcess>,
  trial: (server: ServerProcess) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const server = await started;
  try {
    return await trial(server);
  } finally {
    await server.stop();
  }
}

/** Starts a server and a browser, and runs a trial. */
async function withBrowser(
  started: Promise<ServerProcess>,
  trial: (browser: Browser, server: ServerProcess) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const browser = await startBrowser();
  try {
    return await withServer(started, (server) => trial(browser, server));
  } finally {
    await browser.close();
  }
}

const trials: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  cold: async () => [
    ...(await withServer(startServerProcess(shopOn), (server) => tryCold(server, 'five routes', times))),
    ...(await withServer(startServerProcess(large), (server) => tryCold(server, `${routes} routes`, times))),
  ],
  steady: () =>
    withBrowser(
      startServerProcess((port) => manyRoutes(100, port)),
      (browser, server) =>
        trySteady(browser, server, { routes: 100, views: changingViews, rate: 50, changes: Number(values.changes) }),
    ),
  cost: () =>
    withBrowser(startServerProcess(shopOn, 0), (browser, server) => tryCost(browser, server, Number(values.rounds))),
  hour: () =>
    withBrowser(startServerProcess(large), (browser, server) =>
      tryHour(browser, server, {
        routes,
        views: changingViews,
        minutes: Number(values.minutes),
        speed: Number(values.speed),
      }),
    ),
  views: () =>
    withBrowser(startServerProcess(large), (browser, server) =>
      tryViews(browser, server, { routes, times, seconds: 20 }),
    ),
  scale: () => withServer(startServerProcess(large), (server) => tryScale(server, routes)),
};

if (browserFile === null) throw new Error('the trials of the dashboard want chromium, which is not there');
for (const name of positionals.length === 0 ? Object.keys(trials) : positionals) {
  const trial = trials[name];
  if (trial === undefined) throw new Error(`there is no trial ${name}; there are ${Object.keys(trials).join(', ')}`);
  process.stdout.write(`\n${name}\n`);
  for (const measurement of await trial()) {
    process.stdout.write(`${lineOf(measurement)}\n`);
    if (!holds(measurement)) process.exitCode = 1;
  }
}
process.exit();
