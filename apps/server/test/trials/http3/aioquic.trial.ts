import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { signedCertificate } from '@sluice/testing';
import { Aioquic } from '../../http3/aioquic.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { secureConfig, TestServer } from '../../support/server.ts';

const facts = '{http.request.proto} {http.request.tls.early_data}';

describe('HTTP/3 with aioquic as the client', function () {
  this.timeout(500_000);
  let client: Aioquic;
  let sandbox: Sandbox;
  let server: TestServer;

  before(async function () {
    if (nativeProblem() !== null) this.skip();
    const found = await Aioquic.find();
    if (found === null) this.skip();
    client = found;
    sandbox = new Sandbox();
    const { cert, key } = await signedCertificate(['localhost']);
    await writeFile(sandbox.path('large'), randomBytes(1_000_000));
    server = await TestServer.runWith(
      sandbox,
      (admin, http) =>
        secureConfig(
          admin,
          http,
          [
            { match: [{ path: ['/facts'] }], handle: [{ handler: 'static_response', body: facts }] },
            {
              match: [{ path: ['/echo'] }],
              handle: [{ handler: 'static_response', body: '{http.request.body}' }],
            },
            { handle: [{ handler: 'file_server', root: sandbox.path('.') }] },
          ],
          { cert, key, protocols: ['h1', 'h2', 'h3'], allow_0rtt: true },
        ),
      // A single worker receives all handshakes, so the number of handshakes that triggers a Retry is predictable.
      ['--workers', '1'],
    );
  });

  after(async () => {
    await sandbox?.remove();
  });

  it('the server closes the connection with the correct error code after invalid packets from aioquic', async () => {
    const seen = (await client.play('malformed', server.httpPort)) as [string, number[], number | string | null][];
    const byCode = new Map<string, number>();
    for (const [, , code] of seen) {
      const text = typeof code === 'number' ? `0x${code.toString(16)}` : String(code);
      byCode.set(text, (byCode.get(text) ?? 0) + 1);
    }
    for (const [code, count] of [...byCode].sort()) process.stdout.write(`      ${code}: ${count} cases\n`);
    const wrong = seen.filter(([, expected, actual]) => typeof actual !== 'number' || !expected.includes(actual));
    expect(wrong).to.deep.equal([]);
    expect(seen.length).to.be.at.least(160);
  });

  // This test runs last because it leaves unfinished handshakes.
  it('the server passes all interoperability cases with aioquic', async () => {
    const results = (await client.play('interop', server.httpPort)) as Record<string, string>;
    for (const [name, result] of Object.entries(results)) process.stdout.write(`      ${name}: ${result}\n`);
    expect(Object.entries(results).filter(([, result]) => result !== 'ok')).to.deep.equal([]);
    expect(Object.keys(results).length).to.be.at.least(20);
  });
});
