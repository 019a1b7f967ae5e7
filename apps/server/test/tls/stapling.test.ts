import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { commandOf, freePort } from '@sluice/testing';
import { TestServer, config, says } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

const openssl = commandOf('openssl');
const run = promisify(execFile);
const connections = 12;

describe('OCSP stapling', function () {
  this.timeout(40_000);
  let sandbox: Sandbox;
  let responder: ChildProcess | null = null;
  let responderPort: number;
  before(function () {
    if (openssl === null) this.skip();
  });
  beforeEach(async () => {
    sandbox = new Sandbox();
    responderPort = await freePort();
    await makeAuthority();
    await startResponder();
  });
  afterEach(async () => {
    await stopResponder();
    await sandbox.remove();
  });

  /** Creates a CA, and a certificate that refers to the OCSP responder. */
  async function makeAuthority(): Promise<void> {
    const make = (...args: readonly string[]): unknown =>
      execFileSync('openssl', args, { cwd: sandbox.folder, stdio: 'pipe' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    make('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Authority', '-days', '30');
    make('req', ...key, '-keyout', 'a.key', '-out', 'a.csr', '-subj', '/CN=a.test');
    await sandbox.write(
      'extensions',
      `subjectAltName=DNS:a.test\nauthorityInfoAccess=OCSP;URI:http://127.0.0.1:${responderPort}/\n`,
    );
    const issue = ['-in', 'a.csr', '-out', 'leaf.pem', '-extfile', 'extensions', '-days', '20'];
    make('x509', '-req', ...issue, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial');
    const leaf = readFileSync(sandbox.path('leaf.pem'), 'utf8');
    await sandbox.write('a.pem', leaf + readFileSync(sandbox.path('ca.pem'), 'utf8'));
    const { serialNumber } = new X509Certificate(leaf);
    await sandbox.write('index.txt', `V\t990101000000Z\t\t${serialNumber}\tunknown\t/CN=a.test\n`);
  }

  async function startResponder(): Promise<void> {
    const keys = ['-index', 'index.txt', '-CA', 'ca.pem', '-rsigner', 'ca.pem', '-rkey', 'ca.key'];
    const args = ['ocsp', ...keys, '-port', String(responderPort), '-nmin', '60'];
    responder = spawn('openssl', args, { cwd: sandbox.folder });
    let said = '';
    for (const stream of [responder.stdout, responder.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
    // Waits for the message of the OCSP responder. A connection that only probes the port would block it.
    await until(() => said.includes('waiting for'), 'the responder listens');
  }

  async function stopResponder(): Promise<void> {
    if (responder === null) return;
    const gone = once(responder, 'exit');
    responder.kill();
    await gone;
    responder = null;
  }

  /** Performs several TLS handshakes with OpenSSL. Returns the distinct OCSP statuses that OpenSSL reports. */
  async function statuses(port: number, count = connections): Promise<Set<string>> {
    const found = new Set<string>();
    for (let i = 0; i < count; i++) {
      const args = ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', 'a.test', '-status'];
      const child = run('openssl', [...args, '-CAfile', 'ca.pem', '-verify_return_error'], { cwd: sandbox.folder });
      child.child.stdin?.end('Q\n');
      const { stdout } = await child;
      found.add(/OCSP response: no response sent|Cert Status: \w+/.exec(stdout)?.[0] ?? 'no word of it');
    }
    return found;
  }

  it('all workers staple OCSP responses during changes, and use stored responses if the responder is unavailable @long', async () => {
    const [admin, http, tls] = [await freePort(), await freePort(), await freePort()];
    const document = config(admin, http, [says('well')]) as { apps: Record<string, unknown> };
    const servers = {
      s: {
        listen: [`127.0.0.1:${tls}`],
        automatic_https: { disable: true },
        tls_connection_policies: [{}],
        routes: [says('well')],
      },
      plain: { listen: [`127.0.0.1:${http}`], automatic_https: { disable: true }, routes: [says('well')] },
    };
    document.apps['http'] = { servers };
    const files = [{ certificate: sandbox.path('a.pem'), key: sandbox.path('a.key') }];
    document.apps['tls'] = { certificates: { load_files: files } };
    const file = await sandbox.write('config.json', document);
    const arguments_ = ['--config', file, '--workers', '2'];
    const server = await TestServer.start(sandbox, arguments_, admin, http);
    await until(async () => (await statuses(tls, 1)).has('Cert Status: good'), 'a response is stapled');
    expect([...(await statuses(tls))]).to.deep.equal(['Cert Status: good']);

    await stopResponder();
    const change = { method: 'PATCH', body: [says('other')] };
    expect((await server.admin('/config/apps/http/servers/s/routes', change)).status).to.equal(200);
    const reload = { method: 'POST', body: { ...document, logging: {} } };
    expect((await server.admin('/load', reload)).status).to.equal(200);
    expect([...(await statuses(tls))]).to.deep.equal(['Cert Status: good']);
    const [entry] = JSON.parse((await server.admin('/certificates')).text) as { ocsp: { status: string } }[];
    expect(entry?.ocsp.status).to.equal('good');
    await server.stop();

    const again = await TestServer.start(sandbox, arguments_, admin, http);
    expect([...(await statuses(tls))]).to.deep.equal(['Cert Status: good']);
    await again.stop();
  });
});
