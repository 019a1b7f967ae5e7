import { expect } from 'chai';
import fc from 'fast-check';
import { HeaderMap, isIrregular, KeptNames } from '@sluice/http1';
import * as names from '../src/field-names.ts';
import { methodOf } from '../src/methods.ts';

function find(text: string, before = ''): names.FieldName {
  const bytes = Buffer.from(`${before}${text}: x`, 'latin1');
  let hash = 0;
  for (const character of text.toLowerCase()) hash = names.addToHash(hash, character.charCodeAt(0));
  return names.findFieldName(bytes, before.length, before.length + text.length, hash);
}

describe('http1 field names', () => {
  const kinds: [name: string, kind: number][] = [
    ['Host', names.hostField],
    ['content-length', names.contentLengthField],
    ['TRANSFER-ENCODING', names.transferEncodingField],
    ['Connection', names.connectionField],
    ['Expect', names.expectField],
    ['Accept', names.ordinary],
    ['X-Unheard-Of', names.ordinary],
    ['hosts', names.ordinary],
    ['hos', names.ordinary],
  ];
  for (const [name, kind] of kinds) {
    it(`findFieldName returns the kind of ${name}`, () => {
      expect(find(name)).to.deep.equal({ name: name.toLowerCase(), kind, irregular: false });
    });
  }

  it('field names are shared strings if they are common or were seen before', () => {
    for (const name of ['Accept', 'User-Agent', 'X-Request-Id', 'X-Learned'])
      expect(find(name)).to.equal(find(name.toUpperCase(), 'GET / '));
  });

  it('common field names remain shared strings, regardless of how many other names were seen', () => {
    const common = [
      'accept',
      'accept-charset',
      'authorization',
      'cdn-loop',
      'content-type',
      'cookie',
      'forwarded',
      'http2-settings',
      'if-unmodified-since',
      'origin',
      'priority',
      'range',
      'sec-fetch-dest',
      'sec-fetch-mode',
      'sec-gpc',
      'sec-websocket-version',
      'te',
      'user-agent',
      'via',
      'x-forwarded-proto',
      'x-requested-with',
    ];
    const before = common.map((name) => find(name));
    for (let i = 0; i < 5000; i++) find(`x-flood-${i}`);
    expect(common.filter((name, i) => find(name) !== before[i])).to.deep.equal([]);
  });

  it('long field names are not cached', () => {
    const [short, long] = ['a'.repeat(64), 'a'.repeat(65)];
    expect(find(short)).to.equal(find(short));
    expect(find(long)).to.deep.equal(find(long));
    expect(find(long) === find(long)).to.equal(false);
  });

  it('field names are looked up correctly for any number of names, including hash collisions', () => {
    // Pairs of names with equal hashes. Adding one to a byte changes the hash by as much as adding 31 to the next byte.
    const pairs = ['b0', 'aO', 'cb', 'dC', 'x-b0', 'x-aO'];
    const name = fc.oneof(
      fc.constantFrom(...pairs, 'host', 'te', 'via', 'dnt', 'x_y', 'x.y'),
      fc.stringMatching(/^[a-z-]{1,4}$/),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 50 }), (texts) => {
        for (const text of texts) {
          const found = find(text);
          expect(found.name).to.equal(text.toLowerCase());
          expect(found.irregular).to.equal(/[_.]/.test(text));
          expect(isIrregular(found.name)).to.equal(found.irregular);
        }
      }),
      { numRuns: 300 },
    );
  });

  const sent: readonly [fields: string, passes: string][] = [
    ['x_user', 'x_user'],
    ['x-user', ''],
    ['x-user x_user', 'x_user'],
    ['x_user x.user x-user', 'x_user'],
    ['x_user x_user', ''],
    ['x_user x-user x_user', ''],
    ['a.b_c', 'a.b_c'],
    ['a-b-c a.b-c', ''],
    ['webhook_a', 'webhook_a'],
    ['webhook-a', ''],
    ['webhook_a webhook-a', 'webhook_a'],
    ['webhook_a webhook_a', ''],
    ['webhook_a webhook_b', 'webhook_a webhook_b'],
    ['webhook_', 'webhook_'],
    ['webhook- webhook', 'webhook'],
    ['a-b z y-z z', 'a-b z y-z z'],
  ];
  for (const [fields, passes] of sent) {
    it(`KeptNames.sift keeps ${passes || 'nothing'} of ${fields}`, () => {
      const kept = new KeptNames(['x_user', 'a.b_c', 'webhook_*']);
      const map = new HeaderMap();
      for (const name of fields.split(' ')) if (!isIrregular(name) || kept.has(name)) map.append(name, '1');
      kept.sift(map);
      expect(map.names.join(' ')).to.equal(passes);
    });
  }
});

describe('http1 methods', () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'CONNECT', 'TRACE', 'PROPFIND']) {
    it(`methodOf recognizes ${method}, and returns similar method names unchanged`, () => {
      for (const text of [method, method.toLowerCase(), `${method}X`, method.slice(1), `X${method.slice(1)}`]) {
        expect(methodOf(Buffer.from(`  ${text} /`), 2, 2 + text.length)).to.equal(text);
      }
    });
  }
});
