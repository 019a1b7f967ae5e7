import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { writeResult } from '@sluice/http2';
import { turnShare } from '../../../src/engine/turn-share.ts';
import { SocketTransport } from '../../../src/engine/http2/socket-transport.ts';

const owner = {
  fault: (error: unknown): void => {
    throw error;
  },
};

/** A stream created by a listener wrapper. It completes each write immediately and records the data. */
class Keeping extends Duplex {
  readonly kept: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.kept.push(chunk);
    done();
  }
}

describe('SocketTransport', () => {
  it('SocketTransport copies buffers for streams of unknown type', () => {
    const socket = new Keeping();
    const transport = new SocketTransport(socket, owner, { written: () => undefined, failed: () => undefined });
    const bytes = Buffer.from('hello');
    expect(transport.write(bytes, 5)).to.equal(writeResult.done);
    bytes.fill(0);
    expect(socket.kept.map(String)).to.deep.equal(['hello']);
    socket.destroy();
  });

  it('SocketTransport reports that a slow write has completed', async () => {
    const ends: (() => void)[] = [];
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => void ends.push(done) });
    let written = 0;
    const transport = new SocketTransport(socket, owner, { written: () => void written++, failed: () => undefined });
    expect(transport.write(Buffer.from('a'), 1)).to.equal(writeResult.copied);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).to.equal(0);
    ends[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).to.equal(1);
    socket.destroy();
    await once(socket, 'close');
  });

  it('SocketTransport reports that a write has failed', async () => {
    const socket = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => setImmediate(() => done(new Error('EPIPE'))),
    });
    socket.on('error', () => undefined);
    const seen: string[] = [];
    const transport = new SocketTransport(socket, owner, {
      written: () => void seen.push('written'),
      failed: () => void seen.push('failed'),
    });
    transport.write(Buffer.from('a'), 1);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(seen).to.deep.equal(['failed']);
  });

  it('SocketTransport yields to the event loop after it has written its share of data, even if the socket could accept more', async () => {
    const socket = new Keeping();
    let written = 0;
    const transport = new SocketTransport(socket, owner, { written: () => void written++, failed: () => undefined });
    const bytes = Buffer.alloc(64 * 1024);
    let writes = 1;
    while (transport.write(bytes, bytes.length) === writeResult.done) writes++;
    expect(writes * bytes.length).to.equal(turnShare);
    expect(written).to.equal(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).to.equal(1);
    socket.destroy();
  });
});
