import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { RenewedLease } from '@sluice/store-clients';

describe('RenewedLease', () => {
  const opened: RenewedLease[] = [];
  afterEach(async () => {
    for (const lease of opened.splice(0)) await lease.release();
  });

  /** Creates a lease with a duration in milliseconds. Records the requests to the lease's store. */
  function open(span: number, renew: (asked: number) => Promise<boolean>, release = async () => {}) {
    const asked: string[] = [];
    let renewals = 0;
    const lease = new RenewedLease(
      { name: 'a name', token: 'a token', span, asked: performance.now() },
      {
        renew: ({ name, token }) => {
          asked.push(`renew ${name} of ${token}`);
          return renew(++renewals);
        },
        release: async ({ name, token }) => {
          asked.push(`release ${name} of ${token}`);
          await release();
        },
      },
    );
    opened.push(lease);
    return { lease, asked };
  }
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await sleep(10);
  };

  it('RenewedLease is renewed repeatedly, and released once', async () => {
    const { lease, asked } = open(1500, async () => true);
    await until(() => asked.length === 2);
    expect(lease.lost.aborted).to.equal(false);
    await lease.release();
    await lease.release();
    expect(asked).to.deep.equal(['renew a name of a token', 'renew a name of a token', 'release a name of a token']);
    expect(lease.lost.aborted).to.equal(false);
  });

  it('RenewedLease is lost if the store rejects the renewal', async () => {
    const { lease, asked } = open(30, async () => false);
    await once(lease.lost, 'abort');
    await lease.release();
    // A lost lease is not released, because another owner may hold it.
    expect(asked).to.deep.equal(['renew a name of a token']);
  });

  it('RenewedLease is lost if the store does not respond for the lease duration, regardless of later responses', async () => {
    const late = Promise.withResolvers<boolean>();
    const { lease, asked } = open(30, () => late.promise);
    await once(lease.lost, 'abort');
    late.resolve(true);
    await sleep(30);
    expect(asked).to.deep.equal(['renew a name of a token']);
  });

  it('RenewedLease is lost if the store is unavailable for the lease duration', async () => {
    const { lease, asked } = open(60, () => Promise.reject(new Error('away')));
    const begun = performance.now();
    await once(lease.lost, 'abort');
    expect(performance.now() - begun).to.be.at.least(50);
    expect(asked.length).to.be.at.least(1);
  });

  it('RenewedLease is kept if the store recovers before the lease expires', async () => {
    const { lease, asked } = open(3000, (time) =>
      time === 1 ? Promise.reject(new Error('away')) : Promise.resolve(true),
    );
    await until(() => asked.length === 2);
    expect(lease.lost.aborted).to.equal(false);
  });

  it('RenewedLease ends when released, even during a renewal or while the store is unavailable', async () => {
    const under = Promise.withResolvers<boolean>();
    const { lease, asked } = open(
      300,
      () => under.promise,
      () => Promise.reject(new Error('away')),
    );
    await until(() => asked.length === 1);
    await lease.release();
    under.resolve(false);
    await sleep(20);
    expect(asked).to.deep.equal(['renew a name of a token', 'release a name of a token']);
    expect(lease.lost.aborted).to.equal(false);
  });
});
