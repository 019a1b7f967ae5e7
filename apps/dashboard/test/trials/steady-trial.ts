/** Measures layout shifts in an idle page while the configuration changes many times per second. */
import type { Browser, Page } from 'playwright-core';
import { openPage, showView } from '../support/browser.ts';
import type { SendChange } from '../support/change.ts';
import { Changing } from './changes.ts';
import type { Measurement } from './measurement.ts';
import { watchShifts } from './page-meter.ts';
import { visit } from './visits.ts';

/** Views that show changing values. */
export const changingViews = [
  'overview',
  'sites',
  'traffic',
  'config?path=/apps/http/servers/demo/routes',
  'config?path=/apps/http/servers/demo/routes/0/handle/0',
  'config?path=/apps/http/servers/demo/routes/0/handle/0&as=text',
  'upstreams',
  'statistics',
  'certificates',
  'changes',
  'logs',
  'server',
] as const;

/** Rate of configuration changes, and the views to observe. */
export interface SteadyPlan {
  readonly routes: number;
  readonly views: readonly string[];
  /** Changes per second. */
  readonly rate: number;
  /** Number of configuration changes during each view. */
  readonly changes: number;
}

export interface ChangedServer {
  readonly origin: string;
  readonly port: number;
  readonly change: SendChange;
}

/** Waits until the layout has been stable for a second. A view may shift its layout while its data loads. */
async function settle(page: Page): Promise<void> {
  for (let left = 10; left > 0; left--) {
    const reported = await watchShifts(page);
    await page.waitForTimeout(1000);
    if ((await reported()).length === 0) return;
  }
}

/** Observes each view. Returns the layout shifts per view and the number of configuration changes. */
export async function trySteady(
  browser: Browser,
  { origin, port, change }: ChangedServer,
  { routes, views, rate, changes }: SteadyPlan,
): Promise<Measurement[]> {
  const { page, context, faults } = await openPage(browser, { origin });
  page.setDefaultTimeout(60_000);
  const end = visit(port, { hosts: routes, rate: 50 });
  const changing = new Changing(change, { routes, rate });
  const measured: Measurement[] = [];
  const began = performance.now();
  await page.goto(`${origin}/ui/`);
  for (const view of views) {
    await showView(page, view);
    await settle(page);
    const reported = await watchShifts(page);
    for (const last = changing.count + changes; changing.count < last;) await page.waitForTimeout(100);
    const shifts = await reported();
    const moved = [...new Set(shifts.flatMap((shift) => shift.moved))].slice(0, 3).join(' ');
    measured.push({
      what: `${view}: layout shift${moved === '' ? '' : ` (${moved})`}`,
      value: shifts.reduce((sum, { value }) => sum + value, 0),
      unit: '',
      most: 0,
    });
  }
  const statuses = await changing.stop();
  const lasted = (performance.now() - began) / 1000;
  end();
  await context.close();
  for (const fault of faults) measured.push({ what: fault, value: 1, unit: '', most: 0 });
  for (const [status, count] of statuses)
    measured.push({ what: `changes a second with ${status}`, value: count / lasted, unit: '' });
  return measured;
}
