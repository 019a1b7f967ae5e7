import { expect } from 'chai';
import { frames } from '@sluice/testing';
import { ThreadLimit, Unsent } from '../../../src/engine/http2/unsent.ts';
import { listen } from '../harness.ts';

const { frame, FrameClient, preface, request, types } = frames;
const mebibyte = 1024 * 1024;

describe('HTTP/2 responses that clients do not read', () => {
  it('unread HTTP/2 responses get smaller buffers if there are many of them', () => {
    const unsent = new Unsent(() => undefined);
    unsent.streams = 1;
    expect(unsent.pieceSize(0)).to.equal(16 * 1024);
    expect(unsent.pieceSize(mebibyte)).to.equal(256 * 1024);
    unsent.streams = 250;
    expect(unsent.pieceSize(mebibyte)).to.be.within(16 * 1024, 40 * 1024);
    expect(unsent.mayTakeMore(16 * 1024)).to.equal(true);
    expect(unsent.mayTakeMore(40 * 1024)).to.equal(false);
  });

  // Attack in docs/security.md: Unread responses on many connections.
  it('unread HTTP/2 responses of a connection use at most a few megabytes, and are released with the connection', async () => {
    let held = 0;
    const listener = await listen(async ({ response }) => {
      for (;;) {
        const piece = Buffer.alloc(response.pieceSize);
        held += piece.length;
        if (!response.write(piece)) await response.drained();
        held -= piece.length;
      }
    });
    const client = new FrameClient(listener.port).send(preface, frame(types.settings, 0, 0));
    client.send(...Array.from({ length: 250 }, (_, i) => request(2 * i + 1)));
    await client.until(() => listener.server.count === 250);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(held).to.be.within(mebibyte, 9 * mebibyte);
    client.close();
    await listener.close();
  });

  it('at the limit for unread HTTP/2 responses, a thread first closes the largest connections that make no progress @long', async function () {
    this.timeout(6000);
    const limit = new ThreadLimit(10 * mebibyte);
    const cut: string[] = [];
    const connection = (name: string, held: number): Unsent => {
      const unsent = new Unsent(() => {
        cut.push(name);
        unsent.held = 0;
      }, limit);
      unsent.held = held;
      unsent.streams = 1;
      unsent.mayTakeMore(held);
      return unsent;
    };
    connection('small', 2 * mebibyte);
    connection('large', 6 * mebibyte);
    const reading = connection('reading', 8 * mebibyte);
    const timer = setInterval(() => reading.drains++, 100);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(cut).to.deep.equal(['large']);
    clearInterval(timer);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    // The memory limit leaves 10 MiB for the other connections.
    expect(cut).to.deep.equal(['large']);
  });
});
