import { request as ask } from 'node:http';
import { expect } from 'chai';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

interface Told {
  readonly output: string;
  readonly line: string;
}

describe('GET /logs/stream', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;

  beforeEach(async () => {
    sandbox = new Sandbox();
    const encoder = { format: 'filter', wrap: { format: 'json' }, fields: { 'request>uri': { filter: 'delete' } } };
    const access = { include: ['http.log.access'], writer: { output: 'file', filename: sandbox.path('access.log') } };
    const logs = { default: { exclude: ['http.log.access'] }, access: { ...access, encoder } };
    const configuration = (admin: number, http: number): unknown => ({
      ...config(admin, http, [says('hello')], { logs: {} }),
      logging: { logs },
    });
    server = await TestServer.runWith(sandbox, configuration, ['--workers', '2']);
  });
  afterEach(() => sandbox.remove());

  /** Follows the logs. Entries are appended to `seen` as they arrive. */
  async function follow(query: string): Promise<{ readonly seen: Told[]; readonly end: () => void }> {
    const seen: Told[] = [];
    return new Promise((resolve, reject) => {
      const request = ask(`http://127.0.0.1:${server.adminPort}/logs/stream${query}`, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
          const parts = text.split('\n\n');
          text = parts.pop() ?? '';
          const lines = parts.filter((part) => part.startsWith('event: line\n'));
          for (const part of lines) seen.push(JSON.parse(part.split('data: ')[1] ?? 'null') as Told);
        });
        resolve({ seen, end: () => request.destroy() });
      });
      request.on('error', reject).end();
    });
  }

  it('GET /logs/stream sends the lines of all threads after log filters have been applied', async () => {
    const { seen, end } = await follow('?find=handled%20request');
    const send = () =>
      server.http('/with-a-secret', { headers: { Authorization: 'Bearer hunter2', 'X-Mark': 'here' } });
    await until(async () => {
      await send();
      return seen.length >= 5;
    }, 'lines of the access log');
    end();
    const all = JSON.stringify(seen);
    expect(all).to.contain('X-Mark').and.not.contain('hunter2').and.not.contain('with-a-secret');
    for (const { line } of seen) expect(JSON.parse(line)).to.include({ msg: 'handled request' });
  });

  it('GET /logs/stream filters by text, and includes entries of the control thread', async () => {
    const { seen, end } = await follow('?find=SOMEWHERE-ELSE');
    await until(async () => {
      await server.http('/');
      await server.admin('/somewhere-else');
      return seen.length > 0;
    }, 'a line of the admin endpoint');
    end();
    for (const { line } of seen) expect(line).to.contain('somewhere-else');
  });

  it('GET /logs/stream rejects search strings that are too long', async () => {
    expect((await server.admin(`/logs/stream?find=${'x'.repeat(201)}`)).status).to.equal(400);
  });
});
