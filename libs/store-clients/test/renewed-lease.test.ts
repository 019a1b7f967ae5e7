import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { RenewedLease } from '@sluice/store-clients';

describe('a lease that its holder renews', () => {
  const opened: RenewedLease[] = [];
  afterEach(async () => {
    for (const lease of opened.splice(0)) await lease.release();
  });

  /** A lease of so many milliseconds, and what its store was asked for. */
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

  it('is renewed again and again, and given back once', async () => {
    const { lease, asked } = open(1500, async () => true);
    await until(() => asked.length === 2);
    expect(lease.lost.aborted).to.equal(false);
    await lease.release();
    await lease.release();
    expect(asked).to.deep.equal(['renew a name of a token', 'renew a name of a token', 'release a name of a token']);
    expect(lease.lost.aborted).to.equal(false);
  });

  it('is lost where the store says so', async () => {
    const { lease, asked } = open(30, async () => false);
    await once(lease.lost, 'abort');
    await lease.release();
    // What was lost is not given back: another may have it.
    expect(asked).to.deep.equal(['renew a name of a token']);
  });

  it('is lost where the store is silent for as long as it lasts, whatever it says later', async () => {
    const late = Promise.withResolvers<boolean>();
    const { lease, asked } = open(30, () => late.promise);
    await once(lease.lost, 'abort');
    late.resolve(true);
    await sleep(30);
    expect(asked).to.deep.equal(['renew a name of a token']);
  });

  it('is lost where the store is out of reach for as long as it lasts', async () => {
    const { lease, asked } = open(60, () => Promise.reject(new Error('away')));
    const begun = performance.now();
    await once(lease.lost, 'abort');
    expect(performance.now() - begun).to.be.at.least(50);
    expect(asked.length).to.be.at.least(1);
  });

  it('is kept where the store comes back in time', async () => {
    const { lease, asked } = open(3000, (time) =>
      time === 1 ? Promise.reject(new Error('away')) : Promise.resolve(true),
    );
    await until(() => asked.length === 2);
    expect(lease.lost.aborted).to.equal(false);
  });

  it('is over when it is given back, also while it is renewed, and where the store does not hear of it', async () => {
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
