import { expect } from 'chai';
import { createServer, type Server, type Socket } from 'node:net';
import { adminCall } from '../src/admin-call.ts';

describe('benchmark tool: adminCall', () => {
  let server: Server | null = null;
  afterEach(() => server?.close());

  function listen(respond: (socket: Socket, text: string) => void): Promise<number> {
    const listening = createServer((socket) => {
      let text = '';
      socket.on('data', (piece) => {
        text += piece.toString();
        if (text.endsWith('"a"')) respond(socket, text);
      });
    });
    server = listening;
    return new Promise((resolve) => {
      listening.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port));
    });
  }

  it('adminCall sends JSON and returns the status after the complete response', async () => {
    let asked = '';
    let isComplete = false;
    const port = await listen((socket, text) => {
      asked = text;
      socket.write('HTTP/1.1 412 Precondition Failed\r\nContent-Length: 4\r\n\r\nab');
      setImmediate(() => {
        isComplete = true;
        socket.write('cd');
      });
    });
    expect(await adminCall(port, 'PATCH', '/config/x', 'a')).to.equal(412);
    expect(isComplete).to.equal(true);
    expect(asked).to.match(
      /^PATCH \/config\/x HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nContent-Type: application\/json\r\n/,
    );
    expect(asked).to.match(/Content-Length: 3\r\n\r\n"a"$/);
  });

  it('adminCall accepts a response that has no length and ends when the connection closes', async () => {
    const port = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await adminCall(port, 'PATCH', '/', 'a')).to.equal(200);
  });

  it('adminCall rejects if the connection closes before a response arrives', async () => {
    const port = await listen((socket) => socket.destroy());
    const failure = await adminCall(port, 'PATCH', '/', 'a').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });
});
