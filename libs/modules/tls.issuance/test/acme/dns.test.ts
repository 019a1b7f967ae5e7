/** Tests the creation of challenge records, the wait for their propagation, and their removal, using BIND. */
import { createLogger } from '@sluice/base';
import type { DnsProvider, DnsRecord } from '@sluice/contracts';
import { hasDnsServer, startDnsServer, type DnsServer } from '@sluice/testing';
import { expect } from 'chai';
import { setRecord } from '../../src/acme/challenges/dns.ts';
import type { DnsSettings } from '../../src/acme/challenges/dns-settings.ts';

const record = { name: '_acme-challenge.www.example.test', type: 'TXT', value: 'wanted' } as const;

describe('DNS challenge records', () => {
  let server: DnsServer;
  const logged: string[] = [];
  const calls: string[] = [];
  before(async function () {
    if (!hasDnsServer('bind')) this.skip();
    server = await startDnsServer('bind', { records: ['_acme-challenge.www IN TXT "wanted"'] });
  });
  beforeEach(() => {
    logged.length = 0;
    calls.length = 0;
  });
  after(() => (server as typeof server | undefined)?.close());

  function settings(more: Partial<DnsSettings> = {}, provider: Partial<DnsProvider> = {}): DnsSettings {
    const call =
      (name: string) =>
      (zone: string, records: readonly DnsRecord[]): Promise<void> => {
        calls.push(`${name} ${zone} ${records.map((each) => `${each.name} ${each.type} ${each.ttl}`).join()}`);
        return Promise.resolve();
      };
    return {
      provider: { append: call('append'), remove: call('remove'), ...provider },
      ttl: 60_000,
      delay: 0,
      timeout: 2_000,
      overrideName: null,
      nameServer: server.resolver,
      ownResolvers: true,
      log: createLogger({
        enabled: () => true,
        write: ({ message, fields }) => logged.push(`${message} ${JSON.stringify(fields)}`),
      }),
      ...more,
    };
  }

  it('setRecord creates a record relative to its zone, and returns a function that removes the record', async () => {
    const remove = await setRecord(settings(), record, AbortSignal.timeout(5_000));
    expect(calls).to.deep.equal(['append example.test. _acme-challenge.www TXT 60000']);
    await remove();
    expect(calls.at(-1)).to.equal('remove example.test. _acme-challenge.www TXT 60000');
  });

  it('setRecord removes a record that does not become visible', async () => {
    const failure = await setRecord(
      settings({ timeout: 300 }),
      { ...record, value: 'other' },
      AbortSignal.timeout(5_000),
    ).catch((error: Error) => error.message);
    expect(failure).to.equal(
      'TXT record for _acme-challenge.www.example.test was created, but is not visible on the configured resolvers after 0.3 s',
    );
    expect(calls).to.have.length(2);
  });

  it('setRecord waits for the configured delay, and does not check the record if no timeout is set', async () => {
    const start = performance.now();
    await setRecord(settings({ timeout: null, delay: 100 }), { ...record, value: 'other' }, AbortSignal.timeout(5_000));
    expect(performance.now() - start).to.be.above(90);
    expect(calls).to.have.length(1);
  });

  it('setRecord logs a record that cannot be removed', async () => {
    const remove = () => Promise.reject(new Error('the API is unavailable'));
    await (
      await setRecord(settings({}, { remove }), record, AbortSignal.timeout(5_000))
    )();
    expect(logged).to.have.length(1);
    expect(logged[0]).to.include('failed to remove DNS record').and.include('"zone":"example.test."');
  });

  it('setRecord removes the record if it is aborted while it waits', async () => {
    const failure = await setRecord(settings(), { ...record, value: 'other' }, AbortSignal.timeout(200)).catch(
      (error: Error) => error.name,
    );
    expect(failure).to.equal('AbortError');
    expect(calls).to.have.length(2);
  });
});
