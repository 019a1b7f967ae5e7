import { expect } from 'chai';
import { fieldKind, fieldName } from '../src/hpack/field-name.ts';
import { RequestFields, type FieldLimits } from '../src/request-fields.ts';

const limits: FieldLimits = { bytes: 1000, count: 20, kept: new Set(['x_kept']) };

function fieldsOf(list: readonly string[], trailers = false, allowed = limits): RequestFields {
  const fields = new RequestFields(allowed, trailers);
  for (const each of list) {
    const at = each.indexOf('=');
    const [name, value] = [each.slice(0, at), each.slice(at + 1)];
    fields.field(name, value, fieldName(name).kind, name.length + value.length + 32);
  }
  return fields;
}

const defaults = [':method=GET', ':scheme=https', ':path=/a', ':authority=h'];
const connect = [':method=CONNECT', ':authority=h:1'];
const extended = [':method=CONNECT', ':protocol=websocket', ':scheme=https', ':path=/a', ':authority=h'];
const without = (list: readonly string[], name: string): string[] => list.filter((each) => !each.startsWith(name));

describe('HTTP/2 request fields', () => {
  it('RequestFields contains the pseudo-header fields and the regular header fields', () => {
    const fields = fieldsOf([
      ...defaults,
      'host=h',
      'x-a=1',
      'x-a=2',
      'content-length=17',
      'priority=u=1',
      'te=trailers',
    ]);
    const { method, scheme, path, authority, protocol, host, contentLength, priority, complete } = fields;
    expect([method, scheme, path, authority, protocol]).to.deep.equal(['GET', 'https', '/a', 'h', null]);
    expect([host, contentLength, priority, complete]).to.deep.equal(['h', 17, 'u=1', true]);
    const { headers } = fields;
    expect([headers.all('x-a'), headers.get('content-length'), headers.get('host')]).to.deep.equal([
      ['1', '2'],
      '17',
      undefined,
    ]);
    expect([headers.get('te'), headers.get('priority')]).to.deep.equal(['trailers', 'u=1']);
    expect(fieldsOf(defaults).contentLength).to.equal(-1);
  });

  it('RequestFields.complete reports whether all required fields are present (RFC 9113 §8.3.1, §8.5, RFC 8441 §4)', () => {
    for (const list of [
      defaults,
      without(defaults, ':authority'),
      connect,
      extended,
      [...without(defaults, ':path'), ':path=*'],
    ])
      expect(fieldsOf(list).complete, list.join(' ')).to.equal(true);
    for (const [list, names] of [
      [defaults, [':method', ':scheme', ':path']],
      [connect, [':method', ':authority']],
      [extended, [':method', ':scheme', ':path']],
    ] as const)
      for (const name of names) expect(fieldsOf(without(list, name)).complete, `without ${name}`).to.equal(false);
    for (const more of [':scheme=https', ':path=/']) expect(fieldsOf([...connect, more]).complete).to.equal(false);
    expect(fieldsOf([...defaults, ':protocol=websocket']).complete).to.equal(false);
  });

  it('RequestFields rejects pseudo-header fields that are duplicated, empty, after a regular field, in trailers, or defined only for responses (RFC 9113 §8.3)', () => {
    expect(fieldsOf(defaults).malformed).to.equal(false);
    for (const each of extended) expect(fieldsOf([...extended, each]).malformed, `${each} twice`).to.equal(true);
    for (const each of defaults) {
      expect(fieldsOf([...without(defaults, each), 'x-a=1', each]).malformed, `${each} late`).to.equal(true);
      expect(fieldsOf([each], true).malformed, `${each} in trailers`).to.equal(true);
    }
    for (const name of [':method', ':scheme', ':path'])
      expect(fieldsOf([...without(defaults, name), `${name}=`]).malformed, `${name} empty`).to.equal(true);
    expect(fieldsOf([...without(defaults, ':path'), ':path=a']).malformed).to.equal(true);
    expect(fieldsOf([...defaults, ':status=200']).malformed).to.equal(true);
    expect(fieldsOf(['x-a=1'], true).malformed).to.equal(false);
  });

  it('RequestFields rejects connection-specific fields (RFC 9113 §8.2.2)', () => {
    for (const each of ['connection=close', 'X-A=1', 'te=gzip', 'te=']) {
      const fields = fieldsOf([...defaults, each]);
      expect([fields.malformed, fields.complete], each).to.deep.equal([true, false]);
    }
    const fields = new RequestFields(limits, false);
    fields.field('x-a', 'a\0', fieldKind.malformed, 40);
    expect([fields.malformed, fields.headers.size]).to.deep.equal([true, 0]);
  });

  it('RequestFields accepts repeated identical hosts, but rejects two different hosts', () => {
    const fields = fieldsOf([...defaults, 'host=h', 'host=h']);
    expect([fields.malformed, fields.host]).to.deep.equal([false, 'h']);
    expect(fieldsOf([...defaults, 'host=h', 'host=i']).malformed).to.equal(true);
  });

  it('RequestFields accepts only one content length, which must be numeric', () => {
    for (const length of [0, 1, 905, 123_456_789_012_345])
      expect(fieldsOf([`content-length=${length}`]).contentLength).to.equal(length);
    for (const length of ['', '-1', '+1', '1 ', ' 1', '1.0', '1/', '1:', '0x1', '1234567890123456', 'a', '1a'])
      expect(fieldsOf([`content-length=${length}`]).malformed, length).to.equal(true);
    for (const twice of ['0', '5']) {
      expect(fieldsOf([`content-length=${twice}`]).malformed).to.equal(false);
      expect(fieldsOf([`content-length=${twice}`, 'content-length=5']).malformed).to.equal(true);
    }
  });

  it('RequestFields joins cookies (RFC 9113 §8.2.3)', () => {
    expect(fieldsOf(['cookie=a=1', 'cookie=b=2', 'cookie=c']).headers.all('cookie')).to.deep.equal(['a=1; b=2; c']);
  });

  it('RequestFields drops fields with ambiguous names, unless the names are allowed', () => {
    const { headers, malformed } = fieldsOf([...defaults, 'x_a=1', 'x.a=1', 'x_kept=1']);
    expect([malformed, headers.size, headers.get('x_kept')]).to.deep.equal([false, 1, '1']);
  });

  it('RequestFields reports a field list as too large if the list exceeds the size limit or the count limit', () => {
    const tooLarge = (bytes: number, count: number): [boolean, number] => {
      const fields = fieldsOf(['a=1', 'b=2', 'c=3'], false, { ...limits, bytes, count });
      return [fields.tooLarge, fields.headers.size];
    };
    expect(tooLarge(3 * 34, 3)).to.deep.equal([false, 3]);
    expect(tooLarge(3 * 34 - 1, 3)).to.deep.equal([true, 2]);
    expect(tooLarge(3 * 34, 2)).to.deep.equal([true, 2]);
    expect(tooLarge(0, 0)).to.deep.equal([true, 0]);
  });
});
