/**
 * Measures the time until a view is usable after a click, and the bytes that the server sends for the view. The server has ten thousand
 * routes, and the browser's CPU is throttled.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { median, type Measurement } from './measurement.ts';
import type { ServerProcess } from './server-process.ts';
import { visit } from './visits.ts';

/** CPU slowdown factor for scripts. */
const throttling = 4;

/** A view, and the content that indicates that the view is usable. */
const views: readonly { readonly name: string; readonly hash: string; readonly ready: string }[] = [
  { name: 'overview', hash: '/overview', ready: 'section[aria-label="Busiest hosts"] tbody tr' },
  { name: 'upstreams', hash: '/upstreams', ready: 'table.cards tbody .act button' },
  { name: 'statistics, 1 h', hash: '/statistics?range=3600', ready: '.uplot canvas' },
  { name: 'statistics, 24 h', hash: '/statistics?range=86400', ready: '.uplot canvas' },
  { name: 'sites', hash: '/sites', ready: 'table tbody tr' },
  { name: 'configuration', hash: '/config', ready: 'section[aria-label="Selected value"]' },
  { name: 'changes', hash: '/changes', ready: 'ol.timeline li' },
  { name: 'traffic', hash: '/traffic', ready: '.map' },
  { name: 'logs', hash: '/logs', ready: '.log-actions' },
  { name: 'server', hash: '/server', ready: 'ul.modules li, table tbody tr' },
];

/** Parameters of the trial. */
interface ViewsPlan {
  /** Number of routes of the server. */
  readonly routes: number;
  /** Number of clicks per view. */
  readonly times: number;
  /** Time during which the traffic to an open view is measured, in seconds. */
  readonly seconds: number;
}

/** Opens each view first with an empty cache, and later through clicks. */
export async function tryViews(
  browser: Browser,
  server: Pick<ServerProcess, 'origin' | 'port'>,
  { routes, times, seconds }: ViewsPlan,
): Promise<Measurement[]> {
  const end = visit(server.port, { hosts: routes, rate: 200 });
  try {
    const measured: Measurement[] = [];
    for (const view of views) measured.push(...(await tryView(browser, server, view, { times, seconds })));
    return measured;
  } finally {
    end();
  }
}

async function tryView(
  browser: Browser,
  server: Pick<ServerProcess, 'origin' | 'port'>,
  { name, hash, ready }: (typeof views)[number],
  { times, seconds }: Omit<ViewsPlan, 'routes'>,
): Promise<Measurement[]> {
  const { page, context, faults } = await openPage(browser, { origin: server.origin });
  page.setDefaultTimeout(60_000);
  const session = await context.newCDPSession(page);
  const sent = await countBytes(session);
  await page.goto(`${server.origin}/ui/#${hash}`);
  await page.locator(ready).first().waitFor();
  await page.waitForTimeout(1000);
  const cold = sent();
  await page.waitForTimeout(seconds * 1000);
  const after = sent() - cold;
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttling });
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn++) {
    await page.evaluate(() => void (location.hash = '/certificates'));
    await page.locator('h1', { hasText: 'Certificates' }).waitFor();
    await page.waitForTimeout(500);
    taken.push(await timeClick(page, hash, ready));
  }
  await context.close();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return [
    { what: `${name}: sent when it is opened first`, value: cold / 1000, unit: 'KB', most: 200 },
    { what: `${name}: sent per second after that`, value: after / seconds / 1000, unit: 'KB', most: 5 },
    { what: `${name}: usable after a click, the median of ${times}`, value: median(taken), unit: 'ms', most: 1000 },
    { what: `${name}: the slowest click`, value: Math.max(...taken), unit: 'ms', most: 1000 },
  ];
}

/** Counts the transferred bytes of response bodies, including streams. */
async function countBytes(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
}

/** Returns the milliseconds from a click until new content is visible, measured in the page. */
function timeClick(page: Page, hash: string, ready: string): Promise<number> {
  return page.evaluate(
    async ([to, selector]) => {
      const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      const began = performance.now();
      location.hash = to;
      while (document.querySelector(selector) === null) await frame();
      await frame();
      return performance.now() - began;
    },
    [hash, ready] as const,
  );
}
