import { expect } from 'chai';
import { valueAt } from '../src/page/base/json.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard in a browser', function () {
  this.timeout(60_000);
  // The browser logs each response with a status of 400 or higher as an error, including rejected changes.
  const suite = testInBrowser({ document: shop, page: { expected: /status of (?:4\d\d|500)/ } });

  it('the overview shows the server status in one sentence', async () => {
    await suite.page.getByText('Healthy').waitFor();
    expect(await suite.page.title()).to.equal('Overview · Sluice');
  });

  it('the configuration view applies a changed form value only after the server has accepted the value', async () => {
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
    await page.getByText('Change applied').waitFor();
    expect(bodyInForce()).to.equal('good day');
  });

  it('a rejected draft stays on the screen with its path and the reason', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await page.getByLabel('handler', { exact: true }).selectOption('reverse_proxy');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText(/routes\[0\]\.handle\[0\]: unknown key "body"/).waitFor();
    expect(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).to.equal(true);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('the user can resolve a conflict with another client, and neither version is preselected', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await page.getByLabel('body', { exact: true }).fill('mine');
    await page.getByLabel('body', { exact: true }).blur();
    await change('/apps/http/servers/demo/routes/0/handle/0/body', 'theirs');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('The configuration has changed since you started the draft').waitFor();
    await page.getByText('1 value changed on both sides').waitFor();
    await page.getByText('1 choice left').waitFor();
    const rebase = page.getByRole('button', { name: 'Rebase draft' });
    expect(await rebase.isDisabled()).to.equal(true);
    expect(await page.getByRole('radio', { checked: true }).count()).to.equal(0);
    await page.getByLabel('Yours').check();
    await rebase.click();
    await page.getByText('+ "mine"').waitFor();
    await page.getByText('− "theirs"').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Change applied').last().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(bodyInForce()).to.equal('mine');
  });

  it('a change with auto-rollback shows a countdown on every dashboard page, and is rolled back when the countdown ends', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    await page.getByLabel('body', { exact: true }).fill('unconfirmed');
    await page.getByLabel('body', { exact: true }).blur();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByLabel('Auto-rollback after').selectOption('300');
    await page.getByRole('button', { name: 'Apply with auto-rollback after 5 min' }).click();
    await suite.show('overview');
    await page.getByText(/will be rolled back in (?:300|29\d) s unless you confirm it/).waitFor();
    expect(bodyInForce()).to.equal('unconfirmed');
    await page.getByRole('button', { name: 'Roll back now' }).click();
    await page.getByText(/will be rolled back in/).waitFor({ state: 'detached' });
    expect(bodyInForce()).to.equal('mine');
  });

  it('a configuration value can be edited as JSON text', async () => {
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
    await page.getByText('The value changed while you were typing').waitFor();
    await page.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByText('− "meanwhile"').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Change applied').last().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(bodyInForce()).to.equal('by text');
  });

  it('unfinished input survives a rerender of the dashboard page', async () => {
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

  it('the dashboard draft survives a page reload, and discarding the draft requires confirmation', async () => {
    const { page } = suite;
    await suite.show('config', { path: '/apps/http/servers/demo/routes/0/handle/0' });
    await upToDate();
    const field = page.getByLabel('body', { exact: true });
    await field.fill('kept');
    await field.blur();
    await page.getByText('1 change in the draft').waitFor();
    const asked = page.waitForEvent('dialog');
    await page.reload();
    expect((await asked).type()).to.equal('beforeunload');
    await page.getByText('1 change in the draft').waitFor();
    await page.waitForFunction(
      () => Reflect.get(document.querySelector('.setting input') ?? {}, 'value') !== undefined,
    );
    expect(await field.inputValue()).to.equal('kept');
    // Another client changes the same value while the page is closed, so restoring the draft causes a conflict.
    await page.goto('about:blank');
    await change('/apps/http/servers/demo/routes/0/handle/0/body', 'changed while closed');
    await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/0/handle/0`);
    await page.getByRole('button', { name: 'Review and apply' }).click();
    const conflicts = page.getByRole('region', { name: 'Conflicts' });
    await conflicts.getByText('"changed while closed"').waitFor();
    await conflicts.getByText('"kept"').waitFor();
    await conflicts.getByText('@hello').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const discarded = page.waitForEvent('dialog');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect((await discarded).message()).to.equal('Discard the draft with 1 change?');
    await page.reload();
    await upToDate();
    expect(await page.getByText('in the draft').count()).to.equal(0);
  });

  it('the changes view shows old and new values, the absolute time, and the route name', async () => {
    const { page } = suite;
    const before = String(bodyInForce());
    await change('/apps/http/servers/demo/routes/0/handle/0/body', 'after');
    await suite.show('changes');
    await page.reload();
    const latest = page.getByRole('listitem').filter({ hasText: 'Current' }).first();
    await latest.getByRole('button', { name: 'Show changes' }).click();
    await latest.getByText(`− "${before}"`).waitFor();
    await latest.getByText('+ "after"').waitFor();
    await latest.getByText('demo › @hello › handle[0].body').first().waitFor();
    expect(await latest.getByRole('time').or(latest.locator('time')).first().innerText()).to.match(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/,
    );
    await latest.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByText(/Rolled back to revision/).waitFor();
    expect(bodyInForce()).to.equal(before);
  });

  it('the dashboard favicon reflects the most severe state', async () => {
    const { page } = suite;
    const icon = (): Promise<string> => page.locator('link[rel=icon]').getAttribute('href').then(String);
    expect(await icon()).to.match(/^icon-[\w-]+\.svg$/);
    await suite.server.change('PUT', '/config/apps/nothing', {});
    await page.waitForFunction(() => document.querySelector('link[rel=icon]')?.getAttribute('href')?.includes('warn'));
    await suite.show('overview');
    await page
      .getByText(/A change was rejected/)
      .first()
      .waitFor();
  });

  /** Waits until the page has loaded the configuration changed by the previous test. */
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

  /** Changes a configuration value from another client. */
  async function change(path: string, value: string): Promise<void> {
    expect(await suite.server.change('PATCH', `/config${path}`, value)).to.equal(200);
  }
});
