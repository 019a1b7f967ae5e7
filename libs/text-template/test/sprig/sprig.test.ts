import { expect } from 'chai';
import { createRequire } from 'node:module';
import { createPrivateKey } from 'node:crypto';
import type * as Bcrypt from '@node-rs/bcrypt';
import { sprig, TextTemplate } from '../../src/index.ts';

const require = createRequire(import.meta.url);

function run(text: string, data: unknown = null): string {
  return TextTemplate.parse('t', text, { functions: sprig }).execute(data);
}

describe('sprig', () => {
  it('template functions that generate random strings use only the permitted characters', () => {
    expect(run('{{randAlphaNum 50}}')).to.match(/^[A-Za-z0-9]{50}$/);
    expect(run('{{randAlpha 50}}')).to.match(/^[A-Za-z]{50}$/);
    expect(run('{{randNumeric 50}}')).to.match(/^\d{50}$/);
    expect(run('{{randAscii 50}}')).to.match(/^[ -~]{50}$/);
    expect(run('{{randAlpha 30}}')).not.to.equal(run('{{randAlpha 30}}'));
    expect(Number(run('{{randInt 5 8}}'))).to.be.within(5, 7);
    expect([...run('{{shuffle "abcdef"}}')].sort().join('')).to.equal('abcdef');
  });

  it('the bcrypt function returns valid hashes', () => {
    const { verifySync } = require('@node-rs/bcrypt') as typeof Bcrypt;
    expect(verifySync('secret', run('{{bcrypt "secret"}}'))).to.equal(true);
    expect(run('{{htpasswd "bob" "secret"}}')).to.match(/^bob:\$2a\$10\$/);
    expect(run('{{bcrypt (repeat 73 "x")}}')).to.include('exceeds 72 bytes');
  });

  it('the genPrivateKey function returns private keys', () => {
    for (const [type, kind] of [
      ['ecdsa', 'ec'],
      ['ed25519', 'ed25519'],
    ]) {
      expect(createPrivateKey(run(`{{genPrivateKey "${type}"}}`)).asymmetricKeyType).to.equal(kind);
    }
  });

  it('decryptAES rejects data that was encrypted with another key', () => {
    const sealed = run('{{encryptAES "k" "text"}}');
    expect(run(`{{decryptAES "k" "${sealed}"}}`)).to.equal('text');
    expect(() => run(`{{decryptAES "k" "${sealed.slice(0, 20)}"}}`)).to.throw('is not valid AES-CBC ciphertext');
  });

  it('date functions in templates return the current time', () => {
    const before = Math.floor(Date.now() / 1000);
    expect(Number(run('{{unixEpoch now}}'))).to.be.within(before - 1, before + 60);
    expect(run('{{ago now}}')).to.equal('0s');
    expect(run('{{ago (now.Add -90000000000)}}')).to.equal('1m30s');
    expect(run('{{durationRound (now.Add -7500000000000)}}')).to.equal('2h');
    expect(run('{{date "2006" "x"}}')).to.equal(run('{{now.Year}}'));
    expect(run('{{now}}')).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4} \S+ m=\+\d+\.\d{9}$/);
  });

  it('the env and expandenv functions read the environment', () => {
    process.env['TEXT_TEMPLATE_TEST'] = 'value';
    expect(run('{{env "TEXT_TEMPLATE_TEST"}} {{expandenv "$TEXT_TEMPLATE_TEST-${TEXT_TEMPLATE_TEST}"}}')).to.equal(
      'value value-value',
    );
    delete process.env['TEXT_TEMPLATE_TEST'];
  });

  it('list functions do not modify lists of the host application', () => {
    const list = [3, 1, 2];
    run('{{append . 4}}{{prepend . 0}}{{reverse .}}{{sortAlpha .}}{{without . 1}}{{uniq .}}{{slice . 1}}', list);
    expect(list).to.deep.equal([3, 1, 2]);
  });

  it('dictionary functions support plain objects of the host application, and modify only their target', () => {
    const data = { a: 1, nested: { b: 2 } };
    expect(run('{{keys . | sortAlpha}} {{get . "a"}} {{hasKey . "toString"}} {{dig "nested" "b" 0 .}}', data)).to.equal(
      '[a nested] 1 false 2',
    );
    expect(run('{{set . "c" 3 | len}} {{unset . "a" | len}}', data)).to.equal('3 2');
    expect(data).to.deep.equal({ nested: { b: 2 }, c: 3 });
    const copy = '{{$c := deepCopy .}}{{$_ := set $c.nested "b" 9}}{{.nested.b}}';
    expect(run(copy, data)).to.equal('2');
  });

  it('dictionary functions do not pollute prototypes', () => {
    run(
      '{{$d := dict}}{{$_ := set $d "__proto__" (dict "polluted" 1)}}{{merge . (fromJson "{\\"__proto__\\":{\\"polluted\\":1}}")}}',
      {},
    );
    run('{{set . "__proto__" (dict "polluted" 1)}}', {});
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('sprig contains the reference functions, except for the functions listed in README.md', () => {
    expect(Object.keys(sprig)).to.have.length(203);
    expect(sprig).not.to.have.any.keys('genCA', 'genSignedCert', 'getHostByName');
  });
});
