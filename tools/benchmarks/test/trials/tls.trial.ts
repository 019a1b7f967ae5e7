import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { plain } from '../../src/configs.ts';
import { freePort } from '@sluice/testing/machine';
import { startNative, type Running } from '../../src/servers.ts';
import { overTls } from '../../src/tls/config.ts';
import { measureManyNames, measureUnknownNames } from '../../src/tls/names.ts';
import { byHandshakes, overHttp2 } from '../../src/tls/ways.ts';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const command = [process.execPath, '--conditions=@sluice/source', main];

const byEcHandshakes = byHandshakes('p256');

describe('benchmark tool: load generation over TLS', function () {
  this.timeout(30_000);
  let server: Running;

  before(async () => {
    server = await startNative('sluice', command, overTls(plain));
    await byEcHandshakes.ready(server.port);
  });

  after(() => server.stop());

  it('handshake-load completes full handshakes', async () => {
    const load = await byEcHandshakes.ask({ port: server.port, path: '/', seconds: 1, connections: 4, streams: 16 });
    expect(load.errors).to.equal(0);
    expect(load.requestsPerSecond).to.be.at.least(20);
  });

  it('handshake-load counts failed handshakes', async () => {
    const refused = await byEcHandshakes.ask({
      port: await freePort(),
      path: '/',
      seconds: 1,
      connections: 2,
      streams: 1,
    });
    expect(refused.requestsPerSecond).to.equal(0);
    expect(refused.errors).to.be.at.least(1);
  });

  it('overHttp2 sends requests over HTTP/2', async function () {
    if (overHttp2.missing !== null) this.skip();
    const load = await overHttp2.ask({ port: server.port, path: '/', seconds: 1, connections: 4, streams: 16 });
    expect(load.errors).to.equal(0);
    expect(load.requestsPerSecond).to.be.at.least(100);
  });

  it('measureManyNames restarts the server with certificates in storage', async () => {
    const { serving, coldMedian, coldP99 } = await measureManyNames('sluice', command, 20);
    expect(serving).to.be.within(1, 20_000);
    expect(coldP99).to.be.at.least(coldMedian).and.below(1000);
  });

  it('measureUnknownNames reports that there are no certificates for unknown names', async () => {
    const { asked, certificates, failed } = await measureUnknownNames('sluice', command, 50, 1);
    expect(asked).to.be.at.least(20);
    expect([certificates, failed]).to.deep.equal([1, 0]);
  });
});
