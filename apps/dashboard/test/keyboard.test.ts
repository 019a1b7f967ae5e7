import { createToken } from '@sluice/admin-api';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { setAt, valueAt } from '../src/page/base/json.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

/** Maximum number of times to press Tab to reach a control. */
const reach = 120;

describe('dashboard operated only with the keyboard', function () {
  this.timeout(60_000);
  const { token, hash } = createToken();
  const suite = testInBrowser({
    document: setAt(shop, ['admin', 'tokens'], [{ name: 'operator', hash }]),
    page: { expected: /status of 401/ },
  });
  let page: Page;

  before(() => {
    ({ page } = suite);
  });

  it('a user can sign in with the keyboard', async () => {
    await page.getByLabel('Token').waitFor();
    await tabTo('Token');
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).to.not.contain(token);
  });

  it('the dashboard menu opens a view with the keyboard', async () => {
    await tabTo('Upstreams');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Upstreams', level: 1 }).waitFor();
  });

  it('an upstream can be drained with the keyboard', async () => {
    await page.getByRole('row').getByText('127.0.0.1:9').waitFor();
    await tabTo('Drain');
    await page.keyboard.press('Enter');
    await page.getByRole('row').getByText('drained').waitFor();
  });

  it('Ctrl+K finds a host in the dashboard', async () => {
    await page.keyboard.press('Control+k');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('www.blog');
    await page.getByRole('option', { name: /www\.blog/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('routes%2F2'));
  });

  it('arrow keys move through the configuration tree, and expand and collapse its nodes', async () => {
    await page.evaluate(() => void (location.hash = '/config?path=/apps/http/servers/demo'));
    await page.getByRole('row', { name: /^demo/ }).waitFor();
    await tabTo('Configuration', 'treegrid');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row', { name: /^routes/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await selectedRow()).to.match(/^listen/);
    await page.keyboard.press('ArrowLeft');
    expect(await selectedRow()).to.match(/^demo/);
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('row', { name: /^routes/ }).waitFor({ state: 'detached' });
  });

  it('a form field can be edited and applied with the keyboard', async () => {
    await page.evaluate(() => void (location.hash = '/config?path=/apps/http/servers/demo/routes/0/handle/0'));
    await page.getByLabel('body', { exact: true }).waitFor();
    await tabTo('body');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('typed');
    await page.keyboard.press('Tab');
    await tabTo('Review and apply');
    await page.keyboard.press('Enter');
    await page.getByText('2 rebuilt').waitFor();
    await tabTo('Apply');
    await page.keyboard.press('Enter');
    await page.getByText('Change applied').waitFor();
    const at = ['apps', 'http', 'servers', 'demo', 'routes', 0, 'handle', 0, 'body'];
    expect(valueAt(suite.server.control.reconciler.document, at)).to.equal('typed');
  });

  it('a site can be added and reviewed with the keyboard, and Escape closes the review', async () => {
    await page.evaluate(() => void (location.hash = '/sites'));
    await page.getByRole('button', { name: 'Add a site' }).waitFor();
    await tabTo('Add a site');
    await page.keyboard.press('Enter');
    await tabTo('Host names');
    await page.keyboard.type('new.example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('localhost:3000');
    await page.keyboard.press('Enter');
    await tabTo('Review and apply');
    await page.keyboard.press('Enter');
    await page
      .getByText(/1 started/)
      .or(page.getByText(/[2-9] started/))
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo('Discard');
    await page.keyboard.press('Enter');
  });

  it('arrow keys switch tabs, and a request can be explained with the keyboard', async () => {
    await page.evaluate(() => void (location.hash = '/traffic'));
    await page.getByRole('tab', { name: 'Live' }).waitFor();
    await tabTo('Live');
    await page.keyboard.press('ArrowRight');
    await page.getByLabel('URL', { exact: true }).waitFor();
    await tabTo('URL');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('http://old.example.com/');
    await page.keyboard.press('Enter');
    await page.getByText('Responds with 301').waitFor();
  });

  it('the live log can be paused and resumed with the keyboard', async () => {
    await page.evaluate(() => void (location.hash = '/logs'));
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await tabTo('Pause');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Resume/ }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('a user can sign out with the keyboard', async () => {
    await tabTo('Sign out');
    await page.keyboard.press('Enter');
    await page.getByLabel('Token').waitFor();
  });

  /** Presses Tab until the control with the given name has the focus. */
  async function tabTo(name: string, role?: string): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < reach; step += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        const label =
          element?.getAttribute('aria-label') ??
          (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent);
        return { name: label?.trim() ?? '', role: element?.getAttribute('role') ?? '' };
      });
      if (at.name === name && (role === undefined || at.role === role)) return;
      passed.push(at.name);
    }
    throw new Error(`no ${name} among ${passed.join(' | ')}`);
  }

  async function selectedRow(): Promise<string> {
    return (await page.locator('[role=row][aria-selected=true] [role=gridcell]').textContent()) ?? '';
  }
});
