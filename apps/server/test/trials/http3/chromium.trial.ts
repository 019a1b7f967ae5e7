import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { commandOf, throwAwayCertificate } from '@sluice/testing';
import { chromium, type Browser } from 'playwright-core';
import { Sandbox } from '../../support/sandbox.ts';
import { secureConfig, TestServer } from '../../support/server.ts';

const files = 100;

/** Page script that fetches all files concurrently and displays their digests and protocols. */
const script = `
const all = await Promise.all(Array.from({ length: ${files} }, async (_, i) => {
  const bytes = new Uint8Array(await (await fetch('/' + i + '.bin')).arrayBuffer());
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}));
const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
globalThis.loaded = { digests: all, protocols: entries.map(({ nextHopProtocol }) => nextHopProtocol) };
`;

describe('HTTP/3 with Chromium as the client', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let browser: Browser;
  const contents = Array.from({ length: files }, (_, i) => randomBytes(1 + i * 1500));

  before(async function () {
    const executablePath = commandOf('chromium') ?? commandOf('google-chrome');
    if (nativeProblem() !== null || executablePath === null) this.skip();
    sandbox = new Sandbox();
    const { cert, key } = await throwAwayCertificate(['localhost']);
    await writeFile(
      sandbox.path('page.html'),
      `<!doctype html><title>QUIC</title><script type="module">${script}</script>`,
    );
    for (const [i, content] of contents.entries()) await writeFile(sandbox.path(`${i}.bin`), content);
    server = await TestServer.runWith(
      sandbox,
      (admin, http) =>
        secureConfig(admin, http, [{ handle: [{ handler: 'file_server', root: sandbox.path('.') }] }], {
          cert,
          key,
          protocols: ['h1', 'h2', 'h3'],
        }),
      ['--workers', '2'],
    );
    const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--enable-quic',
        `--origin-to-force-quic-on=localhost:${server.httpPort}`,
        '--host-resolver-rules=MAP localhost 127.0.0.1',
        `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`,
      ],
    });
  });

  after(async () => {
    await browser?.close();
    await sandbox?.remove();
  });

  it(`Chromium loads a page with ${files} files over QUIC, and all content is intact`, async () => {
    const page = await browser.newPage();
    await page.goto(`https://localhost:${server.httpPort}/page.html`);
    const handle = await page.waitForFunction('globalThis.loaded');
    const { digests, protocols } = (await handle.jsonValue()) as { digests: string[]; protocols: string[] };
    expect(protocols.length).to.be.at.least(files + 1);
    expect([...new Set(protocols)]).to.deep.equal(['h3']);
    expect(digests).to.deep.equal(contents.map((content) => createHash('sha256').update(content).digest('hex')));
  });
});
