import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { PollSets } from '@sluice/base';
import { nativeProblem } from '@sluice/native';
import { closePolled } from '../../src/process/polled-connections.ts';

describe('connections of a terminated worker', () => {
  before(function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
  });

  it('closePolled closes connections that a terminated worker has accepted without Node', async () => {
    const worker = new Worker(new URL('polled-worker.ts', import.meta.url));
    const [{ port, sets }] = (await once(worker, 'message')) as [{ port: number; sets: PollSets }];
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
    closePolled(sets);
    await Promise.all(closed);
    expect([sets.connections, sets.listeners].map((set) => existsSync(`/proc/self/fdinfo/${set}`))).to.deep.equal([
      false,
      false,
    ]);
    // The epoll sets are already closed, so closing them again has no effect.
    closePolled(sets);
  });
});
