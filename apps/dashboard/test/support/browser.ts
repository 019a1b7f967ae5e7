/** Runs Chromium. Fails a test if the page did something forbidden. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Path of the browser executable. `null` if no browser is installed, in which case tests are skipped. */
export const browserFile: string | null = findBrowser();

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations that the page caused, one per line. */
  readonly faults: string[];
}

export interface PageOptions {
  readonly origin: string;
  readonly dark?: boolean;
  readonly phone?: boolean;
  /** Time zone of the browser, such as `Asia/Kolkata`. */
  readonly timezone?: string;
  /** Width of the browser window in pixels. */
  readonly width?: number;
  /** Pattern for error messages that the test provokes. The browser logs responses with an error status as errors. */
  readonly expected?: RegExp;
}

export function startBrowser(): Promise<Browser> {
  if (browserFile === null) throw new Error('there is no chromium');
  return chromium.launch({ executablePath: browserFile, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Opens an empty page and records its errors. */
export async function openPage(browser: Browser, options: PageOptions): Promise<WatchedPage> {
  const { origin, dark = false, phone = false, width = 1280, timezone, expected } = options;
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    viewport: phone ? { width: 390, height: 844 } : { width, height: 800 },
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
    hasTouch: phone,
    isMobile: phone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const faults: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  await page.exposeFunction('tellFault', (fault: string) => void faults.push(fault));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      Reflect.get(globalThis, 'tellFault')(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && expected?.test(message.text()) !== true)
      faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`request to elsewhere: ${request.url()}`);
  });
  page.on('dialog', (dialog) => void dialog.accept());
  return { page, context, faults };
}

/** Opens a dashboard view and waits until it is rendered. */
export async function showView(page: Page, view: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `/${view}`);
  await page.waitForFunction(
    () => document.querySelector('h1') !== null && !document.body.innerText.includes('Loading…'),
  );
}

function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders)
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // The browser is not installed in this directory.
      }
    }
  return null;
}
