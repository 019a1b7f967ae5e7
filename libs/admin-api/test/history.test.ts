import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';
import { base, document } from './sample.ts';

interface Shown {
  readonly revision: number;
  readonly time: string;
  readonly origin: string;
  readonly patch: unknown;
  readonly confirm_by?: string;
}

describe('/history', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await startServer({ document });
  });

  afterEach(() => server.close());

  const text = async (): Promise<unknown> => (await server.ask(`${base}/text`)).json;
  const change = (value: string, query = ''): ReturnType<TestServer['ask']> =>
    server.ask(`${base}/text${query}`, { method: 'PATCH', json: value });
  const list = async (): Promise<Shown[]> => (await server.ask('/history')).json as Shown[];

  it('GET /history filters entries by minimum revision', async () => {
    await change('one');
    await change('two');
    const from = async (query: string): Promise<unknown> => {
      const { status, json } = await server.ask(`/history?from=${query}`);
      return status === 200 ? (json as Shown[]).map(({ revision }) => revision) : status;
    };
    expect(await from('2')).to.deep.equal([3, 2]);
    expect(await from('3')).to.deep.equal([3]);
    expect(await from('4')).to.deep.equal([]);
    for (const wrong of ['0', '-1', 'x', '1.5', '']) expect([wrong, await from(wrong)]).to.deep.equal([wrong, 400]);
  });

  it('GET /history returns pages linked to the next page', async () => {
    for (const value of ['one', 'two', 'three', 'four']) await change(value);
    const page = async (path: string): Promise<[revisions: number[], next: string | undefined]> => {
      const { json, headers } = await server.ask(path);
      const next = /^<(.+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
      return [(json as Shown[]).map(({ revision }) => revision), next];
    };
    expect(await page('/history')).to.deep.equal([[5, 4, 3, 2, 1], undefined]);
    expect(await page('/history?limit=2')).to.deep.equal([[5, 4], '/history?before=4&limit=2']);
    expect(await page('/history?before=4&limit=2')).to.deep.equal([[3, 2], '/history?before=2&limit=2']);
    expect(await page('/history?before=2&limit=2')).to.deep.equal([[1], undefined]);
    expect(await page('/history?from=2&limit=3')).to.deep.equal([[5, 4, 3], '/history?before=3&limit=3&from=2']);
    expect(await page('/history?before=3&limit=3&from=2')).to.deep.equal([[2], undefined]);
    for (const wrong of ['limit=0', 'limit=x', 'before=-1', 'before='])
      expect((await server.ask(`/history?${wrong}`)).status, wrong).to.equal(400);
  });

  it('GET /history returns 304 if the client already has the current page', async () => {
    await change('one');
    const tagNow = async (): Promise<string> => String((await server.ask('/history')).headers.etag);
    const statusFor = async (tag: string): Promise<number> =>
      (await server.ask('/history', { headers: { 'If-None-Match': tag } })).status;
    const first = await tagNow();
    expect(await statusFor(first)).to.equal(304);
    await change('two', '?confirm_within=1h');
    expect(await statusFor(first)).to.equal(200);
    const unconfirmed = await tagNow();
    expect(await statusFor(unconfirmed)).to.equal(304);
    expect((await server.ask('/history/3/confirm', { method: 'POST' })).status).to.equal(200);
    expect(await statusFor(unconfirmed)).to.equal(200);
  });

  it('GET /history omits patches on request', async () => {
    await change('one');
    const { json } = await server.ask('/history?patch=false');
    expect((json as Shown[]).map(({ revision }) => revision)).to.deep.equal([2, 1]);
    for (const entry of json as Shown[]) expect(entry).to.not.have.property('patch');
    expect((await list()).every(({ patch }) => Array.isArray(patch))).to.equal(true);
    for (const wrong of ['', 'no', '0']) expect((await server.ask(`/history?patch=${wrong}`)).status).to.equal(400);
  });

  it('GET /history lists applied changes with author and patch, newest first', async () => {
    await change('one');
    await change('two', '?dry_run');
    await change('"refuse"'.slice(1, -1));
    await server.ask('/load', { method: 'POST', json: { apps: {} } });
    const entries = await list();
    expect(entries.map(({ revision, origin }) => [revision, origin])).to.deep.equal([
      [3, 'POST /load'],
      [2, `PATCH ${base}/text`],
      [1, 'load'],
    ]);
    expect(entries[1]?.patch).to.deep.equal([{ op: 'replace', path: '/apps/any/text', value: 'one' }]);
    expect(Math.abs(Date.parse(entries[0]?.time ?? '') - Date.now())).to.be.below(10_000);
    expect(entries[0]).to.not.have.property('confirm_by');
  });

  it('GET /history/ID returns a revision including its document', async () => {
    await change('one');
    await change('two');
    const { status, json } = await server.ask('/history/1');
    expect(status).to.equal(200);
    expect(json).to.deep.include({ revision: 1, document });
    expect((await server.ask('/history/2')).json).to.have.nested.property('document.apps.any.text', 'one');
  });

  it('a rollback is recorded as a change', async () => {
    await change('one');
    await change('two');
    const response = await server.ask('/history/1/apply', { method: 'POST' });
    expect([response.status, response.text]).to.deep.equal([200, '']);
    expect(server.reconciler.document).to.deep.equal(document);
    expect((await list())[0]).to.deep.include({
      revision: 4,
      origin: 'POST /history/1/apply',
      patch: [{ op: 'replace', path: '/apps/any/text', value: 'hello' }],
    });
  });

  it('a rollback supports dry runs', async () => {
    await change('one');
    const { json } = await server.ask('/history/1/apply?dry_run', { method: 'POST' });
    expect(json).to.deep.include({
      changed: true,
      patch: [{ op: 'replace', path: '/apps/any/text', value: 'hello' }],
    });
    expect(await text()).to.equal('one');
  });

  const refused: [method: string, path: string, status: number][] = [
    ['GET', '/history/7', 404],
    ['GET', '/history/0', 404],
    ['GET', '/history/x', 404],
    ['GET', '/history/1/', 404],
    ['GET', '/history/', 404],
    ['POST', '/history/7/apply', 404],
    ['POST', '/history/1/undo', 404],
    ['GET', '/history/1/apply', 405],
    ['GET', '/history/1/confirm', 405],
    ['POST', '/history', 405],
    ['DELETE', '/history/1', 405],
    ['POST', '/history/1/confirm', 409],
  ];
  for (const [method, path, status] of refused) {
    it(`${method} ${path} returns ${status}`, async () => {
      expect((await server.ask(path, { method })).status).to.equal(status);
    });
  }

  describe('admin-api: ?confirm_within', () => {
    it('confirm_within keeps a change after a timely confirmation', async () => {
      const { status, json } = await change('one', '?confirm_within=2s');
      const { revision, confirm_by: confirmBy } = json as { revision: number; confirm_by: string };
      expect([status, revision]).to.deep.equal([200, 2]);
      expect(Date.parse(confirmBy) - Date.now()).to.be.within(1, 2_000);
      expect((await list())[0]).to.deep.include({ revision: 2, confirm_by: confirmBy });
      expect((await server.ask('/history/2/confirm', { method: 'POST' })).status).to.equal(200);
      expect((await list())[0]).to.not.have.property('confirm_by');
      await sleep(2_100);
      expect(await text()).to.equal('one');
    });

    it('confirm_within reverts a change that is not confirmed', async () => {
      await change('one', '?confirm_within=700ms');
      expect(await text()).to.equal('one');
      while ((await text()) !== 'hello') await sleep(20);
      expect((await list())[0]).to.include({ revision: 3, origin: 'undo of revision 2' });
    });

    it('confirm_within works for /load and rollbacks, and is reported along with warnings', async () => {
      const undone = async (): Promise<void> => {
        const { document: unconfirmed } = server.reconciler;
        expect(unconfirmed).to.deep.equal({ apps: {} });
        while (server.reconciler.document === unconfirmed) await sleep(20);
        expect(server.reconciler.document).to.deep.equal(document);
      };
      await server.ask('/load?confirm_within=700ms', { method: 'POST', json: { apps: {} } });
      await undone();
      await server.ask('/history/2/apply?confirm_within=700ms', { method: 'POST' });
      await undone();
    });

    it('confirm_within restores the address of the admin endpoint if no client can reach the new address', async () => {
      const { port } = server;
      await server.ask('/config/admin?confirm_within=700ms', { method: 'PUT', json: { disabled: true } });
      expect(server.endpoint.address).to.equal(null);
      while (server.endpoint.address === null) await sleep(20);
      expect(server.port).to.not.equal(port);
      expect(await text()).to.equal('hello');
    });

    it('confirm_within rejects other changes with 409 until confirmation', async () => {
      await change('one', '?confirm_within=1m');
      const responses = [
        await change('two'),
        await server.ask('/load', { method: 'POST', json: { apps: {} } }),
        await server.ask(base, {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/merge-patch+json' },
          body: '{"text":"two"}',
        }),
      ];
      expect(responses.map(({ status }) => status)).to.deep.equal([409, 409, 409]);
      expect(responses[0]?.json)
        .to.have.property('error')
        .that.contains('revision 2 is waiting for confirmation until ');
      expect((await change('one')).status).to.equal(200);
      expect((await server.ask('/history/1/apply', { method: 'POST' })).status).to.equal(200);
      expect(await text()).to.equal('hello');
      expect((await change('three')).status).to.equal(200);
    });

    for (const value of ['', '60', '0s', '-1s', '25h', 'soon']) {
      it(`confirm_within rejects ${JSON.stringify(value)} with 400 and changes nothing`, async () => {
        const response = await change('one', `?confirm_within=${value}`);
        expect(response.status).to.equal(400);
        expect(response.json).to.have.property('error').that.contains('confirm_within');
        expect(await text()).to.equal('hello');
      });
    }
  });
});
