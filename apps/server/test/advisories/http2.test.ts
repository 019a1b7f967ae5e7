/** Tests for published HTTP/2 and nghttp2 advisories at the frame level. Tests of the HTTP/2 engine cover floods. */
import { expect } from 'chai';
import { frames } from '@sluice/testing';
import { rawUpstream, type RawUpstream } from '../support/raw.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

const { endHeaders, endStream, fields, frame, FrameClient, request, types, usual: defaults } = frames;
const { continuation, goAway, headers, reset, settings, windowUpdate, priority, data, ping } = types;

const number = (value: number): Buffer => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return payload;
};
const cancel = (id: number): Buffer => frame(reset, 0, id, number(8));

describe('published advisories about HTTP/2', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let silent: RawUpstream;
  let open = 0;
  before(async () => {
    sandbox = new Sandbox();
    silent = await rawUpstream(
      () => {},
      (socket) => {
        open++;
        socket.on('close', () => open--);
      },
    );
    const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: silent.dial }] };
    const routes = [{ match: [{ path: ['/silent'] }], handle: [proxy], terminal: true }, says('ok')];
    server = await TestServer.runWith(sandbox, (admin, http) =>
      config(admin, http, routes, { protocols: ['h1', 'h2c'] }),
    );
  });
  after(async () => {
    await silent.close();
    await sandbox.remove();
  });

  const client = (): InstanceType<typeof FrameClient> => new FrameClient(server.httpPort).open();
  const respondsToOthers = async (): Promise<void> => {
    const other = client().send(request(1));
    expect(await other.verdict()).to.equal('status 200');
    other.close();
    expect((await server.http('/')).text).to.equal('ok');
  };
  const ask = (id: number, path: string, flags = endHeaders | endStream): Buffer =>
    frame(headers, flags, id, fields([':method', 'GET'], [':scheme', 'http'], [':path', path], [':authority', 'a']));

  it('CVE-2023-44487: the server stops processing reset requests, and closes connections with too many resets', async () => {
    const flooding = client();
    flooding.send(ask(1, '/silent'));
    await until(() => open > 0, 'a request reaches the upstream', 5000);
    flooding.send(cancel(1));
    await until(() => open === 0, 'the reset request is canceled at the upstream', 5000);
    for (let id = 3; id < 8001 && !flooding.closed; id += 2) flooding.send(ask(id, '/silent'), cancel(id));
    expect(await flooding.until(({ type }) => type === goAway, 3000)).to.not.equal(null);
    flooding.close();
    await until(() => open === 0, 'no connection to the upstream is left', 5000);
    await respondsToOthers();
  });

  // Frames that cause the server to reset a stream whose request is in progress.
  const provocations: readonly (readonly [string, (id: number) => Buffer])[] = [
    ['WINDOW_UPDATE with an increment of 0', (id) => frame(windowUpdate, 0, id, number(0))],
    ['a flow-control window overflow', (id) => frame(windowUpdate, 0, id, number(2 ** 31 - 1))],
    ['PRIORITY with a wrong length', (id) => frame(priority, 0, id, Buffer.alloc(4))],
    ['a stream that depends on itself', (id) => frame(priority, 0, id, Buffer.concat([number(id), Buffer.from([1])]))],
    ['DATA after END_STREAM', (id) => frame(data, 0, id, Buffer.from('x'))],
    ['HEADERS after END_STREAM', (id) => ask(id, '/')],
  ];
  for (const [what, provoke] of provocations) {
    it(`CVE-2025-8671 (MadeYouReset): the server stops processing a request after ${what}`, async () => {
      const flooding = client();
      for (let id = 1; id < 4001 && !flooding.closed; id += 2) {
        flooding.send(ask(id, '/silent'), provoke(id));
        if (id % 200 === 1) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await flooding.until(({ type }) => type === goAway, 300);
      // The number of requests at the upstream is limited by the number of streams that a connection may have open.
      expect(open).to.be.at.most(256);
      flooding.close();
      await until(() => open === 0, 'no connection to the upstream is left', 5000);
      await respondsToOthers();
    });
  }

  it('CVE-2024-27983: closing a connection in the middle of a header block does not affect other connections', async () => {
    for (let round = 0; round < 50; round++) {
      const cut = client();
      cut.send(frame(headers, endStream, 1, fields(...defaults)), frame(continuation, 0, 1, fields(['x', 'y'])));
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      cut.close();
    }
    await respondsToOthers();
  });

  it('CVE-2024-28182: an endless sequence of CONTINUATION frames closes the connection', async () => {
    const flooding = client().send(frame(headers, endStream, 1, fields(...defaults)));
    const piece = frame(continuation, 0, 1, fields(['x-a', 'b'.repeat(100)]));
    for (let i = 0; i < 200 && !flooding.closed; i++) flooding.send(...Array.from({ length: 50 }, () => piece));
    expect(await flooding.verdict()).to.match(/^(goaway \d+|closed|reset \d+)$/);
    flooding.close();
    await respondsToOthers();
  });

  it('CVE-2026-27135: malformed frames after the final frame do not affect other connections', async () => {
    const ends = [
      frame(data, 0, 0, Buffer.from([1])),
      frame(settings, 0, 0, Buffer.alloc(5)),
      frame(ping, 0, 0, Buffer.alloc(6)),
    ];
    const more = [
      frame(ping, 0, 0, Buffer.alloc(7)),
      frame(windowUpdate, 0, 0, Buffer.alloc(3)),
      frame(reset, 0, 1, Buffer.alloc(3)),
      frame(goAway, 0, 0, Buffer.alloc(3)),
      frame(settings, 0, 0, Buffer.alloc(7)),
      frame(10, 0, 0, Buffer.alloc(1)),
      frame(12, 0, 0, Buffer.alloc(1)),
      frame(16, 0, 0, Buffer.alloc(1)),
    ];
    for (const first of ends) {
      for (const second of more) {
        const broken = client().send(first, second, second);
        expect(await broken.verdict()).to.match(/^(goaway \d+|closed)$/);
        broken.close();
      }
    }
    await respondsToOthers();
  });

  it('CVE-2025-59465: invalid HPACK closes only the affected connection', async () => {
    for (const block of [
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x82, 0xff, 0x7f],
      [0x40, 0x7f],
      [0x3f, 0xff, 0xff, 0xff, 0x7f],
    ]) {
      const broken = client().send(frame(headers, endHeaders | endStream, 1, Buffer.from(block)));
      expect(await broken.verdict()).to.match(/^(goaway \d+|closed)$/);
      broken.close();
    }
    await respondsToOthers();
  });

  it('CVE-2026-21714: exceeding the flow-control window of the connection closes the connection', async () => {
    for (let round = 0; round < 50; round++) {
      const broken = client().send(
        frame(windowUpdate, 0, 0, number(2 ** 31 - 1)),
        frame(windowUpdate, 0, 0, number(2 ** 31 - 1)),
      );
      expect(await broken.verdict()).to.match(/^(goaway \d+|closed)$/);
      await broken.until(() => false, 1000);
      expect(broken.closed).to.equal(true);
    }
    await respondsToOthers();
  });

  it('CVE-2026-56846: buffered header blocks are limited in size', async () => {
    const holding = client();
    const large = Array.from({ length: 60 }, (_, i) => [`x-${i}`, 'v'.repeat(120)] as const);
    const block = fields(
      [':method', 'POST'],
      ...defaults.slice(1, 2),
      [':path', '/silent'],
      [':authority', 'a'],
      ...large,
    );
    let refused = 0;
    for (let id = 1; id < 2001 && !holding.closed; id += 2) holding.send(frame(headers, endHeaders, id, block));
    await holding.until(({ type }) => type === reset || type === goAway, 10_000);
    await holding.until(({ type }) => type === goAway, 500);
    for (const { type } of holding.frames) if (type === reset || type === goAway) refused++;
    expect(refused).to.be.greaterThan(0);
    expect(open).to.be.at.most(256);
    holding.close();
    await until(() => open === 0, 'no connection to the upstream is left', 5000);
    await respondsToOthers();
  });

  it('CVE-2026-56848: requests that are reset in the same packet do not crash the process', async () => {
    for (let round = 0; round < 20; round++) {
      const busy = client();
      for (let id = 1; id < 100; id += 2) busy.send(ask(id, '/'), cancel(id), frame(windowUpdate, 0, 0, number(1)));
      busy.send(frame(goAway, 0, 0, Buffer.alloc(8)));
      await new Promise((resolve) => setTimeout(resolve, 1));
      busy.close();
    }
    await respondsToOthers();
  });
});
