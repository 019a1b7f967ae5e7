import { expect } from 'chai';
import type { TestRequest } from '@sluice/testing';
import { expectMatches, having, refusal } from '../matching.ts';

const from = (remoteAddress: string): TestRequest => ({ connection: { remoteAddress } });

describe('http.matchers.remote_ip', () => {
  const table: [ranges: string[], yes: string[], no: string[]][] = [
    [
      ['10.0.0.0/8', '127.0.0.0/8'],
      ['10.1.2.3', '127.0.0.1'],
      ['11.0.0.0', '::1', ''],
    ],
    [['127.0.0.9/24'], ['127.0.0.1'], ['127.0.1.1']],
    [['0.0.0.0/0'], ['1.2.3.4'], ['::1']],
    [['::/0'], ['::1', 'fe80::1%eth0'], ['1.2.3.4']],
    [['::ffff:127.0.0.1'], [], ['127.0.0.1']],
    [['fe80::/10%eth0'], ['fe80::1%eth0'], ['fe80::1%eth1', 'fe80::1']],
    [[], [], ['1.2.3.4']],
  ];
  for (const [ranges, yes, no] of table) {
    it(`remote_ip matches ${JSON.stringify(ranges)}`, () =>
      expectMatches({ remote_ip: { ranges } }, yes.map(from), no.map(from)));
  }

  it('remote_ip matches nothing if there are no ranges', async () => {
    await expectMatches({ remote_ip: {} }, [], ['/']);
    await expectMatches({ remote_ip: { ranges: null } }, [], ['/']);
  });

  it('remote_ip uses only the peer address', () =>
    expectMatches({ remote_ip: { ranges: ['1.2.3.4'] } }, [], [having({ 'X-Forwarded-For': '1.2.3.4' })]));

  it('remote_ip expands global placeholders', async () => {
    process.env['SLUICE_TEST_NET'] = '127.0.0.0/8';
    try {
      await expectMatches({ remote_ip: { ranges: ['{env.SLUICE_TEST_NET}'] } }, ['/'], [from('10.0.0.1')]);
    } finally {
      delete process.env['SLUICE_TEST_NET'];
    }
  });

  for (const range of [
    'nope',
    '127.0.0.1/33',
    '127.0.0',
    '',
    'private_ranges',
    '1.2.3.4-1.2.3.9',
    '{env.SLUICE_TEST_NONE}',
  ]) {
    it(`remote_ip rejects ${JSON.stringify(range)}`, async () => {
      expect(await refusal({ remote_ip: { ranges: ['::1', range] } })).to.include('remote_ip.ranges: [1]:');
    });
  }
});

describe('http.matchers.client_ip', () => {
  const server = { trusted_proxies: { source: 'static', ranges: ['127.0.0.1/8'] } };
  const set = { client_ip: { ranges: ['1.2.3.0/24'] } };

  it('client_ip uses the address that a trusted proxy forwards', async () => {
    await expectMatches(
      set,
      [having({ 'X-Forwarded-For': '1.2.3.4' })],
      ['/', having({ 'X-Forwarded-For': '5.6.7.8' })],
      { server },
    );
  });

  it('client_ip uses the peer address if no trusted proxy has forwarded an address', () =>
    expectMatches(set, [from('1.2.3.4')], [having({ 'X-Forwarded-For': '1.2.3.4' })]));

  it('client_ip rejects invalid ranges', async () => {
    expect(await refusal({ client_ip: { ranges: ['x'] } })).to.include('client_ip.ranges: [0]:');
  });
});
