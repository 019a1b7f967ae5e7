import { expect } from 'chai';
import { until } from '../support/sandbox.ts';
import { valuePath } from './fleet-of-three.ts';
import { redis } from './store-servers.ts';
import { describeFleet } from './suite.ts';

const options = { engine: redis, routes: 3, timeout: 180_000 };

describeFleet('a change pending confirmation', options, ({ server }) => {
  /** Returns the values set by changes, newest first. A confirmation sets no value. */
  const made = async (index: number): Promise<readonly (string | undefined)[]> =>
    ((await server(index).get('fleet/history')) as { patch: { value?: string }[] }[])
      .filter(({ patch }) => patch.length > 0)
      .map(({ patch }) => patch[0]?.value);

  it('another fleet member reverts an unconfirmed change exactly once if the author is killed @long', async () => {
    expect((await server(0).ask('PATCH', `${valuePath}?confirm_within=3s&wait=all`, 'risky')).status).to.equal(200);
    expect(await server(1).serve()).to.equal('risky');
    await server(0).kill();
    await until(async () => (await server(1).get(valuePath)) === 'first', 'it is taken back', 60_000);
    await until(async () => (await server(2).serve()) === 'first', 'the other one has that, too');
    await server(0).run();
    await until(async () => (await server(0).serve()) === 'first', 'the one that was killed has it when it runs again');
    // At this point, a member that had missed the revert would already have reverted the change a second time.
    expect((await server(1).ask('PATCH', `${valuePath}?wait=here`, 'after')).status).to.equal(200);
    expect((await made(1)).slice(0, 3)).to.deep.equal(['after', 'first', 'risky']);
  });

  it('the fleet keeps a confirmed change even if only one member survives @long', async () => {
    expect((await server(0).ask('PATCH', `${valuePath}?confirm_within=5s&wait=all`, 'kept')).status).to.equal(200);
    expect((await server(1).ask('POST', 'fleet/confirm')).status).to.equal(200);
    await server(0).kill();
    await server(1).kill();
    const before = Date.now();
    await until(() => Date.now() - before > 6000, 'the time to confirm it is over');
    expect(await server(2).serve()).to.equal('kept');
    expect((await made(2))[0]).to.equal('kept');
  });
});
