import { expect } from 'chai';
import { valueAt } from '../src/page/base/json.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard: in a browser', function () {
  this.timeout(60_000);
  // A refused change is logged by the browser, as every response of 400 and more.
  const suite = testInBrowser({ document: shop, page: { expected: /status of (?:4\d\d|500)/ } });

  it('says in one sentence how the server is', async () => {
    await suite.page.getByText('Healthy').waitFor();
    expect(await suite.page.title()).to.equal('Overview · Sluice');
  });

  it('changes a value by its form: nothing is in force before the server says so', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await page.getByLabel('body', { exact: true }).fill('good day');
    await page.getByLabel('body', { exact: true }).blur();
    await page.getByText('1 change in the draft').waitFor();
    expect(bodyInForce()).to.equal('hello');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('2 rebuilt, 0 started, 0 stopped').waitFor();
    await page.getByText('+ "good day"').waitFor();
    expect(bodyInForce()).to.equal('hello');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The change is in force').waitFor();
    expect(bodyInForce()).to.equal('good day');
  });

  it('keeps a refused change on the screen, with path and reason', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await page.getByLabel('handler', { exact: true }).selectOption('reverse_proxy');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText(/routes\[0\]\.handle\[0\]: unknown key "body"/).waitFor();
    expect(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).to.equal(true);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('shows three ways where another client was faster, and loses nothing', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await page.getByLabel('body', { exact: true }).fill('mine');
    await page.getByLabel('body', { exact: true }).blur();
    await change('/apps/http/servers/demo/routes/0/handle/0/body', 'theirs');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('The configuration has changed since you began').waitFor();
    await page.getByLabel('Yours').check();
    await page.getByRole('button', { name: 'Put the draft on top' }).click();
    await page.getByText('+ "mine"').waitFor();
    await page.getByText('− "theirs"').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The change is in force').last().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(bodyInForce()).to.equal('mine');
  });

  it('makes a change on trial, with a clock on every page, and undoes it', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await page.getByLabel('body', { exact: true }).fill('on trial');
    await page.getByLabel('body', { exact: true }).blur();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByLabel('How it is kept').selectOption('60');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await suite.show('overview');
    await page.getByText(/is on trial: undone in \d+ s/).waitFor();
    expect(bodyInForce()).to.equal('on trial');
    await page.getByRole('button', { name: 'Undo it now' }).click();
    await page.getByText(/is on trial/).waitFor({ state: 'detached' });
    expect(bodyInForce()).to.equal('mine');
  });

  it('edits a value as text', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0', as: 'text' });
    const editor = page.getByLabel('Configuration as JSON');
    await editor.getByText('"mine"').waitFor();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(
      '{ "@id": "hello", "handle": [{ "handler": "static_response", "body": "by text" }] }',
    );
    await change('/apps/http/servers/demo/routes/0/handle/0/body', 'meanwhile');
    await page.getByText('The value has changed while you typed').waitFor();
    await page.getByRole('button', { name: 'Put into the draft' }).click();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('− "meanwhile"').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The change is in force').last().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(bodyInForce()).to.equal('by text');
  });

  it('keeps what is typed while the page is drawn again', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await page.getByLabel('body', { exact: true }).fill('half typ');
    const read = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/config'));
    await change('/apps/http/servers/demo/routes/0/handle/0/body', 'of another client');
    await (await read).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await page.getByLabel('body', { exact: true }).inputValue()).to.equal('half typ');
    await page.getByLabel('body', { exact: true }).blur();
    await page.getByRole('button', { name: 'Review and apply' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('body', { exact: true }).inputValue()).to.equal('of another client');
  });

  it('follows the logs when that is asked for, and stops', async () => {
    const { page } = suite;
    const { origin, change: send } = suite.server;
    // What is discarded is not even written.
    await send('PATCH', '/config/logging/logs/default/writer', { output: 'file', filename: '/dev/null' });
    await suite.show('logs');
    await page.getByRole('button', { name: 'Follow the logs' }).click();
    await page.getByLabel('Only lines with').fill('/nowhere');
    await page.getByLabel('Only lines with').press('Tab');
    const lines = page.getByRole('log', { name: 'Lines of logs' });
    // What is asked for and is not there stands in the log of the admin endpoint.
    const asking = setInterval(() => void fetch(`${origin}/nowhere`, { headers: { Origin: origin } }), 200);
    await lines.getByText('/nowhere').first().waitFor();
    clearInterval(asking);
    await page.getByRole('button', { name: 'Stop following' }).click();
    await page.getByRole('button', { name: 'Follow the logs' }).waitFor();
  });

  it('has the worst state in its icon', async () => {
    const { page } = suite;
    const icon = (): Promise<string> => page.locator('link[rel=icon]').getAttribute('href').then(String);
    expect(await icon()).to.match(/^icon-[\w-]+\.svg$/);
    await suite.server.change('PUT', '/config/apps/nothing', {});
    await page.waitForFunction(() => document.querySelector('link[rel=icon]')?.getAttribute('href')?.includes('warn'));
    await suite.show('overview');
    await page
      .getByText(/A change was refused/)
      .first()
      .waitFor();
  });

  /** The page has read the configuration again after the change of the test before. */
  async function upToDate(): Promise<void> {
    const field = suite.page.getByLabel('body', { exact: true });
    for (let left = 400; (await field.inputValue()) !== bodyInForce(); left--) {
      expect(left, 'the field shows what is in force').to.be.above(0);
      await suite.page.waitForTimeout(20);
    }
  }

  function bodyInForce(): unknown {
    return valueAt(suite.server.control.reconciler.document, [
      'apps',
      'http',
      'servers',
      'demo',
      'routes',
      0,
      'handle',
      0,
      'body',
    ]);
  }

  /** Changes a value as another client does. */
  async function change(path: string, value: string): Promise<void> {
    expect(await suite.server.change('PATCH', `/config${path}`, value)).to.equal(200);
  }
});
