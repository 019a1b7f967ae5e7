import { createServer, request, type Server } from 'node:http';
import { connect, createServer as createHttp2Server, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { expect } from 'chai';
import { config, TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Listens on a free loopback port and returns the port. */
async function listen(server: Server | Http2Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

describe('http.handlers.cache without buffering', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  const origins: (Server | Http2Server)[] = [];
  const sockets = new Set<Socket>();

  beforeEach(() => {
    sandbox = new Sandbox();
  });

  afterEach(async () => {
    await server.stop();
    for (const origin of origins.splice(0)) origin.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await sandbox.remove();
  });

  async function start(origin: Server | Http2Server, transport: object = {}, options: object = {}): Promise<void> {
    origins.push(origin);
    origin.on('connection', (socket: Socket) => sockets.add(socket));
    const upstreams = [{ dial: `127.0.0.1:${await listen(origin)}` }];
    const handle = [
      { handler: 'cache', ttl: '1h' },
      { handler: 'reverse_proxy', upstreams, ...transport },
    ];
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, [{ handle }], options));
  }

  it('the cache forwards each event of an event stream without waiting for the next one', async () => {
    await start(
      createServer((_incoming, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'max-age=60' });
        response.write('data: 1\n\n');
        next = () => response.write('data: 2\n\n');
      }),
    );
    let next = (): unknown => undefined;
    const outgoing = request({ host: '127.0.0.1', port: server.httpPort, path: '/events', agent: false }).end();
    const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    expect(String((await once(response, 'data'))[0])).to.equal('data: 1\n\n');
    next();
    expect(String((await once(response, 'data'))[0])).to.equal('data: 2\n\n');
    outgoing.destroy();
  });

  it('the cache forwards WebSocket data in both directions', async () => {
    const origin = createServer();
    origin.on('upgrade', (_incoming, socket: Duplex) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.on('data', (bytes: Buffer) => socket.write(`echo ${bytes.toString()}`));
    });
    await start(origin);
    const outgoing = request({
      host: '127.0.0.1',
      port: server.httpPort,
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    }).end();
    const [response, socket] = (await once(outgoing, 'upgrade')) as [{ statusCode: number }, Duplex];
    expect(response.statusCode).to.equal(101);
    for (const text of ['one', 'two']) {
      socket.write(text);
      expect(String((await once(socket, 'data'))[0])).to.equal(`echo ${text}`);
    }
    socket.destroy();
  });

  it('the cache forwards gRPC messages and trailers in both directions', async () => {
    const origin = createHttp2Server();
    origin.on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.on('data', (bytes: Buffer) => stream.write(`echo ${bytes.toString()}`));
      stream.on('end', () => stream.end());
    });
    const transport = { transport: { protocol: 'http', versions: ['h2c'] } };
    await start(origin, transport, { protocols: ['h1', 'h2c'] });
    const client = connect(`http://127.0.0.1:${server.httpPort}`);
    const stream = client.request({
      ':method': 'POST',
      ':path': '/s',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    for (const text of ['one', 'two']) {
      stream.write(text);
      expect(String((await once(stream, 'data'))[0])).to.equal(`echo ${text}`);
    }
    stream.end();
    const [trailers] = (await once(stream, 'trailers')) as [Record<string, string>];
    expect(trailers['grpc-status']).to.equal('0');
    client.destroy();
  });
});
