/** Measures the time until a page is usable in a browser with an empty cache. */
import { browserFile, openPage, startBrowser } from '../support/browser.ts';
import { median, type Measurement } from './measurement.ts';
import type { ServerProcess } from './server-process.ts';

/** Starts a browser with an empty profile for each run. A run ends when the page shows numbers and a button responds. */
export async function tryCold(server: ServerProcess, what: string, times: number): Promise<Measurement[]> {
  if (browserFile === null) return [];
  await fetch(`http://127.0.0.1:${server.port}/`).then((response) => response.arrayBuffer());
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn++) taken.push(await openOnce(server.origin));
  return [
    { what: `${what}: usable, the median of ${times}`, value: median(taken), unit: 'ms', most: 800 },
    { what: `${what}: usable, the slowest`, value: Math.max(...taken), unit: 'ms' },
  ];
}

/**
 * Measures the time in milliseconds from the start of navigation until a dialog is rendered. The button for the dialog is clicked as soon
 * as the page shows numbers.
 */
async function openOnce(origin: string): Promise<number> {
  const browser = await startBrowser();
  try {
    const { page, faults } = await openPage(browser, { origin });
    page.setDefaultTimeout(30_000);
    await page.addInitScript(() => {
      const look = (): void => {
        const numbers = document.querySelector('.charts strong')?.textContent ?? '';
        if (numbers !== '' && document.querySelector('dialog') === null)
          document.querySelector<HTMLElement>('button.find')?.click();
        if (document.querySelector('dialog') === null) requestAnimationFrame(look);
        else requestAnimationFrame(() => Reflect.set(globalThis, 'usableAt', performance.now()));
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${origin}/ui/`, { waitUntil: 'commit' });
    const at = await page.waitForFunction(() => Reflect.get(globalThis, 'usableAt') as number | undefined);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return Number(await at.jsonValue());
  } finally {
    await browser.close();
  }
}
