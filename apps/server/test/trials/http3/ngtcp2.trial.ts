import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { commandOf, signedCertificate } from '@sluice/testing';
import { Sandbox } from '../../support/sandbox.ts';
import { secureConfig, TestServer } from '../../support/server.ts';

const run = promisify(execFile);

describe('HTTP/3 with ngtcp2 as the client', function () {
  this.timeout(120_000);
  let command: string;
  let sandbox: Sandbox;
  let server: TestServer;
  const file = randomBytes(10_000_000);

  before(async function () {
    // Debian's package ngtcp2-client.
    const found = commandOf('gtlsclient');
    if (found === null) process.stdout.write('      skipped: gtlsclient is missing (package ngtcp2-client)\n');
    if (nativeProblem() !== null || found === null) this.skip();
    command = found;
    sandbox = new Sandbox();
    await mkdir(sandbox.path('site'));
    await mkdir(sandbox.path('received'));
    await writeFile(sandbox.path('site/file'), file);
    const { cert, key } = await signedCertificate(['localhost']);
    server = await TestServer.runWith(
      sandbox,
      (admin, http) =>
        secureConfig(
          admin,
          http,
          [
            {
              match: [{ path: ['/facts'] }],
              handle: [{ handler: 'static_response', body: 'early={http.request.tls.early_data}' }],
            },
            { handle: [{ handler: 'file_server', root: sandbox.path('site') }] },
          ],
          { cert, key, protocols: ['h1', 'h2', 'h3'], allow_0rtt: true },
        ),
      ['--workers', '2'],
    );
  });

  after(async () => {
    await sandbox?.remove();
  });

  async function fetchFile(path: string, args: readonly string[]): Promise<Buffer> {
    const received = sandbox.path(`received/${path}`);
    await rm(received, { force: true });
    await run(command, [
      '--quiet',
      '--exit-on-all-streams-close',
      `--download=${sandbox.path('received')}`,
      ...args,
      '127.0.0.1',
      String(server.httpPort),
      `https://localhost:${server.httpPort}/${path}`,
    ]);
    return readFile(received);
  }

  const cases: Readonly<Record<string, readonly string[]>> = {
    'without options': [],
    'and updates its keys': ['--key-update=100ms'],
    'and changes its address': ['--change-local-addr=150ms'],
    'and a tenth of the received packets is lost': ['--rx-loss=0.1'],
    'and a tenth of the sent packets is lost': ['--tx-loss=0.1'],
  };
  for (const [name, args] of Object.entries(cases))
    it(`the ngtcp2 client downloads a file ${name}`, async () => {
      expect((await fetchFile('file', args)).equals(file)).to.equal(true);
    });

  it('the ngtcp2 client sends a request as early data', async () => {
    const session = [`--session-file=${sandbox.path('session')}`, `--tp-file=${sandbox.path('parameters')}`];
    expect(String(await fetchFile('facts', session))).to.equal('early=false');
    expect(String(await fetchFile('facts', session))).to.equal('early=true');
  });
});
