import { expect } from 'chai';
import { hostKey, hostOf, portOf, withoutZone } from '@sluice/http-app';

describe('splitAuthority', () => {
  // Values of {http.request.host} and {http.request.port} in Caddy, and the host that Caddy's host matcher compares.
  for (const [authority, host, port, key] of [
    ['A.test', 'A.test', '', 'a.test'],
    ['A.test:80', 'A.test', '80', 'a.test'],
    ['a.test:', 'a.test', '', 'a.test'],
    [':80', '', '80', ''],
    ['', '', '', ''],
    ['[fe80::1]', '[fe80::1]', '', 'fe80::1'],
    ['[FE80::1]:80', 'FE80::1', '80', 'fe80::1'],
    ['[fe80::1%en0]:80', 'fe80::1%en0', '80', 'fe80::1%en0'],
    ['fe80::1', 'fe80::1', '', 'fe80::1'],
    ['[a.test]:80', 'a.test', '80', 'a.test'],
    ['[]:80', '', '80', ''],
    // A malformed address is not split into host and port.
    ['fe80::1]', 'fe80::1]', '', 'fe80::1'],
    ['[fe80::1', '[fe80::1', '', 'fe80::1'],
    ['[fe80::1]x', '[fe80::1]x', '', 'fe80::1]x'],
    ['[fe80::1]:80:90', '[fe80::1]:80:90', '', 'fe80::1]:80:90'],
    ['[fe80::1]]:80', '[fe80::1]]:80', '', 'fe80::1]]:80'],
    ['[[fe80::1]]:80', '[[fe80::1]]:80', '', '[fe80::1]]:80'],
    ['[a.test:80', '[a.test:80', '', 'a.test:80'],
    ['a]:80', 'a]:80', '', 'a]:80'],
    ['a.test:80:90', 'a.test:80:90', '', 'a.test:80:90'],
  ] as const)
    it(`splitAuthority splits or rejects ${JSON.stringify(authority)}`, () => {
      expect([hostOf(authority), portOf(authority), hostKey(authority)]).to.deep.equal([host, port, key]);
    });

  for (const [authority, leaving] of [
    ['[fe80::1%25en0]:80', '[fe80::1]:80'],
    ['[fe80::1%en0]', '[fe80::1]'],
    ['[fe80::1%]', '[fe80::1]'],
    ['[::1]:80', '[::1]:80'],
    ['[a]:8%0', '[a]:8%0'],
    ['[fe80::1%25en0', '[fe80::1%25en0'],
    ['a%25b', 'a%25b'],
  ] as const)
    it(`the IPv6 zone of ${authority} is removed before the authority is sent to another machine`, () => {
      expect(withoutZone(authority)).to.equal(leaving);
    });
});
