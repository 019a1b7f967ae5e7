import { createToken } from '@sluice/admin-api';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { setAt, valueAt } from '../src/page/base/json.ts';
import { violationsIn } from './support/accessible.ts';
import type { WatchedPage } from './support/browser.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

const bodyPath = ['apps', 'http', 'servers', 'demo', 'routes', 0, 'handle', 0, 'body'];

describe('dashboard proposals', function () {
  this.timeout(60_000);
  const agent = createToken();
  const reviewer = createToken();
  const operator = createToken();
  const tokens = [
    {
      name: 'agent',
      hash: agent.hash,
      permissions: [{ methods: ['GET'] }, { paths: ['/proposals', '/approvals', '/explain/plan'] }],
    },
    { name: 'reviewer', hash: reviewer.hash, permissions: [{ methods: ['GET'] }, { paths: ['/approvals'] }] },
    { name: 'operator', hash: operator.hash },
  ];
  const policies = [{ name: 'production', paths: ['/apps/http/servers/demo/routes/0'], approval: true }];
  const suite = testInBrowser({
    document: setAt(setAt(shop, ['admin', 'tokens'], tokens), ['admin', 'policies'], policies),
  });
  let opened: WatchedPage;

  afterEach(async () => {
    if (opened === undefined) return;
    expect(opened.faults).to.deep.equal([]);
    await opened.context.close();
  });

  it('a token without permission to apply changes can propose changes, but cannot approve its own proposals', async () => {
    const page = await signIn(agent.token, 'config?path=/apps/http/servers/demo/routes/0/handle/0');
    await draftOf(page, 'by an agent');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('+ "by an agent"').waitFor();
    await dialog.getByText('2 rebuilt').waitFor();
    expect(await dialog.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).to.equal(true);
    await propose(dialog, 'change the greeting', 'the old one <b>is rude</b>');
    await page.getByText('Created proposal 1').waitFor();
    const proposal = page.getByRole('region', { name: 'Proposal 1' });
    await proposal.getByText(/Open$/).waitFor();
    for (const text of ['change the greeting', 'the old one <b>is rude</b>', '− "hello"', '+ "by an agent"'])
      await proposal.getByText(text).first().waitFor();
    await proposal.getByText(/by agent · 1 edit/).waitFor();
    expect(await page.getByText('in the draft').count()).to.equal(0);
    expect(await violationsIn(page)).to.deep.equal([]);
    await proposal.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Approve: agent is the author of proposal 1: a different token must approve it').waitFor();
    expect(bodyInForce()).to.equal('hello');
  });

  it('a proposal can be approved with a different token after a confirmation prompt', async () => {
    const page = await signIn(reviewer.token, 'proposals');
    const proposal = page.getByRole('region', { name: 'Proposal 1' });
    await proposal.getByRole('button', { name: 'Show details' }).click();
    await proposal.getByRole('region', { name: 'Behavior' }).waitFor();
    expect(await proposal.getByRole('button', { name: 'Withdraw' }).isDisabled()).to.equal(true);
    const asked = page.waitForEvent('dialog');
    await proposal.getByRole('button', { name: 'Approve', exact: true }).click();
    expect((await asked).message()).to.equal('Approve proposal 1? The change takes effect immediately.');
    await page.getByText('Proposal 1 approved and applied').waitFor();
    await proposal.getByText(/Applied$/).waitFor();
    await proposal.getByText(/approved by reviewer/).waitFor();
    expect(bodyInForce()).to.equal('by an agent');
    const saved = page.waitForEvent('download');
    await proposal.getByRole('button', { name: 'Download report' }).click();
    expect((await saved).suggestedFilename()).to.equal('proposal-1.html');
  });

  it('the user can propose a change that a policy rejects', async () => {
    const page = await signIn(operator.token, 'config?path=/apps/http/servers/demo/routes/0/handle/0');
    await draftOf(page, 'by an operator');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    const problem = dialog.getByRole('alert').filter({ hasText: 'policy "production"' });
    await problem.getByRole('button', { name: 'Propose instead' }).click();
    expect(await violationsIn(page)).to.deep.equal([]);
    await propose(dialog, 'policy', '');
    await page.getByText('Created proposal 2').waitFor();
    expect(bodyInForce()).to.equal('by an agent');
  });

  it('an outdated proposal cannot be approved, and can be withdrawn', async () => {
    const page = await signIn(operator.token, 'proposals?proposal=2');
    await override('in the meantime');
    const proposal = page.getByRole('region', { name: 'Proposal 2' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enter(page, reviewer.token);
    await proposal.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/Approve: proposal 2 is outdated: \/apps\S+ has changed in the meantime/).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enter(page, operator.token);
    await proposal.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Proposal 2 withdrawn').waitFor();
    await proposal.getByText(/Withdrawn$/).waitFor();
    expect(await proposal.getByRole('button', { name: 'Withdraw' }).count()).to.equal(0);
    expect(bodyInForce()).to.equal('in the meantime');
  });

  it('the dashboard does not propose a draft if the configuration has changed in the meantime', async () => {
    const page = await signIn(agent.token, 'config?path=/apps/http/servers/demo/routes/0/handle/0');
    await draftOf(page, 'mine');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 rebuilt').waitFor();
    await override('theirs');
    await propose(dialog, 'too late', '');
    await dialog.getByText('The configuration has changed since you started the draft').waitFor();
    await dialog.getByText('1 value changed on both sides').waitFor();
  });

  async function signIn(token: string, view: string): Promise<Page> {
    opened = await suite.open({ expected: /status of 4\d\d/ });
    const { page } = opened;
    await page.goto(`${suite.server.origin}/ui/#/${view}`);
    await enter(page, token);
    return page;
  }

  async function enter(page: Page, token: string): Promise<void> {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('h1').waitFor();
  }

  /** Changes the response body in the form and opens the review. */
  async function draftOf(page: Page, body: string): Promise<void> {
    const field = page.getByLabel('body', { exact: true });
    await field.fill(body);
    await field.blur();
    await page.getByRole('button', { name: 'Review and apply' }).click();
  }

  async function propose(dialog: Locator, title: string, reason: string): Promise<void> {
    const button = dialog.getByRole('button', { name: 'Propose', exact: true });
    if (await button.isVisible()) await button.click();
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: 'Send proposal' }).click();
  }

  /** Changes the response body and overrides the policy that rejects the change. */
  async function override(body: string): Promise<void> {
    const response = await fetch(`${suite.server.origin}/config/${bodyPath.join('/')}`, {
      method: 'PATCH',
      headers: {
        'Content-Type': 'application/json',
        'Sluice-Override': 'a test',
        Origin: suite.server.origin,
        Authorization: `Bearer ${operator.token}`,
      },
      body: JSON.stringify(body),
    });
    expect(response.status).to.equal(200);
  }

  function bodyInForce(): unknown {
    return valueAt(suite.server.control.reconciler.document, bodyPath);
  }
});
