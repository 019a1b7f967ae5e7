import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

interface Rollout {
  readonly state: string;
  readonly why?: string;
  readonly origin?: string;
}

describe('server restart during a gradual rollout', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let start: (args: readonly string[]) => Promise<TestServer>;

  const plan = encodeURIComponent('50%,all;hold=1h');
  const bodyPath = '/apps/http/servers/s/routes/0/handle/0/body';
  const read = async <T>(path: string): Promise<T> => JSON.parse((await server.admin(path)).text) as T;

  beforeEach(async () => {
    sandbox = new Sandbox();
    const [admin, http] = [await freePort(), await freePort()];
    const file = await sandbox.write('config.json', config(admin, http, [says('old')]));
    start = (args) => TestServer.start(sandbox, args, admin, http);
    server = await start(['--config', file]);
  });
  afterEach(async () => {
    await server.stop();
    await sandbox.remove();
  });

  for (const [signal, why] of [
    ['SIGKILL', 'the server exited during the rollout'],
    ['SIGTERM', 'the server is stopping'],
  ] as const)
    it(`after ${signal}, the rollback of the rollout appears in the proposal report, in GET /rollout and in the log`, async () => {
      const patch = [{ op: 'replace', path: bodyPath, value: 'new' }];
      await server.admin('/proposals', { method: 'POST', body: { title: 'faster', patch } });
      expect((await server.admin(`/approvals/1?rollout=${plan}`, { method: 'POST' })).status).to.equal(202);
      await server.stop(signal);
      if (signal === 'SIGTERM')
        expect(
          server.log.filter(({ msg, why: reason }) => msg === 'rollout was rolled back' && reason === why),
        ).to.have.length(1);
      server = await start(['--resume']);
      const rollout = await read<Rollout>('/rollout');
      expect(rollout).to.include({ state: 'taken_back', why });
      expect(rollout.origin).to.include('approval of proposal 1');
      const proposal = await read<{ state: string; rollout: Rollout }>('/proposals/1');
      expect(proposal.state).to.equal('open');
      expect(proposal.rollout).to.include({ state: 'taken_back', why });
      const page = (await server.admin('/proposals/1/report?format=html')).text;
      expect(page).to.include(`rolled back, ${why}`);
      if (signal === 'SIGKILL') {
        await server.logged('rollout was rolled back');
        const [line] = server.log.filter(({ msg }) => msg === 'rollout was rolled back');
        expect(line).to.include({ why, level: 'warn' });
      }
      expect((await server.http('/')).text).to.equal('old');
      // After the restart, the proposal can be approved again.
      expect((await server.admin('/approvals/1', { method: 'POST' })).status).to.equal(200);
      expect((await server.http('/')).text).to.equal('new');
    });

  it('after a crash, the server reports an interrupted rollout even if it was started without a proposal, and the next rollout can start', async () => {
    const target = `/config${bodyPath}?rollout=${plan}`;
    expect((await server.admin(target, { method: 'PATCH', body: 'new' })).status).to.equal(202);
    await server.stop('SIGKILL');
    server = await start(['--resume']);
    await server.logged('rollout was rolled back');
    expect(await read<Rollout>('/rollout')).to.include({ state: 'taken_back' });
    expect((await server.admin(target, { method: 'PATCH', body: 'new' })).status).to.equal(202);
    expect(await read<Rollout>('/rollout')).to.include({ state: 'holding' });
  });

  it('a rollout is not saved if saving the configuration is disabled', async () => {
    await server.admin('/config/admin/config', { method: 'PUT', body: { persist: false } });
    await server.admin(`/config${bodyPath}?rollout=${plan}`, { method: 'PATCH', body: 'new' });
    await server.stop('SIGKILL');
    server = await start(['--resume']);
    expect(await read<Rollout>('/rollout')).to.deep.equal({ state: 'none' });
  });
});
