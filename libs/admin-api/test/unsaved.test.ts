import { expect } from 'chai';
import type { ConfigStore } from '@sluice/reconciler';
import { startServer, type TestServer } from './admin.ts';

describe('admin-api: changes that cannot be saved', () => {
  let server: TestServer;
  let isFull = false;
  const store: ConfigStore = {
    history: null,
    save: async () => {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
    close: async () => {},
  };
  beforeEach(async () => {
    isFull = false;
    server = await startServer({ document: { apps: { any: { a: 1 } } }, store });
    isFull = true;
  });
  afterEach(() => server.close());

  const changes: Readonly<Record<string, readonly [method: string, path: string, json?: unknown]>> = {
    'a changed value': ['PATCH', '/config/apps/any/a', 2],
    'a removed value': ['DELETE', '/config/apps/any/a'],
    'a loaded configuration': ['POST', '/load', { apps: { any: { b: 1 } } }],
    'an earlier revision': ['POST', '/history/1/apply'],
  };
  for (const [name, [method, path, json]] of Object.entries(changes)) {
    it(`a change that cannot be saved takes effect and is reported as unsaved: ${name}`, async () => {
      if (name === 'an earlier revision') await server.reconciler.load({ apps: { any: { c: 1 } } });
      const before = server.reconciler.document;
      const response = await server.ask(path, { method, ...(json === undefined ? {} : { json }) });
      expect(response.status).to.equal(200);
      expect(response.json).to.have.property('saved', false);
      expect(response.json)
        .to.have.nested.property('warnings[0].message')
        .that.matches(/in effect but could not be saved.*ENOSPC/);
      expect(server.reconciler.document).to.not.equal(before);
    });
  }

  it('the response to a confirmation reports that the change was not saved', async () => {
    const change = await server.ask('/config/apps/any/a?confirm_within=1m', { method: 'PATCH', json: 2 });
    expect(change.json).to.not.have.property('saved');
    const { revision } = change.json as { revision: number };
    const confirmed = await server.ask(`/history/${revision}/confirm`, { method: 'POST' });
    expect([confirmed.status, (confirmed.json as { saved: boolean }).saved]).to.deep.equal([200, false]);
  });

  it('changes report no warning once disk space is available again, or if saving is disabled', async () => {
    isFull = false;
    expect((await server.ask('/config/apps/any/a', { method: 'PATCH', json: 3 })).text).to.equal('');
    isFull = true;
    const admin = { config: { persist: false } };
    expect((await server.ask('/load', { method: 'POST', json: { admin, apps: { any: {} } } })).text).to.equal('');
  });
});
