import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import { lintFindings } from '@sluice/testing';
import { Shared } from './share.ts';

const webdav = { handler: 'webdav', root: '/srv' };

async function found(code: string, routes: Json, server: JsonObject = {}): Promise<readonly string[]> {
  const document = { apps: { http: { servers: { s: { listen: [':8080'], routes, ...server } } } } };
  return (await lintFindings(document, [])).filter((each) => each.code === code).map(({ path }) => path);
}

const at = 'apps.http.servers.s.routes';

describe('SL067, open-webdav', () => {
  const open = [{ handle: [webdav] }];

  it('SL067 reports webdav without authentication', async () => {
    expect(await found('SL067', open)).to.deep.equal([`${at}[0].handle[0]`]);
    expect(await found('SL067', open, { listen: ['127.0.0.1:80', ':80'] })).to.have.length(1);
  });

  it('SL067 accepts local addresses, authentication, address ranges and client certificates', async () => {
    const users = { handler: 'authentication', providers: { http_basic: { accounts: [] } } };
    const proxy = {
      handler: 'reverse_proxy',
      upstreams: [{ dial: 'localhost:9' }],
      handle_response: [{ routes: [{ handle: [{ handler: 'vars' }] }] }],
    };
    const near = [{ match: [{ remote_ip: { ranges: ['10.0.0.0/8'] } }], handle: [webdav] }];
    expect(await found('SL067', open, { listen: ['127.0.0.1:80', 'localhost:81', 'unix//run/x'] })).to.deep.equal([]);
    expect(await found('SL067', [{ handle: [users, webdav] }])).to.deep.equal([]);
    expect(await found('SL067', [{ handle: [proxy, webdav] }])).to.deep.equal([]);
    expect(await found('SL067', near)).to.deep.equal([]);
    const policies = [{ client_authentication: { mode: 'require' } }];
    expect(await found('SL067', open, { tls_connection_policies: policies })).to.deep.equal([]);
  });
});

describe('SL068, encoded-webdav', () => {
  const encode = { handler: 'encode', encodings: { gzip: {} } };
  const sub = (...routes: JsonObject[]): JsonObject => ({ handler: 'subroute', routes });

  it('SL068 reports webdav if encode runs before it, in the same route, an earlier route or a parent route', async () => {
    expect(await found('SL068', [{ handle: [encode, webdav] }])).to.deep.equal([`${at}[0].handle[1]`]);
    expect(await found('SL068', [{ handle: [encode] }, { handle: [webdav] }])).to.deep.equal([`${at}[1].handle[0]`]);
    expect(await found('SL068', [{ handle: [encode] }, { handle: [sub({ handle: [webdav] })] }])).to.have.length(1);
  });

  it('SL068 accepts an encode handler that does not apply to webdav', async () => {
    expect(await found('SL068', [{ handle: [webdav, encode] }])).to.deep.equal([]);
    expect(await found('SL068', [{ match: [{ path: ['/x'] }], handle: [encode] }, { handle: [webdav] }])).to.deep.equal(
      [],
    );
    expect(await found('SL068', [{ handle: [sub({ handle: [encode] })] }, { handle: [webdav] }])).to.deep.equal([]);
  });
});

describe('SL032 for webdav', () => {
  it('SL032 reports private files in the root directory of webdav', async () => {
    const shared = new Shared({ '.git/config': '', 'a.txt': '' });
    try {
      const routes = (more: JsonObject = {}): JsonObject[] => [{ handle: [shared.handler(more)] }];
      expect(await found('SL032', routes())).to.deep.equal([`${at}[0].handle[0].root`]);
      expect(await found('SL032', routes({ hide: ['.git'] }))).to.deep.equal([]);
    } finally {
      await shared.close();
    }
  });
});
