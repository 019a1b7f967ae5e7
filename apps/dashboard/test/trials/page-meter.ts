/** Measures the browser resources that a page uses: memory, number of DOM nodes, and layout shifts. */
import type { CDPSession, Page } from 'playwright-core';

const megabyte = 1_000_000;

export interface PageSize {
  /** Size of the JavaScript heap in megabytes. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** Reads resource measurements of a page from the browser. */
export class PageMeter {
  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Returns the current page size, including garbage. */
  async size(): Promise<PageSize> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const valueOf = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    return {
      heap: valueOf('JSHeapUsedSize') / megabyte,
      nodes: valueOf('Nodes'),
      listeners: valueOf('JSEventListeners'),
    };
  }

  /** Returns the page size after a garbage collection. */
  async keptSize(): Promise<PageSize> {
    await this.#session.send('HeapProfiler.collectGarbage');
    return this.size();
  }
}

export async function measurePage(page: Page): Promise<PageMeter> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return new PageMeter(session);
}

/** A layout shift and the elements that moved. */
export interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Records layout shifts of a page that are not caused by user input. Returns a function that stops recording and returns the shifts. */
export async function watchShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.evaluate(() => {
    const found: { value: number; moved: string[] }[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources = (Reflect.get(entry, 'sources') ?? []) as { node: Node | null }[];
        const moved = sources.map(({ node }) =>
          node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : String(node?.nodeName),
        );
        found.push({ value: Number(Reflect.get(entry, 'value')), moved });
      }
    });
    observer.observe({ type: 'layout-shift' });
    Reflect.set(globalThis, 'shifts', { found, observer });
  });
  return async () => {
    // The browser reports the most recent shifts only in subsequent frames.
    await page.waitForTimeout(100);
    return page.evaluate(() => {
      const { found, observer } = Reflect.get(globalThis, 'shifts') as {
        found: Shift[];
        observer: PerformanceObserver;
      };
      observer.disconnect();
      return found;
    });
  };
}
