import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { compileText } from '@sluice/http-app';
import type { TlsInfo } from '@sluice/contracts';
import { makeExchange, sampleTls } from '@sluice/testing';
import { derElements } from '../../src/placeholders/der.ts';
import { knownCertificates } from './known-certificates.ts';

/** Returns the value of a TLS placeholder. */
function text(name: string, tls: TlsInfo | null): string {
  return compileText(`{http.request.tls.${name}}`, 'keep').expand(makeExchange({ connection: { tls } }));
}

describe('TLS placeholders', () => {
  for (const { what, pem, values } of knownCertificates) {
    it(`TLS placeholders have the same values as in Caddy for a certificate with ${what}`, () => {
      const certificate = new X509Certificate(pem);
      const tls = { ...sampleTls, clientCertificate: certificate.raw };
      const found = Object.fromEntries(Object.keys(values).map((name) => [name, text(name, tls)]));
      expect(found).to.deep.equal(values);
      expect(text('client.certificate_pem', tls)).to.equal(certificate.toString());
      expect(text('client.certificate_der_base64', tls)).to.equal(certificate.raw.toString('base64'));
    });
  }

  it('TLS placeholders format the verification result, serial number, and SHA-1 fingerprint of the client certificate as nginx does', () => {
    const certificate = new X509Certificate(knownCertificates[0]?.pem ?? '');
    const tls = { ...sampleTls, clientCertificate: certificate.raw };
    expect(text('client.verify', tls)).to.equal('SUCCESS');
    expect(text('client.verify', { ...tls, clientProblem: 'self-signed certificate' })).to.equal(
      'FAILED:self-signed certificate',
    );
    expect(text('client.serial_hex', tls)).to.equal(certificate.serialNumber);
    expect(text('client.fingerprint_sha1', tls)).to.equal(certificate.fingerprint.replaceAll(':', '').toLowerCase());
  });

  it('TLS placeholders encode RSA keys in PKCS #1 format', () => {
    const pem = knownCertificates[1]?.pem ?? '';
    const tls = { ...sampleTls, clientCertificate: new X509Certificate(pem).raw };
    expect(text('client.public_key', tls)).to.match(/^3082010a0282010100[0-9a-f]+0203010001$/);
  });

  const table: readonly (readonly [string, string])[] = [
    ['version', 'tls1.3'],
    ['cipher_suite', 'TLS_AES_128_GCM_SHA256'],
    ['resumed', 'false'],
    ['proto', 'h2'],
    ['proto_mutual', 'true'],
    ['server_name', 'a.test'],
    ['ech', 'false'],
    ['client.subject', ''],
    ['client.fingerprint', ''],
    ['client.verify', 'NONE'],
    ['client.serial_hex', ''],
    ['client.san.dns_names', '[]'],
    ['client.san.dns_names.0', ''],
    ['client.san.dns_names.x', '{http.request.tls.client.san.dns_names.x}'],
    ['client.nope', '{http.request.tls.client.nope}'],
    ['client', '{http.request.tls.client}'],
    ['nope', '{http.request.tls.nope}'],
  ];
  for (const [name, value] of table) {
    it(`the TLS placeholder ${name} is ${JSON.stringify(value)} for a client without a certificate`, () => {
      expect(text(name, sampleTls)).to.equal(value);
    });
  }

  it('TLS placeholders are empty on a connection without TLS', () => {
    for (const name of [
      'version',
      'resumed',
      'client.subject',
      'client.verify',
      'client.san.ips',
      'client.san.ips.0',
      'ech',
    ])
      expect(text(name, null), name).to.equal('');
  });
});

describe('derElements', () => {
  it('derElements returns elements or throws an error for any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          for (const { content } of derElements(Buffer.from(bytes))) expect(content.length).to.be.at.most(bytes.length);
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError);
        }
      }),
    );
  });
});
