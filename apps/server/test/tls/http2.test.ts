/** Tests HTTP/2 over TLS with the complete server: frame-level behavior and malicious clients. */
import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { frames, http2Checks } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer, withApps } from '../support/server.ts';

const { endStream, fields, frame, FrameClient, request, types, usual: defaults } = frames;
const { continuation, data, goAway, headers, ping, reset, settings } = types;
const name = 'a.test';

describe('HTTP/2 over TLS', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  before(async () => {
    sandbox = new Sandbox();
    const routes = [says('hello{http.request.body}')];
    const apps = {
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: {
        certificates: { automate: [name] },
        automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
      },
    };
    server = await TestServer.runWith(sandbox, (admin, http) =>
      withApps(config(admin, http, routes, { tls_connection_policies: [{}] }), apps),
    );
    await server.logged('obtained certificate');
  });
  after(() => sandbox.remove());

  function secure(): TLSSocket {
    const options = { port: server.httpPort, host: '127.0.0.1', servername: name, rejectUnauthorized: false };
    return connect({ ...options, ALPNProtocols: ['h2'] }).setNoDelay(true);
  }
  const client = (): InstanceType<typeof FrameClient> => new FrameClient(secure()).open();

  for (const [section, table] of Object.entries(http2Checks)) {
    describe(section, () => {
      for (const [what, sent, verdict] of table) {
        it(`the HTTP/2 server ${what}`, async () => {
          const asking = client().send(...sent);
          expect(await asking.verdict()).to.match(verdict);
          asking.close();
        });
      }
    });
  }

  describe('HTTP/2 floods', () => {
    const endings = /^(goaway \d+|closed|reset \d+)$/;

    it('an HTTP/2 CONTINUATION flood closes the connection', async () => {
      for (const content of [fields(['x-a', 'b'.repeat(100)]), Buffer.alloc(0)]) {
        const flooding = client().send(frame(headers, endStream, 1, fields(...defaults)));
        const pieces = Array.from({ length: 50 }, () => frame(continuation, 0, 1, content));
        for (let i = 0; i < 100 && !flooding.closed; i++) flooding.send(...pieces);
        expect(await flooding.verdict()).to.match(endings);
        flooding.close();
      }
    });

    it('an HTTP/2 flood of stream resets closes the connection', async () => {
      const flooding = client();
      const cancel = Buffer.from([0, 0, 0, 8]);
      for (let id = 1; id < 8000 && !flooding.closed; id += 2) flooding.send(request(id), frame(reset, 0, id, cancel));
      expect(await flooding.until(({ type }) => type === goAway, 5000)).to.not.equal(null);
      flooding.close();
    });

    for (const [what, piece] of [
      ['SETTINGS', frame(settings, 0, 0)],
      ['PING', frame(ping, 0, 0, Buffer.alloc(8))],
      ['DATA for closed streams', frame(data, 0, 1)],
    ] as const) {
      it(`an HTTP/2 flood of ${what} neither increases memory nor blocks other requests`, async () => {
        const flooding = client().send(request(1));
        await flooding.until(({ type }) => type === headers);
        flooding.pause();
        const before = residentMiB(server.started.child.pid ?? 0);
        const many = Buffer.concat(Array.from({ length: 1000 }, () => piece));
        for (let i = 0; i < 100 && !flooding.closed; i++) {
          flooding.send(many);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        const other = client().send(request(1));
        expect(await other.verdict()).to.equal('status 200');
        expect(residentMiB(server.started.child.pid ?? 0) - before).to.be.below(64);
        flooding.close();
        other.close();
      });
    }
  });
});

function residentMiB(pid: number): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}
