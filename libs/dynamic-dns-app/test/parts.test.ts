import { expect } from 'chai';
import { addressFilter } from '../src/address-filter.ts';
import { configuredDomains, hostsOf, withHosts } from '../src/names.ts';

describe('dynamic_dns addresses', () => {
  it('addressFilter selects public addresses by default', () => {
    const isSelected = addressFilter([], []);
    for (const address of ['1.1.1.1', '2606:4700::1111']) expect(isSelected(address), address).to.equal(true);
    for (const address of [
      '10.0.0.1',
      '192.168.1.1',
      '127.0.0.1',
      '169.254.1.1',
      '100.64.0.1',
      'fd00::1',
      'fe80::1',
      '::1',
    ])
      expect(isSelected(address), address).to.equal(false);
  });

  it('addressFilter applies the most specific range', () => {
    const isSelected = addressFilter(['10.0.0.0/8', '10.1.2.3/32'], ['10.1.0.0/16']);
    expect(['10.0.0.1', '10.1.0.1', '10.1.2.3', '1.1.1.1'].map(isSelected)).to.deep.equal([true, false, true, false]);
    const all = addressFilter([], ['10.0.0.0/8']);
    expect(['10.0.0.1', '192.168.0.1'].map(all)).to.deep.equal([false, true]);
    expect(addressFilter(['10.0.0.0/8'], ['10.0.0.0/8'])('10.0.0.1')).to.equal(false);
  });

  it('addressFilter rejects an invalid range', () => {
    expect(() => addressFilter(['10.0.0.0/33'], [])).to.throw('prefix length');
  });
});

describe('dynamic_dns names', () => {
  it('configuredDomains uses the zone apex if no names are configured for the zone', () => {
    const domains = configuredDomains({ 'Example.com.': null, 'a.test': ['', 'WWW', 'www'] });
    expect([...domains]).to.deep.equal([
      ['example.com', ['@']],
      ['a.test', ['@', 'www']],
    ]);
  });

  it('hostsOf and withHosts find the host names of routes in the zones', () => {
    const host = (...hosts: string[]): object => ({ match: [{ host: hosts }] });
    const servers = {
      one: { routes: [host('example.com', 'A.example.com'), host('{env.HOST}', 'other.test'), { handle: [] }] },
      two: { routes: [host('*.sub.example.com', 'b.sub.example.com', 'notexample.com')] },
    };
    const hosts = hostsOf({ apps: { http: { servers } } } as never);
    const domains = withHosts(configuredDomains({ 'example.com': ['www'], 'sub.example.com': ['@'] }), hosts);
    expect([...domains]).to.deep.equal([
      ['example.com', ['www', '@', 'a']],
      ['sub.example.com', ['@', '*', 'b']],
    ]);
    expect([...hostsOf(null), ...hostsOf({ apps: { http: null } })]).to.deep.equal([]);
  });
});
