import { expect } from 'chai';
import {
  configError,
  isSluiceError,
  located,
  messageOf,
  pathError,
  SluiceError,
  syntaxError,
  valueError,
} from '@sluice/base';
import { quoted } from '../src/values/value-error.ts';

describe('SluiceError and error functions', () => {
  const cause = new Error('underneath');

  it('SluiceError has a code, a status, a configuration path and a cause', () => {
    const error = new SluiceError('ERR_X', 'no', { where: 'apps.http', status: 409, cause });
    expect(error).to.include({
      name: 'SluiceError',
      code: 'ERR_X',
      status: 409,
      where: 'apps.http',
      message: 'apps.http: no',
      cause,
    });
    const plain = new SluiceError('ERR_X', 'no');
    expect(plain).to.include({ status: 500, where: null, message: 'no' });
    expect('cause' in plain).to.equal(false);
    expect(new SluiceError('ERR_X', 'no', { where: '' })).to.include({ where: '', message: 'no' });
  });

  const kinds: [error: SluiceError, code: string, status: number, where: string | null][] = [
    [configError('apps', 'no', cause), 'ERR_CONFIG', 400, 'apps'],
    [pathError('no'), 'ERR_CONFIG_PATH', 400, null],
    [pathError('no', 404), 'ERR_CONFIG_PATH', 404, null],
    [syntaxError('no', cause), 'ERR_SYNTAX', 400, null],
    [valueError('no', cause), 'ERR_VALUE', 400, null],
  ];
  for (const [error, code, status, where] of kinds) {
    it(`SluiceError with code ${code} has status ${status}`, () => {
      expect(error).to.include({ code, status, where });
      if (code !== 'ERR_CONFIG_PATH') expect(error.cause).to.equal(cause);
    });
  }

  it('isSluiceError recognizes errors from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('sluice.error')]: true });
    expect([new SluiceError('ERR_X', 'no'), foreign].map(isSluiceError)).to.deep.equal([true, true]);
    expect([new Error('x'), null, undefined, 'x', {}].map(isSluiceError)).to.deep.equal(Array(5).fill(false));
    expect(Object.keys(new SluiceError('ERR_X', 'no'))).to.not.include('sluice.error');
  });

  it('located() adds the configuration path to an error only once', () => {
    const placed = configError('apps.http', 'no');
    expect(located(placed, 'elsewhere')).to.equal(placed);
    const value = valueError('no');
    expect(located(value, 'apps.http')).to.include({
      code: 'ERR_CONFIG',
      status: 400,
      where: 'apps.http',
      message: 'apps.http: no',
      cause: value,
    });
    expect(located('thrown text', 'apps').message).to.equal('apps: thrown text');
  });

  it('messageOf returns a message for any thrown value', () => {
    expect([messageOf(cause), messageOf('text'), messageOf(7), messageOf(undefined)]).to.deep.equal([
      'underneath',
      'text',
      '7',
      'undefined',
    ]);
  });

  it('quoted() quotes values and truncates long values', () => {
    expect([quoted('a"b'), quoted(undefined), quoted({ a: 1 })]).to.deep.equal(['"a\\"b"', 'undefined', '{"a":1}']);
    expect(quoted('x'.repeat(98))).to.equal(`"${'x'.repeat(98)}"`);
    expect(quoted('x'.repeat(99))).to.equal(`"${'x'.repeat(96)}…`);
  });
});
