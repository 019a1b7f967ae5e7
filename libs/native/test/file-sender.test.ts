import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileSender, notCached, type FileSender } from '@sluice/native';

/** Returns the file descriptor of a connection. */
function descriptorOf(socket: Socket): number {
  return (socket as Socket & { readonly _handle: { readonly fd: number } })._handle.fd;
}

describe('fileSender', () => {
  const content = randomBytes(300_000);
  let folder: string;
  let path: string;
  let file: number;
  let send: FileSender;
  let server: Socket;
  let client: Socket;
  before(async function () {
    const found = fileSender();
    if (found === null) this.skip();
    send = found;
    folder = mkdtempSync(join(tmpdir(), 'sluice-send-'));
    path = join(folder, 'file');
    writeFileSync(path, content);
    file = openSync(path, 'r');
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
    [server] = (await once(listener, 'connection')) as [Socket];
    listener.close();
  });
  after(() => {
    server?.destroy();
    client?.destroy();
    if (file !== undefined) closeSync(file);
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  it('fileSender sends the bytes of a range in order', async () => {
    const chunks: Buffer[] = [];
    client.on('data', (chunk: Buffer) => chunks.push(chunk));
    let at = 1000;
    while (at < 250_000) {
      const count = send(descriptorOf(server), file, at, 250_000);
      expect(count).to.be.at.least(0);
      at += count;
      await new Promise(setImmediate);
    }
    while (Buffer.concat(chunks).length < 249_000) await once(client, 'data');
    expect(Buffer.concat(chunks).equals(content.subarray(1000, 250_000))).to.equal(true);
    client.removeAllListeners('data').pause();
  });

  it('fileSender sends no bytes for an empty range, and no bytes beyond the end of the file', () => {
    expect(send(descriptorOf(server), file, 10, 10)).to.equal(notCached);
    expect(send(descriptorOf(server), file, 300_000, 300_001)).to.equal(notCached);
    expect(send(descriptorOf(server), file, 0, 300_001)).to.equal(notCached);
  });

  it('fileSender returns 0 if the send buffer of the socket is full', () => {
    let count = 1;
    for (let i = 0; i < 1000 && count > 0; i++) count = send(descriptorOf(server), file, 0, content.length);
    expect(count).to.equal(0);
  });

  it('fileSender returns 0 if the destination is not a socket, and returns notCached if the source is not a file', () => {
    expect(send(9_999_999, file, 0, 1000)).to.equal(0);
    expect(send(descriptorOf(server), 9_999_999, 0, 1000)).to.equal(notCached);
  });

  it('fileSender returns notCached if the file was truncated', () => {
    truncateSync(path, 10);
    expect(send(descriptorOf(server), file, 0, content.length)).to.equal(notCached);
  });
});
