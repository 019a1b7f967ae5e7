import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { ReplayGuard } from '../../src/server/replay-guard.ts';

const second = 1_000_000_000n;
const size = 8 * (2 + (1 << 16));

describe('ReplayGuard', () => {
  let memory: SharedArrayBuffer;
  let now = 0n;
  const guard = (parameters = ''): ReplayGuard => new ReplayGuard(memory, parameters, () => now);
  beforeEach(() => {
    memory = new SharedArrayBuffer(size);
    now = 1000n * second;
  });

  it('ReplayGuard accepts a ClientHello only once across all threads that share its memory', () => {
    const [one, other] = [guard(), guard()];
    const random = randomBytes(32);
    expect(one.admit(random)).to.equal(true);
    expect(one.admit(random)).to.equal(false);
    expect(other.admit(random)).to.equal(false);
    expect(other.admit(randomBytes(32))).to.equal(true);
  });

  it('ReplayGuard remembers a ClientHello for as long as TLS accepts its early data', () => {
    for (let start = 0n; start < 15n; start++) {
      now = (100_000n + start) * second;
      const random = randomBytes(32);
      expect(guard().admit(random)).to.equal(true);
      now += 14n * second;
      expect(guard().admit(random), `after 14 s from second ${start}`).to.equal(false);
    }
  });

  it('ReplayGuard rejects early data while its table is full, and accepts early data again later', () => {
    const one = guard();
    let admitted = 0;
    for (let i = 0; i < 1 << 17; i++) if (one.admit(randomBytes(32))) admitted += 1;
    expect(admitted)
      .to.be.above(1 << 15)
      .and.at.most(1 << 16);
    now += 60n * second;
    expect(one.admit(randomBytes(32))).to.equal(true);
  }).timeout(20_000);

  it('ReplayGuard binds session tickets to its memory and its parameters', () => {
    const { binding } = guard('1');
    expect(guard('1').binding.equals(binding)).to.equal(true);
    expect(guard('2').binding.equals(binding)).to.equal(false);
    memory = new SharedArrayBuffer(size);
    expect(guard('1').binding.equals(binding)).to.equal(false);
  });

  // Attack in docs/security.md: Replayed early data (0-RTT replay).
  it('ReplayGuard accepts each ClientHello in only one of several threads', async () => {
    const count = 20_000;
    const randoms = new SharedArrayBuffer(32 * count);
    randomBytes(32 * count).copy(Buffer.from(randoms));
    const admitted = new Int32Array(new SharedArrayBuffer(4 * count));
    const source = `
      const { workerData: { memory, randoms, admitted, count, url } } = require('node:worker_threads');
      import(url).then(({ ReplayGuard }) => {
        const guard = new ReplayGuard(memory, '');
        const all = Buffer.from(randoms);
        for (let i = 0; i < count; i++) if (guard.admit(all.subarray(32 * i, 32 * i + 32))) Atomics.add(admitted, i, 1);
      });`;
    const url = new URL('../../src/server/replay-guard.ts', import.meta.url).href;
    const workerData = { memory, randoms, admitted, count, url };
    const workers = [0, 1, 2].map(() => new Worker(source, { eval: true, workerData }));
    await Promise.all(
      workers.map((worker) => new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))),
    );
    expect(admitted.every((times) => times === 1)).to.equal(true);
  }).timeout(30_000);
});
