/** Which listening sockets of a server accept connections without libuv handles. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { freePort, signedCertificate } from '@sluice/testing';
import { Sandbox, until } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

/** Returns the inode of the socket that listens on a port (proc_net(5)). */
function inodeOf(pid: number, port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const line = readFileSync(`/proc/${pid}/net/tcp`, 'latin1')
    .split('\n')
    .find((each) => each.includes(` ${address} `) && each.includes(' 0A '));
  return Number(line?.trim().split(/\s+/)[9] ?? -1);
}

/** Reports whether an epoll set other than libuv's contains the listening socket. Only libuv's sets contain event descriptors. */
function isPolled(pid: number, port: number): boolean {
  const inode = inodeOf(pid, port);
  const linkOf = (descriptor: string): string => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    } catch {
      return '';
    }
  };
  const descriptors = readdirSync(`/proc/${pid}/fd`);
  return descriptors
    .filter((descriptor) => linkOf(descriptor) === 'anon_inode:[eventpoll]')
    .map((descriptor) => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1'))
    .map((info) => Array.from(info.matchAll(/^tfd: *(\d+)/gm), ([, member]) => linkOf(member ?? '')))
    .some((links) => links.includes(`socket:[${inode}]`) && !links.includes('anon_inode:[eventfd]'));
}

describe('listening sockets with SLUICE_NATIVE_TLS=on', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  before(function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('only listening sockets that use TLS through the native bindings are polled', async () => {
    const { cert, key } = await signedCertificate(['localhost']);
    const [wrapped, logging] = [await freePort(), await freePort()];
    const server = (port: number, more: object): object => ({
      listen: [`127.0.0.1:${port}`],
      automatic_https: { disable: true },
      routes: [says('hello')],
      ...more,
    });
    const document = (admin: number, http: number, policies: readonly object[]): object => ({
      admin: { listen: `127.0.0.1:${admin}` },
      apps: {
        tls: { certificates: { load_pem: [{ certificate: cert, key }] } },
        http: {
          servers: {
            secure: server(http, { tls_connection_policies: policies }),
            wrapped: server(wrapped, { listener_wrappers: [{ wrapper: 'proxy_protocol' }] }),
            logging: server(logging, {
              tls_connection_policies: [{ insecure_secrets_log: sandbox.path('secrets') }],
            }),
          },
        },
      },
    });
    const started = await TestServer.runWith(sandbox, (admin, http) => document(admin, http, [{}]), [], {
      env: { SLUICE_NATIVE_TLS: 'on' },
    });
    const pid = started.started.child.pid as number;
    const polled = (): boolean[] => [started.httpPort, wrapped, logging].map((port) => isPolled(pid, port));
    await until(() => polled().join() === 'true,false,false', 'a polled listening socket');
    const { httpPort, adminPort } = started;
    const loaded = await started.admin('/load', { method: 'POST', body: document(adminPort, httpPort, []) });
    expect(loaded.status).to.equal(200);
    expect(polled()).to.deep.equal([false, false, false]);
    expect((await started.http('/', { headers: { host: 'localhost' } })).text).to.equal('hello');
  });
});
