import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { closePolled } from '../../src/process/polled-connections.ts';

describe('connections of a terminated worker', () => {
  before(function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
  });

  it('closePolled closes connections that a terminated worker has accepted without Node', async () => {
    const worker = new Worker(new URL('polled-worker.ts', import.meta.url));
    const [{ port, set }] = (await once(worker, 'message')) as [{ port: number; set: number }];
    const clients: Socket[] = [];
    for (let i = 0; i < 3; i++) {
      const accepted = once(worker, 'message');
      clients.push(
        connect(port, '127.0.0.1')
          .resume()
          .on('error', () => undefined),
      );
      await accepted;
    }
    await worker.terminate();
    expect(clients.map(({ closed }) => closed)).to.deep.equal([false, false, false]);
    const closed = clients.map((client) => once(client, 'close'));
    closePolled(set);
    await Promise.all(closed);
    // The set is closed, and an unknown descriptor has no effect.
    closePolled(set);
    closePolled(-1);
  });
});
