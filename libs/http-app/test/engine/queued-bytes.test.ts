import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { isQueued, queuedBytes } from '../../src/engine/queued-bytes.ts';

/** Returns a stream with a property of a socket. */
function socketWith(name: string, value: unknown): Duplex {
  return Object.defineProperty(new Duplex(), name, { value });
}

describe('queuedBytes', () => {
  it('queuedBytes reads the number of queued bytes from sockets with and without a libuv handle', () => {
    expect(queuedBytes(socketWith('_handle', { writeQueueSize: 7 }))).to.equal(7);
    expect(queuedBytes(socketWith('queuedBytes', 8))).to.equal(8);
    expect(queuedBytes(new Duplex())).to.equal(null);
  });

  it('isQueued returns true only if the kernel has not accepted all bytes', () => {
    expect(isQueued(socketWith('queuedBytes', 1))).to.equal(true);
    expect(isQueued(socketWith('queuedBytes', 0))).to.equal(false);
    expect(isQueued(new Duplex())).to.equal(false);
  });
});
