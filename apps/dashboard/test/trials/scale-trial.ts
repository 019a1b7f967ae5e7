/** Measures the time until the configuration tree, search results and plan are visible for ten thousand routes. */
import type { Page } from 'playwright-core';
import { openPage, showView, startBrowser } from '../support/browser.ts';
import { median, type Measurement } from './measurement.ts';
import type { ServerProcess } from './server-process.ts';

/** Search texts, typed one letter at a time. */
const searched = ['site-9998.example.com', 'reverse_proxy', '127.0.0.1:9042', 'nothing like it'];

/** Opens the configuration tree, searches in it, and plans changes. `routes` is the number of routes of the server. */
export async function tryScale(server: ServerProcess, routes: number): Promise<Measurement[]> {
  const browser = await startBrowser();
  try {
    const { page, faults } = await openPage(browser, { origin: server.origin });
    page.setDefaultTimeout(60_000);
    const measured = [
      await timeLink(page, server.origin, routes),
      ...(await timeTree(page)),
      ...(await timeSearch(page)),
      ...(await timePlan(page)),
    ];
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return measured;
  } finally {
    await browser.close();
  }
}

/** Measures the time from opening a link, in a browser with an empty cache, until the linked row is visible. */
async function timeLink(page: Page, origin: string, routes: number): Promise<Measurement> {
  const row = Math.floor(routes / 2);
  await page.goto(`${origin}/ui/#/config?path=/apps/http/servers/demo/routes/${row}`, { waitUntil: 'commit' });
  await page.locator('[role=row][aria-selected=true]', { hasText: `[${row}]` }).waitFor();
  const value = await page.evaluate(() => performance.now());
  return { what: 'a link to a route, opened cold', value, unit: 'ms' };
}

async function timeTree(page: Page): Promise<Measurement[]> {
  await showView(page, 'overview');
  const opened = await timeUntil(page, { hash: '/config', text: 'demo' });
  const unfolded: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    await showView(page, 'overview');
    await showView(page, 'config?path=/apps/http/servers/demo/routes');
    unfolded.push(await timeUntil(page, { twist: 'routes', text: '[1]' }));
  }
  const rows = await page.locator('[role=row]').count();
  return [
    { what: 'the tree opens', value: opened, unit: 'ms', most: 1000 },
    { what: 'the list of all routes opens in it, the median of 5', value: median(unfolded), unit: 'ms', most: 1000 },
    { what: 'rows of the tree in the page', value: rows, unit: '', most: 300 },
  ];
}

async function timeSearch(page: Page): Promise<Measurement[]> {
  const taken: number[] = [];
  for (const text of searched)
    for (let end = 1; end <= text.length; end++) taken.push(await timeUntil(page, { find: text.slice(0, end) }));
  await timeUntil(page, { find: '' });
  return [
    { what: `a search, the median of ${taken.length} letters`, value: median(taken), unit: 'ms', most: 100 },
    { what: 'a search, the slowest letter', value: Math.max(...taken), unit: 'ms', most: 100 },
  ];
}

/** Measures the time from pressing the button until the page lists the modules that the server would rebuild. */
async function timePlan(page: Page): Promise<Measurement[]> {
  const taken: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    await showView(page, `config?path=/apps/http/servers/demo/routes/${turn * 200}/handle/0`);
    const field = page.getByLabel('body', { exact: true });
    await field.fill(`another ${turn}`);
    await field.blur();
    await page.getByRole('button', { name: 'Review and apply' }).waitFor();
    taken.push(await timeUntil(page, { button: 'Review and apply', text: 'rebuilt', within: '[aria-label=Modules]' }));
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
  }
  const [first = Number.NaN, ...later] = taken;
  return [
    { what: 'the first plan', value: first, unit: 'ms', most: 300 },
    { what: `a plan, the median of ${later.length}`, value: median(later), unit: 'ms', most: 300 },
  ];
}

/** An action on the page and its expected result. */
interface Step {
  readonly hash?: string;
  /** Label of the row to expand. */
  readonly twist?: string;
  readonly button?: string;
  /** Text to type into the search field. */
  readonly find?: string;
  readonly text?: string;
  readonly within?: string;
}

/** Returns the milliseconds from a step until the frame that shows its effect, measured in the page. */
function timeUntil(page: Page, step: Step): Promise<number> {
  return page.evaluate(async ({ hash, twist, button, find, text, within = '[role=row] .key' }) => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
    const field = document.querySelector<HTMLInputElement>('.tree input');
    const began = performance.now();
    if (hash !== undefined) location.hash = hash;
    all('[role=row]')
      .find((row) => row.querySelector('.key')?.textContent === twist)
      ?.querySelector<HTMLElement>('.twist')
      ?.click();
    if (button !== undefined)
      all('button')
        .find(({ textContent }) => textContent === button)
        ?.click();
    if (find !== undefined && field !== null) {
      field.value = find;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await frame();
    }
    while (text !== undefined && !all(within).some(({ textContent }) => textContent.includes(text))) await frame();
    await frame();
    return performance.now() - began;
  }, step);
}
