import { createToken } from '@sluice/admin-api';
import { expect } from 'chai';
import { setAt } from '../src/page/base/json.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard tokens', function () {
  this.timeout(60_000);
  const operator = createToken();
  const reader = createToken();
  const editor = createToken();
  const paths = ['/config/apps/http/servers/demo', '/reverse_proxy/upstreams', '/schema', '/openapi.json'];
  const tokens = [
    { name: 'operator', hash: operator.hash },
    { name: 'editor', hash: editor.hash, permissions: [{ methods: ['GET', 'PATCH'], paths }] },
    { name: 'reader', hash: reader.hash, permissions: [{ methods: ['GET'], paths }] },
  ];
  const suite = testInBrowser({ document: setAt(shop, ['admin', 'tokens'], tokens) });

  it('the dashboard requests a token, and stores the token only in memory and never in a URL', async () => {
    const { page, context, faults } = await suite.open({ expected: /status of 401/ });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${suite.server.origin}/ui/#/changes`);
    await page.getByLabel('Token').fill('sluice_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Token').fill(operator.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Changes' }).waitFor();
    await page.getByText('operator').waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([Object.values(sessionStorage), Object.values(localStorage), document.cookie, location.href]),
    );
    expect(stored + addresses.join(' '))
      .to.not.contain(operator.token)
      .and.not.contain('sluice_wrong');
    await page.reload();
    await page.getByLabel('Token').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the dashboard needs no token if the user has the one-time code of `sluice ui`', async () => {
    const headers = { Origin: suite.server.origin, Authorization: `Bearer ${operator.token}` };
    const made = await fetch(`${suite.server.origin}/session/code`, { method: 'POST', headers });
    const { path } = (await made.json()) as { readonly path: string };
    const { page, context, faults } = await suite.open({ expected: /status of 40[13]/ });
    await page.goto(suite.server.origin + path);
    await page.getByText('operator').waitFor();
    expect(page.url()).to.not.contain('code');
    // The tab keeps the token after a reload, so the user does not have to enter it again.
    await page.reload();
    await page.getByText('operator').waitFor();
    const other = await suite.open({ expected: /status of 40[13]/ });
    await other.page.goto(suite.server.origin + path);
    await other.page.getByText('invalid code').waitFor();
    expect([...faults, ...other.faults]).to.deep.equal([]);
    await context.close();
    await other.context.close();
  });

  it('a token can change only the part of the configuration that its permissions include', async () => {
    const { page, context, faults } = await suite.open({ expected: /status of 40[13]/ });
    await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/0/handle/0`);
    await page.getByLabel('Token').fill(editor.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('body', { exact: true }).fill('by a part');
    await page.getByLabel('body', { exact: true }).blur();
    await page.getByRole('button', { name: 'Review and apply' }).click();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Change applied').waitFor();
    expect(JSON.stringify(suite.server.control.reconciler.document)).to.contain('"by a part"');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('controls that a token does not permit are disabled and show the missing permission', async () => {
    const { page, context, faults } = await suite.open({ expected: /status of 40[13]/ });
    await page.goto(`${suite.server.origin}/ui/#/upstreams`);
    await page.getByLabel('Token').fill(reader.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const drain = page.getByRole('button', { name: 'Drain', exact: true }).first();
    await drain.waitFor();
    expect(await drain.isDisabled()).to.equal(true);
    await page
      .getByText('reader does not have permission for POST /reverse_proxy/upstreams/127.0.0.1%3A9/drain')
      .first()
      .waitFor();
    await page.goto(`${suite.server.origin}/ui/#/config?path=/apps/http/servers/demo/routes/0/handle/0`);
    await page.getByText('Read-only: reader does not have permission for PATCH').waitFor();
    expect(await page.getByLabel('body', { exact: true }).inputValue()).to.equal('by a part');
    expect(await page.getByLabel('body', { exact: true }).isDisabled()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
