import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { freePort, throwAwayCertificate } from '@sluice/testing';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

describe('caddy.config_loaders.http', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let source: Server;
  /** Responses of the configuration source, in order. A number is a response status. The last response is repeated. */
  let responses: (object | number)[] = [];
  /** Subject names of client certificates, with the times of the requests. */
  const asked: { name: string; time: number }[] = [];

  before(async () => {
    sandbox = new Sandbox();
    const credentials = await throwAwayCertificate(['127.0.0.1']);
    await sandbox.write('source.crt', credentials.cert);
    source = createServer({ ...credentials, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const { subjectaltname = 'no name' } = (request.socket as TLSSocket).getPeerCertificate();
      asked.push({ name: subjectaltname, time: Date.now() });
      const received = responses.length > 1 ? responses.shift() : responses[0];
      response.statusCode = typeof received === 'number' ? received : 200;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(received));
    });
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    source.closeAllConnections();
    await new Promise((resolve) => source.close(resolve));
    await sandbox.remove();
  });

  it('the HTTP loader presents the identity certificate, polls, and keeps the current configuration after a failed response', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const load = {
      module: 'http',
      url: `https://127.0.0.1:${(source.address() as AddressInfo).port}/`,
      tls: { use_server_identity: true, root_ca_pem_files: [sandbox.path('source.crt')] },
    };
    const saying = (text: string): object => {
      const { admin: endpoint, apps } = config(admin, http, [says(text)]);
      const identity = { identifiers: ['server.example'], issuers: [{ module: 'internal' }] };
      return { admin: { ...(endpoint as object), identity, config: { load, load_delay: '200ms' } }, apps };
    };
    const broken = { apps: { nope: {} } };
    responses = [saying('pulled'), broken, 503, broken, saying('again')];
    const file = await sandbox.write('config.json', saying('first'));
    const server = await TestServer.start(sandbox, ['--config', file], admin, http);
    const respondsWith = async (text: string): Promise<boolean> => (await server.http()).text === text;
    await until(() => respondsWith('pulled'), 'the first pulled configuration');
    await server.logged('failed to load a configuration', 3);
    await until(() => respondsWith('again'), 'the configuration after those that failed');
    expect(asked.every(({ name }) => name === 'DNS:server.example')).to.equal(true);
    const gaps = asked.slice(1).map(({ time }, i) => time - (asked[i]?.time ?? 0));
    expect(Math.min(...gaps)).to.be.at.least(180);
    const failures = server.log
      .filter(({ msg }) => msg.includes('failed to load a configuration'))
      .map(({ error }) => String(error));
    expect(failures[0]).to.contain('unknown module');
    expect(failures[1]).to.contain('503');
    expect(await server.stop()).to.include({ code: 0 });
  });

  it('the HTTP loader rejects a configuration if the required identity is missing', async () => {
    const server = await TestServer.run(sandbox, [says('one')]);
    const load = { module: 'http', url: 'https://127.0.0.1:1/', tls: { use_server_identity: true } };
    const response = await server.admin('/config/admin/config', { method: 'PUT', body: { load, load_delay: '1h' } });
    expect(response.status).to.be.oneOf([400, 500]);
    expect(response.text).to.contain('requires an identity');
    expect((await server.http()).text).to.equal('one');
    await server.stop();
  });
});
