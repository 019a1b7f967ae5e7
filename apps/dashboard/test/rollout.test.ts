import { join } from 'node:path';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { violationsIn } from './support/accessible.ts';
import { shop } from './support/shop.ts';
import { testInBrowser } from './support/suite.ts';

describe('dashboard: gradual rollouts', function () {
  this.timeout(120_000);
  const suite = testInBrowser({ document: shop, page: {} });
  const path = '/config/apps/http/servers/demo/routes/0/handle/0/body';
  const start = (value: Json): Promise<unknown> =>
    suite.server.change(
      'PATCH',
      `${path}?rollout=${encodeURIComponent('1%,10%,50%,all;hold=60s;by=cookie:session')}`,
      value,
    );

  it('the server view shows the steps of a rollout, and pauses, resumes and rolls it back', async () => {
    const { page } = suite;
    await start('new');
    await suite.show('server');
    const rollout = page.getByRole('region', { name: 'Rollout', exact: true });
    await rollout.getByText(/1%.* of 60 s/).waitFor();
    await rollout.getByText('cookie:session').waitFor();
    expect(await rollout.getByRole('listitem').allTextContents()).to.have.length(4);
    await rollout.getByRole('button', { name: 'Pause', exact: true }).click();
    await rollout.getByText(/^paused by/).waitFor();
    await rollout.getByRole('button', { name: 'Resume', exact: true }).click();
    await rollout.getByText('Observing').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await rollout.getByRole('button', { name: 'Abort', exact: true }).click();
    const last = page.getByRole('region', { name: 'Last rollout' });
    await last.getByText('Rolled back').waitFor();
    await last.getByText(/^aborted by/).waitFor();
  });

  it('the server view can apply the change of a rollout without the remaining stages', async () => {
    const { page } = suite;
    await start('newer');
    await suite.show('server');
    const rollout = page.getByRole('region', { name: 'Rollout', exact: true });
    page.once('dialog', (dialog) => void dialog.accept());
    await rollout.getByRole('button', { name: 'Apply now', exact: true }).click();
    await page.getByRole('region', { name: 'Last rollout' }).getByText('Completed').waitFor();
    expect(suite.server.control.reconciler.revision).to.equal(2);
  });

  for (const [name, width, dark] of [
    ['light', 1200, false],
    ['dark', 1200, true],
    ['narrow', 390, false],
  ] as const)
    it(`the rollout panel is accessible and fits the page: ${name}`, async () => {
      const { page } = suite;
      await start(`new ${name}`);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      await suite.show('server');
      const rollout = page.getByRole('region', { name: 'Rollout', exact: true });
      await rollout.getByText(/1%.* of 60 s/).waitFor();
      expect(await violationsIn(page)).to.deep.equal([]);
      const isTooWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(isTooWide).to.equal(false);
      const folder = process.env['SLUICE_TEST_PICTURES'];
      if (folder !== undefined) await rollout.screenshot({ path: join(folder, `rollout-${name}.png`) });
      await suite.server.control.endRollout('the test ends');
    });
});
