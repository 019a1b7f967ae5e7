import { expect } from 'chai';
import { fieldKind, fieldName, isFieldValue } from '../../src/hpack/field-name.ts';

const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz";

describe('HTTP/2 field names', () => {
  it('HTTP/2 field names must be lowercase tokens (RFC 9113 §8.2.1)', () => {
    for (let code = 0; code < 260; code++) {
      const sign = String.fromCharCode(code);
      for (const name of [sign, `${sign}a`, `a${sign}b`, `a${sign}`])
        expect(fieldName(name).kind === fieldKind.malformed, `${code} in ${name}`).to.equal(!token.includes(sign));
    }
    expect(fieldName('').kind).to.equal(fieldKind.malformed);
  });

  it('HTTP/2 field names with ambiguous characters are marked as irregular', () => {
    for (const name of ['a_b', 'a.b']) expect(fieldName(name)).to.deep.equal({ name, kind: fieldKind.irregular });
    expect(fieldName('a-b')).to.deep.equal({ name: 'a-b', kind: fieldKind.plain });
  });

  it('fieldKind returns the role of a field name in the protocol', () => {
    const { method, scheme, path, authority, protocol, status, cookie, host, contentLength, te, priority } = fieldKind;
    const kinds = {
      ':method': method,
      ':scheme': scheme,
      ':path': path,
      ':authority': authority,
      ':protocol': protocol,
      ':status': status,
      cookie,
      host,
      'content-length': contentLength,
      te,
      priority,
    };
    for (const [name, kind] of Object.entries(kinds)) expect(fieldName(name)).to.deep.equal({ name, kind });
    expect(new Set([...Object.values(kinds), fieldKind.plain, fieldKind.irregular, fieldKind.malformed]).size).to.equal(
      14,
    );
  });

  it('connection-specific fields and unknown pseudo-header fields are malformed in HTTP/2 (RFC 9113 §8.2.2)', () => {
    for (const name of ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', ':nope', ':'])
      expect(fieldName(name).kind, name).to.equal(fieldKind.malformed);
  });
});

describe('HTTP/2 field values', () => {
  it('HTTP/2 field values must not contain control characters other than tabs', () => {
    for (let code = 0; code < 256; code++) {
      const sign = String.fromCharCode(code);
      const isAllowed = code === 9 || (code >= 32 && code !== 127);
      expect(isFieldValue(`a${sign}b`), `${code}`).to.equal(isAllowed);
      for (const value of [sign, `${sign}a`, `a${sign}`])
        expect(isFieldValue(value), `${code} at an end`).to.equal(isAllowed && code !== 9 && code !== 32);
    }
    expect(isFieldValue('')).to.equal(true);
  });
});
