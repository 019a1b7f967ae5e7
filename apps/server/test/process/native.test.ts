import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { signedCertificate } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { says, secureConfig, TestServer } from '../support/server.ts';

describe('native bindings', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  before(function () {
    if (nativeProblem() !== null) this.skip();
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  async function serve(environment: Readonly<Record<string, string>>): Promise<TestServer> {
    const { cert, key } = await signedCertificate(['localhost']);
    return TestServer.runWith(
      sandbox,
      (admin, http) => secureConfig(admin, http, [says('hello')], { cert, key, protocols: ['h1', 'h2', 'h3'] }),
      [],
      { env: environment },
    );
  }

  async function fieldsOf({ httpPort }: TestServer): Promise<Headers> {
    const { Agent, fetch } = await import('undici');
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false, servername: 'localhost' } });
    const response = await fetch(`https://127.0.0.1:${httpPort}/`, { dispatcher, headers: { host: 'localhost' } });
    expect(await response.text()).to.equal('hello');
    await dispatcher.close();
    return response.headers as unknown as Headers;
  }

  it('HTTP/3 is announced only after the self-test of the native bindings has passed', async () => {
    const server = await serve({});
    expect((await fieldsOf(server)).get('alt-svc')).to.equal(`h3=":${server.httpPort}"; ma=2592000`);
  });

  it('SLUICE_NATIVE=off disables HTTP/3, and the reason is logged', async () => {
    const server = await serve({ SLUICE_NATIVE: 'off' });
    expect((await fieldsOf(server)).get('alt-svc')).to.equal(null);
    const [warning] = server.log.filter(({ msg }) => msg.startsWith('HTTP/3 is disabled'));
    expect(warning?.['reason']).to.match(/SLUICE_NATIVE/);
  });

  for (const [value, expected] of [
    ['', /^native\ton$/m],
    ['off', /^native\toff\t.*SLUICE_NATIVE/m],
  ] as const)
    it(`build-info reports that the bindings are ${value === '' ? 'on' : value}`, async () => {
      const started = sandbox.with({ env: value === '' ? {} : { SLUICE_NATIVE: value } }).start(['build-info']);
      await started.ended;
      expect(started.stdout()).to.match(expected);
    });
});
