import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { withRoutes } from '@sluice/testing';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { explained } from '../explain/support.ts';
import { Shared } from './share.ts';

describe('explain of http.handlers.webdav', () => {
  it('explain follows WebDAV read requests, and stops at WebDAV requests that change files or list locks', async () => {
    const shared = new Shared({ 'a.txt': 'first' });
    const services = new Map([[threadBusToken, new ControlBus(silentLogger)]]);
    const config = await explained(withRoutes([{ handle: [shared.handler()] }]), [], services);
    try {
      const read = await config.explain('http://a.example/a.txt');
      expect(read.outcome).to.include({ kind: 'response', status: 200 });
      const list = await config.explain('http://a.example/');
      expect(list.outcome.kind).to.equal('outward');
      for (const method of ['PUT', 'DELETE', 'MKCOL', 'LOCK', 'PROPPATCH', 'PROPFIND']) {
        const { outcome } = await config.explain({ url: 'http://a.example/a.txt', method });
        expect(outcome, method).to.include({ kind: 'outward', handler_id: 'http.handlers.webdav' });
      }
      expect(readdirSync(shared.root)).to.deep.equal(['a.txt']);
      expect(shared.read('a.txt')).to.equal('first');
    } finally {
      await config.close();
      await shared.close();
    }
  });
});
