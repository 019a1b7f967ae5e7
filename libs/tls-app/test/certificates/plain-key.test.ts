import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { throwAwayCertificate } from '@sluice/testing';
import { isPlainlyKeyOf } from '../../src/certificates/plain-key.ts';

describe('isPlainlyKeyOf', () => {
  let leaf: X509Certificate;
  let forms: readonly string[];
  before(async () => {
    const { cert, key } = await throwAwayCertificate(['localhost']);
    leaf = new X509Certificate(cert);
    const own = createPrivateKey(key);
    forms = (['pkcs8', 'sec1'] as const).map((type) => String(own.export({ type, format: 'pem' })));
  });

  it('isPlainlyKeyOf recognizes the matching key in both storage formats', () => {
    for (const form of forms) expect(isPlainlyKeyOf(leaf, form), form.split('\n')[0]).to.equal(true);
  });

  it('isPlainlyKeyOf returns false for other certificates, curves, key types and encodings', () => {
    const pair = (curve: string): string =>
      generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const broken = forms.flatMap((form) => {
      const lines = form.split('\n');
      return [
        form.replaceAll('PRIVATE', 'PUBLIC'),
        form.replace('BEGIN ', 'BEGIN X'),
        [lines[0], ...lines.slice(2)].join('\n'),
        [lines[0], lines[1]?.replace(/^M./, 'MM'), ...lines.slice(2)].join('\n'),
        [...lines.slice(0, -3), ...lines.slice(-2)].join('\n'),
        '',
      ];
    });
    for (const key of [pair('prime256v1'), pair('secp384r1'), rsa.export({ type: 'pkcs8', format: 'pem' }), ...broken])
      expect(isPlainlyKeyOf(leaf, String(key)), String(key)).to.equal(false);
  });
});
