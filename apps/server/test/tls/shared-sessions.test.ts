/** Tests that TLS sessions can be resumed on another server that uses the same storage. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { says, TestServer } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

describe('TLS sessions with a shared storage', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  /** Starts two servers as separate processes. Returns their ports. */
  async function runTwo(tickets: object): Promise<readonly [number, number]> {
    const ports: number[] = [];
    for (const name of ['a', 'b']) {
      const [admin, http, https] = [await freePort(), await freePort(), await freePort()];
      const s = { listen: [`127.0.0.1:${https}`], routes: [{ match: [{ host: ['localhost'] }], ...says('served') }] };
      const document = {
        admin: { listen: `127.0.0.1:${admin}` },
        storage: { module: 'file_system', root: sandbox.path('shared') },
        apps: {
          pki: { certificate_authorities: { local: { install_trust: false } } },
          http: { http_port: http, https_port: https, servers: { s } },
          tls: { session_tickets: tickets },
        },
      };
      const file = await sandbox.write(`${name}.json`, document);
      await TestServer.start(sandbox, ['--config', file, '--workers', '1'], admin, http);
      ports.push(https);
    }
    return ports as [number, number];
  }

  /** Performs a TLS handshake. Returns the new session, and whether the given session was resumed. */
  async function shake(
    port: number,
    session?: Buffer,
  ): Promise<{ readonly session: Buffer; readonly resumed: boolean }> {
    const given = session === undefined ? {} : { session };
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, ...given });
    const [ticket] = (await once(socket, 'session')) as [Buffer];
    const resumed = socket.isSessionReused();
    socket.destroy();
    return { session: ticket, resumed };
  }

  /** Reports whether the second server resumes a session of the first server. */
  async function crosses(from: number, to: number): Promise<boolean> {
    return (await shake(to, (await shake(from)).session)).resumed;
  }

  const keys = async (): Promise<readonly string[]> =>
    (JSON.parse(await readFile(sandbox.path('shared/stek/keys.json'), 'utf8')) as { keys: string[] }).keys;

  it("servers with tls.stek.distributed resume each other's sessions, even after a key rotation @long", async () => {
    const [a, b] = await runTwo({ key_source: { provider: 'distributed' }, rotation_interval: '4s', max_keys: 1000 });
    await until(async () => (await crosses(a, b)) && (await crosses(b, a)), 'both use the keys of the storage');
    const { session } = await shake(a);
    const before = await keys();
    await until(async () => (await keys())[0] !== before[0], 'there is another key');
    expect((await keys()).slice(-before.length)).to.deep.equal(before);
    expect((await shake(b, session)).resumed).to.equal(true);
    await until(async () => (await crosses(a, b)) && (await crosses(b, a)), 'both use the key that has come');
  });

  it("servers without tls.stek.distributed do not resume each other's sessions", async () => {
    const [a, b] = await runTwo({});
    expect(await crosses(a, a)).to.equal(true);
    expect(await crosses(a, b)).to.equal(false);
  });
});
