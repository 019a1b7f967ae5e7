/** The browser test suite: one browser and one server for all tests, and a shared page. */
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { freePort } from '@sluice/testing';
import type { Browser, Page } from 'playwright-core';
import { browserFile, openPage, showView, startBrowser, type PageOptions, type WatchedPage } from './browser.ts';
import { startServer, type DashboardServer } from './server.ts';

type SuitePageOptions = Omit<PageOptions, 'origin'>;

/** Initial state of a suite. */
interface SuitePlan {
  /** Server configuration. A function creates the configuration for a free port, and is called only if a browser is available. */
  readonly document: Json | ((port: number) => Json | Promise<Json>);
  /**
   * Options for the shared page of all tests, which shows the dashboard initially. If omitted, tests open their own
   * pages.
   */
  readonly page?: SuitePageOptions;
}

/** Registers the hooks of a browser suite. Skips the suite if no browser is available. */
export function testInBrowser(plan: SuitePlan): BrowserSuite {
  const suite = new BrowserSuite(plan);
  before(async function () {
    if (browserFile === null) this.skip();
    else await suite.start();
  });
  afterEach(() => suite.expectNoFaults());
  after(() => suite.stop());
  return suite;
}

/** Shared state of the tests, available from the first test. */
class BrowserSuite {
  readonly #plan: SuitePlan;
  readonly #cleanups: (() => void)[] = [];
  #browser: Browser | null = null;
  #server: DashboardServer | null = null;
  #opened: WatchedPage | null = null;
  #port = 0;

  constructor(plan: SuitePlan) {
    this.#plan = plan;
  }

  async start(): Promise<void> {
    const { document, page } = this.#plan;
    this.#browser = await startBrowser();
    this.#port = await freePort();
    this.#server = await startServer(typeof document === 'function' ? await document(this.#port) : document);
    if (page === undefined) return;
    this.#opened = await this.open(page);
    await this.page.goto(`${this.server.origin}/ui/`);
    await this.page.locator('h1').waitFor();
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    await this.#server?.close();
    this.expectNoFaults();
  }

  get browser(): Browser {
    return there(this.#browser);
  }

  get server(): DashboardServer {
    return there(this.#server);
  }

  /** Server port in the configuration. */
  get port(): number {
    return this.#port;
  }

  /** The page of all tests. */
  get page(): Page {
    return there(this.#opened).page;
  }

  /** Opens an additional blank page. */
  open(options: SuitePageOptions = {}): Promise<WatchedPage> {
    return openPage(this.browser, { origin: this.server.origin, ...options });
  }

  /** Opens a view in the shared page. */
  show(view: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const query = new URLSearchParams(values).toString();
    return showView(this.page, query === '' ? view : `${view}?${query}`);
  }

  /** Registers a function that runs after the last test, before the server stops. */
  later(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Checks that the shared page performed no forbidden action. */
  expectNoFaults(): void {
    expect(this.#opened?.faults ?? []).to.deep.equal([]);
  }
}

function there<T>(each: T | null): T {
  if (each === null) throw new Error('it is there from the first test on');
  return each;
}
