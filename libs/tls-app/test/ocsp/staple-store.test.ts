import type { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { stapleKey } from '../../src/ocsp/staple-store.ts';

/** The hash values are test vectors published by the authors of FNV. */
const table: readonly [string, readonly string[], readonly string[], string][] = [
  ['CN=a.test', ['foobar'], ['b.test'], 'ocsp/a.test-bf9cf968'],
  ['O=Org\nCN=A.test', ['foo', 'bar'], [], 'ocsp/a.test-bf9cf968'],
  ['O=Org', ['a'], ['*.b.test', 'b.test'], 'ocsp/wildcard_.b.test-e40c292c'],
  ['', [''], ['::1'], 'ocsp/--1-811c9dc5'],
];

describe('stapleKey', () => {
  for (const [subject, pems, names, key] of table) {
    it(`stapleKey returns the same key as Caddy: ${key}`, () => {
      expect(stapleKey({ subject } as X509Certificate, pems, names)).to.equal(key);
    });
  }
});
