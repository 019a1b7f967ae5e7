import { expect } from 'chai';
import { fleetSettings } from '../../src/fleet/settings.ts';
import { standardRegistry } from '../../src/configuration/standard-registry.ts';

describe('sluice run --fleet', () => {
  const settingsOf = async (fleet: string): Promise<object> =>
    fleetSettings({ fleet, fleetMember: 'a' }, {}, await standardRegistry());
  const refusal = (fleet: string): Promise<string> => settingsOf(fleet).then(JSON.stringify, String);

  it('--fleet accepts hosts, credentials, cluster and options', async () => {
    expect(await settingsOf('postgres://me:p%40ss@a:1,b:2/blue?schema=x')).to.deep.include({
      cluster: 'blue',
      store: { engine: 'postgres', endpoints: ['a:1', 'b:2'], username: 'me', password: 'p@ss', schema: 'x' },
    });
    expect(await settingsOf('etcd://me:100%@a:1/blue%')).to.deep.include({ cluster: 'blue%' });
  });

  it('--fleet reports errors without revealing the password', async () => {
    for (const address of ['etcd://me:secret@a:1', 'other://me:secret@a:1/x', 'etcd://a:1?password=secret']) {
      const message = await refusal(address);
      expect(message, address).to.match(/--fleet (?:etcd|other):\/\//);
      expect(message, address).not.to.match(/secret/);
    }
  });
});
