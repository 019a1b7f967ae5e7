import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startPlanted, variable, type Planted } from './planted.ts';

describe('API tokens with permission for POST /explain/shadow', function () {
  this.timeout(30_000);
  let planted: Planted;
  const received: IncomingHttpHeaders[] = [];
  const upstream = createServer((request, response) => {
    received.push(request.headers);
    response.end('x');
  });
  before(async () => {
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const read = { methods: ['GET'] };
    planted = await startPlanted({
      all: {},
      agent: { permissions: [read, { paths: ['/proposals', '/explain', '/explain/plan'] }] },
      shadow: { permissions: [read, { paths: ['/proposals', '/explain/plan', '/explain/shadow'] }] },
    });
  });
  after(async () => {
    upstream.closeAllConnections();
    upstream.close();
    await planted.close();
  });

  const propose = (token: string) => {
    const { port } = upstream.address() as AddressInfo;
    const set = { 'X-Secret': [`{env.${variable}}`], 'X-Seen': ['yes'] };
    const proxy = {
      handler: 'reverse_proxy',
      upstreams: [{ dial: `127.0.0.1:${port}` }],
      headers: { request: { set }, response: { set: { 'X-Got': [`{env.${variable}}`] } } },
    };
    const patch = [{ op: 'add', path: '/apps/http/servers/s/routes/0', value: { handle: [proxy] } }];
    return planted.ask(token, '/proposals?dry_run&shadow&requests=5', { method: 'POST', json: { title: 't', patch } });
  };

  it('a token without permission for POST /explain/shadow cannot replay requests', async () => {
    const { status, text } = await propose('agent');
    expect(status).to.equal(403);
    expect(text).to.include('requires permission for POST /explain/shadow');
    expect(received).to.deep.equal([]);
  });

  it('replayed requests leak neither environment variables nor files to the proposed upstream or the report', async () => {
    const log = { entries: [{ request: { method: 'GET', url: 'http://x.test/a' }, response: { status: 200 } }] };
    const { status: imported } = await planted.ask('all', '/samples', { method: 'POST', json: { log } });
    expect(imported).to.equal(200);
    const { status, text } = await propose('shadow');
    expect(status, text).to.equal(200);
    expect(received.map((headers) => headers['x-seen'])).to.include('yes');
    expect(planted.leakIn(JSON.stringify(received) + text)).to.equal(null);
  });
});
