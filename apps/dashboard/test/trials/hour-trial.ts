/** Measures the memory of a page that stays open for a long time. */
import type { Browser, Page } from 'playwright-core';
import { openPage, showView } from '../support/browser.ts';
import { Changing } from './changes.ts';
import type { Measurement } from './measurement.ts';
import { measurePage, type PageSize } from './page-meter.ts';
import { startRelay } from './relay.ts';
import type { ChangedServer } from './steady-trial.ts';
import { visit } from './visits.ts';

/** Duration and message rate of a trial. */
export interface HourPlan {
  readonly routes: number;
  readonly views: readonly string[];
  /** Time during which the page receives messages, in minutes. */
  readonly minutes: number;
  /** Factor by which stream messages are sent faster. 1 means the server's own rate. */
  readonly speed: number;
}

/** Keeps a page open, switches views occasionally, and measures its memory. */
export async function tryHour(browser: Browser, server: ChangedServer, plan: HourPlan): Promise<Measurement[]> {
  const { routes, views, minutes, speed } = plan;
  const relay = await startRelay(server.origin, speed);
  const end = visit(server.port, { hosts: routes, rate: 100 });
  const changing = new Changing(server.change, { routes, rate: 1 });
  const { page, context, faults } = await openPage(browser, { origin: relay.origin, expected: /status of 400/ });
  page.setDefaultTimeout(60_000);
  try {
    await page.goto(`${relay.origin}/ui/`);
    const meter = await measurePage(page);
    await walk(page, views);
    const first = await meter.keptSize();
    const all: PageSize[] = [];
    let peak = 0;
    for (let minute = 0; minute < minutes; minute++) {
      const view = views[minute % views.length] ?? 'overview';
      await showView(page, view);
      await page.waitForTimeout(60_000 / speed);
      peak = Math.max(peak, (await meter.size()).heap);
      all.push(await meter.keptSize());
    }
    await walk(page, views);
    const last = await meter.keptSize();
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return [
      { what: `heap, the most in ${minutes} minutes`, value: peak, unit: 'MB', most: 120 },
      { what: 'heap after a collection, in the beginning', value: first.heap, unit: 'MB' },
      {
        what: 'heap after a collection, the most',
        value: Math.max(...all.map(({ heap }) => heap)),
        unit: 'MB',
        most: 120,
      },
      { what: 'heap after a collection, at the end', value: last.heap, unit: 'MB', most: 120 },
      { what: 'nodes of the page in the beginning', value: first.nodes, unit: '' },
      { what: 'nodes of the page at the end', value: last.nodes, unit: '' },
      { what: 'listeners in the beginning', value: first.listeners, unit: '' },
      { what: 'listeners at the end', value: last.listeners, unit: '' },
      { what: 'messages of streams', value: relay.messages(), unit: '' },
    ];
  } finally {
    end();
    await changing.stop();
    await context.close();
    await relay.stop();
  }
}

/** Opens every view once and returns to the first view. */
async function walk(page: Page, views: readonly string[]): Promise<void> {
  for (const view of [...views, 'overview']) await showView(page, view);
}
