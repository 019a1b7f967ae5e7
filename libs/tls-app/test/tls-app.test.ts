import { expect } from 'chai';
import { Registry } from '@sluice/registry';
import { Runtime, storageSection } from '@sluice/reconciler';
import { silentLogger, type Json } from '@sluice/base';
import { register } from '@sluice/tls-app';

/** Loads options. Returns the error message, or `null` if the options are accepted. */
async function refusal(tls: Json): Promise<string | null> {
  const registry = new Registry().addSection(storageSection).use(register);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
  try {
    runtime.commit(await runtime.prepare({ apps: { tls } }));
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await runtime.close();
  }
}

describe('tls app', () => {
  const accepted: readonly Json[] = [
    {},
    { cache: null, disable_storage_clean: true },
    { automation: {} },
    { certificates: {} },
    { automation: { policies: [{ subjects: ['a.example'], key_type: 'p384', reuse_private_keys: true }] } },
    { session_tickets: { disabled: true }, cache: { capacity: 5 } },
    { encrypted_client_hello: { configs: [{ public_name: 'a' }], publication: [{ domains: ['b'] }] } },
  ];
  for (const options of accepted) {
    it(`the tls app accepts ${JSON.stringify(options).slice(0, 60)}`, async () => {
      expect(await refusal(options)).to.equal(null);
    });
  }

  const refused: readonly [Json, string, string][] = [
    [{ certificate: {} }, 'apps.tls', 'unknown key "certificate"'],
    [{ automation: { policies: [{ subject: [] }] } }, 'apps.tls.automation.policies[0]', 'unknown key "subject"'],
    [{ automation: { policies: [{ key_type: 'p512' }] } }, 'apps.tls.automation.policies[0].key_type', 'p256, p384'],
    [{ automation: { policies: [{ renewal_window_ratio: 1 }] } }, 'renewal_window_ratio', 'between 0 and 1'],
    [{ certificates: { nothing: [] } }, 'apps.tls.certificates.nothing', 'unknown module'],
  ];
  for (const [options, where, why] of refused) {
    it(`the tls app rejects ${JSON.stringify(options).slice(0, 60)} and reports the path`, async () => {
      expect(await refusal(options))
        .to.contain(where)
        .and.to.contain(why);
    });
  }
});
