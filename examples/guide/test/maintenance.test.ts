/** Tests an app, its handler, and the admin API routes of the app. */
import { expect } from 'chai';
import { register } from '@sluice/module-guide';
import { serve, type TestServer } from '@sluice/testing';

describe('maintenance route', () => {
  let server: TestServer;

  before(async () => {
    const handle = [{ handler: 'maintenance' }, { handler: 'static_response', body: 'open' }];
    const http = { servers: { s: { routes: [{ handle }] } } };
    server = await serve({ apps: { maintenance: {}, http } }, { register: [register], standard: true });
  });

  after(() => server.close());

  const set = (json: unknown) => server.admin('/maintenance', { method: 'PUT', json });

  it('maintenance mode is off by default', async () => {
    expect(JSON.parse((await server.admin('/maintenance')).text)).to.deep.equal({ on: false });
    expect(await server.request()).to.include({ status: 200, text: 'open' });
  });

  it('maintenance mode rejects requests while it is on', async () => {
    expect(JSON.parse((await set({ on: true })).text)).to.deep.equal({ on: true });
    expect(await server.request()).to.include({ status: 503 });
    await set({ on: false });
    expect(await server.request()).to.include({ status: 200, text: 'open' });
  });

  it('the maintenance route rejects an invalid body and names the expected format', async () => {
    const response = await set({ off: true });
    expect(response.status).to.equal(400);
    expect(response.text).to.include('the body is {\\"on\\": true}');
  });
});
