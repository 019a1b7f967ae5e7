/** The suite of tests in a browser: one browser and one server for all of them, and the page that they share. */
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { freePort } from '@sluice/testing';
import type { Browser, Page } from 'playwright-core';
import { browserFile, openPage, showView, startBrowser, type PageOptions, type WatchedPage } from './browser.ts';
import { startServer, type DashboardServer } from './server.ts';

/** How a page of the server of the suite is opened. */
type SuitePageOptions = Omit<PageOptions, 'origin'>;

/** What a suite begins with. */
interface SuitePlan {
  /** The configuration of the server; what makes it, with a free port for requests, is called where there is a browser. */
  readonly document: Json | ((port: number) => Json | Promise<Json>);
  /** The page of all tests, which shows the dashboard from the beginning; without it they open pages of their own. */
  readonly page?: SuitePageOptions;
}

/** Makes the hooks of the suite around it. It is skipped where there is no browser. */
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

/** What the tests have in common. It is there from the first of them on. */
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

  /** The port that the configuration was made with. */
  get port(): number {
    return this.#port;
  }

  /** The page of all tests. */
  get page(): Page {
    return there(this.#opened).page;
  }

  /** Opens another page. It is at no address yet. */
  open(options: SuitePageOptions = {}): Promise<WatchedPage> {
    return openPage(this.browser, { origin: this.server.origin, ...options });
  }

  /** Goes to a view of the page of all tests. */
  show(view: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const query = new URLSearchParams(values).toString();
    return showView(this.page, query === '' ? view : `${view}?${query}`);
  }

  /** Does something after the last test, before the server ends. */
  later(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** The page of all tests did nothing that it must not. */
  expectNoFaults(): void {
    expect(this.#opened?.faults ?? []).to.deep.equal([]);
  }
}

function there<T>(each: T | null): T {
  if (each === null) throw new Error('it is there from the first test on');
  return each;
}
