import { expect } from 'chai';
import { createLogger, Registry, register as core, Runtime, type Json, type LogEntry } from '@sluice/registry';
import { register } from '@sluice/tls-app';

const everything = {
  certificates: { automate: ['a.example'], load_files: [{ certificate: 'a.pem', key: 'a.key', tags: ['t'] }] },
  automation: {
    policies: [{ subjects: ['a.example'], issuers: [{ module: 'internal' }], key_type: 'p256', on_demand: true }],
    on_demand: { permission: { module: 'http', endpoint: 'http://127.0.0.1:1/' } },
    renew_interval: '10m',
  },
  session_tickets: { key_source: { provider: 'standard' }, rotation_interval: 1, max_keys: 2 },
  cache: { capacity: 5 },
  disable_ocsp_stapling: true,
  encrypted_client_hello: { configs: [{ public_name: 'a' }], publication: [{ domains: ['b'] }] },
  resolvers: ['127.0.0.1'],
};

/** Loads options; gives the messages that were logged, or that of the refusal. */
async function load(tls: Json): Promise<readonly string[]> {
  const logged: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });
  const registry = new Registry().use(core).use(register);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log });
  try {
    runtime.commit(await runtime.prepare({ apps: { tls } }));
    return logged.map(({ message }) => message);
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await runtime.close();
  }
}

describe('tls', () => {
  const warning = ['certificates are not managed yet'];
  const table: readonly [Json, readonly string[]][] = [
    [{}, []],
    [{ cache: null, disable_storage_clean: true }, []],
    [{ automation: {} }, warning],
    [{ certificates: {} }, warning],
    [everything, warning],
  ];
  for (const [options, messages] of table) {
    it(`accepts ${JSON.stringify(options).slice(0, 50)}`, async () => {
      expect(await load(options)).to.deep.equal(messages);
    });
  }

  it('refuses keys that it does not know, and says where', async () => {
    const [top] = await load({ certificate: {} });
    expect(top).to.contain('unknown key "certificate"');
    const [deep] = await load({ automation: { policies: [{ subject: [] }] } });
    expect(deep).to.contain('apps.tls.automation.policies[0]').and.to.contain('unknown key "subject"');
  });
});
