import { expect } from 'chai';
import { hasPebble } from '@sluice/testing';
import { tryArrays } from '../../../src/fleet-trials/array-trial.ts';
import { tryAway } from '../../../src/fleet-trials/away-trial.ts';
import { tryCertificates } from '../../../src/fleet-trials/certificate-trial.ts';
import { certificateStores } from '../../../src/fleet-trials/certificates/stores.ts';
import { fullCanaryPlan, tryCanaries } from '../../../src/fleet-trials/canary-trial.ts';
import { tryFailovers } from '../../../src/fleet-trials/failover-trial.ts';
import { trySecrets } from '../../../src/fleet-trials/secret-trial.ts';
import { trySpeed } from '../../../src/fleet-trials/speed-trial.ts';
import { onEngine } from '../../fleet-trials/on-engine.ts';
import { sourceCommand } from '../../fleet-trials/source-command.ts';

describe('fleet trials at small scale', function () {
  this.timeout(240_000);

  it('a fleet serializes concurrent edits of one array', function () {
    return onEngine(this, 'etcd', async (engine, seed) => {
      const report = await tryArrays(engine, sourceCommand, { seed, writers: 12, rounds: 4 });
      expect(report.problems, `seed ${seed}`).to.deep.equal([]);
      expect(report.serial).to.equal(4);
      expect(report.committed).to.be.greaterThan(3);
    });
  });

  it('fleet members serve all requests while the store is unavailable, even if a member starts during the outage', function () {
    return onEngine(this, 'redis', async (engine, seed) => {
      const report = await tryAway(engine, sourceCommand, { seed, seconds: 3, rate: 20 });
      expect(report.problems).to.deep.equal([]);
      expect(report.requests).to.be.greaterThan(20);
    });
  });

  it('fleet members detect Redis failovers that lose changes, apply no entries of the new history, and adopt the new document on command', async function () {
    const seed = Date.now() % 1_000_000;
    const report = await tryFailovers(sourceCommand, { seed, failovers: 2 });
    if (report === null) {
      process.stdout.write('        skipped: Redis is not installed\n');
      this.skip();
    }
    expect(report.problems, `seed ${seed}`).to.deep.equal([]);
    expect(report.noticed).to.equal(2);
  });

  for (const name of ['file_system', 'redis'])
    it(`two fleet members with ${name} order a certificate once, and stored files survive a suspended lock owner`, async function () {
      const store = (await certificateStores[name]?.()) ?? null;
      if (store === null || !hasPebble) {
        await store?.stop();
        process.stdout.write(`        skipped: ${name} or pebble is not installed\n`);
        this.skip();
      }
      try {
        const report = await tryCertificates(store, { seed: Date.now() % 1_000_000, names: 2, stops: 3 });
        expect(report?.problems, JSON.stringify(report)).to.deep.equal([]);
        expect(report).to.include({ wanted: 2, stopped: 3 });
        expect(report?.overtaken).to.be.greaterThan(0);
      } finally {
        await store.stop();
      }
    });

  it('rollouts with real requests roll back failing changes and leave no mixed versions when the coordinator is killed', function () {
    return onEngine(this, 'postgres', async (engine, seed) => {
      const sizes = { canaries: 1, rate: 60, failing: 0.2, equal: 0, hold: 2, killedHold: 5, killedRate: 80 };
      const plan = { ...fullCanaryPlan, ...sizes, seed };
      const report = await tryCanaries(engine, sourceCommand, plan);
      expect(report.problems, `seed ${seed}`).to.deep.equal([]);
      const { failing, equal, unseen, killed, held } = report;
      expect([failing.takenBack, equal.promoted, unseen.paused]).to.deep.equal([1, 1, 1]);
      // The killed member is not one of the members that test the change.
      expect(killed.maxMixture, `seed ${seed}`).to.be.greaterThan(0);
      expect(held).to.deep.equal({ tunnels: plan.tunnels, streams: plan.streams });
    });
  });

  it('no secret appears in any store, log, file or response of a fleet', function () {
    return onEngine(this, 'etcd', async (engine, seed) => {
      const report = await trySecrets(engine, sourceCommand, { seed, secrets: 20, routes: 3000, changes: 4 });
      expect(report.problems).to.deep.equal([]);
      expect([report.planted, report.used]).to.deep.equal([20, 20]);
    });
  });

  it('a change of one value reaches all fleet members as an edit, without failed requests', function () {
    return onEngine(this, 'etcd', async (engine, seed) => {
      const report = await trySpeed(engine, sourceCommand, { seed, routes: 1000, changes: 8, rate: 20 });
      expect(report.failures).to.deep.equal({});
      expect(report.largestEntry).to.be.lessThan(1024);
      expect(report.median).to.be.greaterThan(0);
    });
  });
});
