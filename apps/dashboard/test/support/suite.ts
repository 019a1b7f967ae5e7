/** A browser test suite with one server for all tests, and a shared page. All suites of a process share a browser. */
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { freePort } from '@sluice/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { browserFile, openPage, showView, startBrowser, type PageOptions, type WatchedPage } from './browser.ts';
import { startServer, type DashboardServer } from './server.ts';

/**
 * Browser of all suites. It starts when the first test file is loaded, so that it is among the resources that exist before the first suite
 * (`root-hooks.ts`).
 */
const sharedBrowser = browserFile === null ? null : await startBrowser();
after(() => sharedBrowser?.close());

type SuitePageOptions = Omit<PageOptions, 'origin'>;

/** Initial state of a browser test suite. */
interface SuitePlan {
  /** Server configuration. A function creates the configuration for a free port. The function is called only if a browser is available. */
  readonly document: Json | ((port: number) => Json | Promise<Json>);
  /** Options for the page shared by all tests. The page initially shows the dashboard. If omitted, each test opens its own pages. */
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

/** State shared by the tests of a suite. It is available from the first test on. */
class BrowserSuite {
  readonly #plan: SuitePlan;
  readonly #cleanups: (() => void)[] = [];
  readonly #contexts: BrowserContext[] = [];
  #server: DashboardServer | null = null;
  #opened: WatchedPage | null = null;
  #port = 0;

  constructor(plan: SuitePlan) {
    this.#plan = plan;
  }

  async start(): Promise<void> {
    const { document, page } = this.#plan;
    this.#port = await freePort();
    this.#server = await startServer(typeof document === 'function' ? await document(this.#port) : document);
    if (page === undefined) return;
    this.#opened = await this.open(page);
    await this.page.goto(`${this.server.origin}/ui/`);
    await this.page.locator('h1').waitFor();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    await this.#server?.close();
    this.expectNoFaults();
  }

  get browser(): Browser {
    return there(sharedBrowser);
  }

  get server(): DashboardServer {
    return there(this.#server);
  }

  /** Port of the server in the configuration. */
  get port(): number {
    return this.#port;
  }

  /** The page shared by all tests. */
  get page(): Page {
    return there(this.#opened).page;
  }

  /** Opens an additional blank page, which is closed at the end of the suite. */
  async open(options: SuitePageOptions = {}): Promise<WatchedPage> {
    const opened = await openPage(this.browser, { origin: this.server.origin, ...options });
    this.#contexts.push(opened.context);
    return opened;
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

  /** Verifies that the shared page did nothing forbidden. */
  expectNoFaults(): void {
    expect(this.#opened?.faults ?? []).to.deep.equal([]);
  }
}

function there<T>(each: T | null): T {
  if (each === null) throw new Error('it is there from the first test on');
  return each;
}
