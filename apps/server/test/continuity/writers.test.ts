import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

const writers = 64;
const changes = Number(process.env['SLUICE_TEST_CHANGES'] ?? 1000);

/** A small seeded pseudorandom number generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
}

describe('admin API with concurrent writers', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it(`admin API changes by 64 concurrent writers are serializable, even if 20 % of the changes are invalid @long`, async function () {
    this.timeout(120_000);
    const server = await TestServer.run(sandbox, [says('one')], ['--workers', '2']);
    const vars = '/config/apps/http/servers/s/named_routes';
    expect((await server.admin(vars, { method: 'PUT', body: {} })).status).to.equal(200);
    const accepted = new Map<string, number[]>();
    let responded = 0;
    const writer = async (id: number): Promise<void> => {
      const next = random(id + 1);
      for (let i = 0; i < changes / writers; i++) {
        const key = `k${Math.floor(next() * 20)}`;
        const value = id * 100_000 + i;
        const invalid = next() < 0.2;
        const body = invalid
          ? { handle: [{ handler: 'static_response', body: value }] }
          : { handle: [{ handler: 'static_response', body: String(value) }] };
        const { status } = await server.admin(`${vars}/${key}`, { method: 'POST', body });
        responded++;
        expect(status).to.equal(invalid ? 500 : 200);
        if (!invalid) accepted.set(key, [...(accepted.get(key) ?? []), value]);
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, id) => writer(id)));
    expect(responded).to.equal(writers * Math.floor(changes / writers) + (changes % writers === 0 ? 0 : writers));
    const final = JSON.parse((await server.admin(vars)).text) as Record<string, { handle: { body: string }[] }>;
    expect(Object.keys(final).sort()).to.deep.equal([...accepted.keys()].sort());
    for (const [key, route] of Object.entries(final)) {
      // The final value of a key must be the last accepted value of its writer.
      const value = Number(route.handle[0]?.body);
      const own = (accepted.get(key) ?? []).filter(
        (other) => Math.floor(other / 100_000) === Math.floor(value / 100_000),
      );
      expect(own.at(-1)).to.equal(value);
    }
    // The served and saved configurations must match the responses of the admin API.
    expect((await server.http()).text).to.equal('one');
    const resumed = (await server.admin('/config/')).text;
    expect(await server.stop()).to.include({ code: 0 });
    const again = await TestServer.start(sandbox, ['--resume'], server.adminPort, server.httpPort);
    expect((await again.admin('/config/')).text).to.equal(resumed);
    await again.stop();
  });
});
