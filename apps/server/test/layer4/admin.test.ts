import { expect } from 'chai';
import { RawClient, startEchoUpstream } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

describe('admin API of layer4', () => {
  it('GET /layer4/routes counts connections by route in all threads, and keeps counts during changes', async () => {
    const sandbox = new Sandbox();
    const upstream = await startEchoUpstream('A');
    const server = await TestServer.runWith(
      sandbox,
      (admin, port) => ({
        admin: { listen: `127.0.0.1:${admin}` },
        apps: {
          layer4: {
            servers: {
              s: {
                listen: [`127.0.0.1:${port}`],
                routes: [
                  {
                    match: [{ ssh: {} }],
                    handle: [{ handler: 'proxy', upstreams: [{ dial: [`127.0.0.1:${upstream.port}`] }] }],
                  },
                  { handle: [{ handler: 'echo' }] },
                ],
              },
            },
          },
        },
      }),
      ['--workers', '2'],
    );
    const clients = Array.from({ length: 8 }, () => new RawClient(server.httpPort).send('SSH-2'));
    for (const client of clients) await client.until('A:SSH-2');
    expect(await new RawClient(server.httpPort).send('x-other').rest()).to.equal('x-other');
    const counts = async (): Promise<unknown> => JSON.parse((await server.admin('/layer4/routes')).text);
    for (;;) {
      const [first, second] = (await counts()) as [object, { active: number }];
      expect(first).to.eql({ server: 's', route: 0, active: 8, total: 8 });
      if (second.active === 0) break;
    }
    const path = '/config/apps/layer4/servers/s/matching_timeout';
    expect((await server.admin(path, { method: 'PUT', body: '5s' })).status).to.equal(200);
    for (const client of clients) await client.rest();
    for (;;) {
      const [{ active, total }] = (await counts()) as [{ active: number; total: number }];
      expect(total).to.equal(8);
      if (active === 0) break;
    }
    await server.stop();
    await upstream.close();
    await sandbox.remove();
  });
});
