import { expect } from 'chai';
import { isHost, parseOriginForm, type Target } from '@sluice/http1';
import { hasGoodEscapes, hasOnlyDots, normalPath, parseTarget } from '../src/target.ts';

const target = (host: string, rawPath: string, query: string | null = null): Target => ({ host, rawPath, query });

describe('http1 targets', () => {
  const origins: [text: string, target: Target | null][] = [
    ['*', target('', '*')],
    ['/', target('', '/')],
    ['/a', target('', '/a')],
    ['/a?', target('', '/a', '')],
    ['/?b', target('', '/', 'b')],
    ['/a?b?c=%zz', target('', '/a', 'b?c=%zz')],
    ['/a"b', target('', '/a%22b')],
    ['/%41', target('', '/%41')],
    ['/%4', null],
    ['/%zz?b', null],
    ['a', null],
    ['', null],
    ['**', null],
    ['?a', null],
    ['/a b', null],
    ['/a?b c', null],
    ['/a\u007f', null],
    ['http://a/', null],
  ];
  for (const [text, expected] of origins) {
    it(`parseOriginForm ${expected === null ? 'rejects' : 'accepts'} ${JSON.stringify(text)}`, () => {
      expect(parseOriginForm(text)).to.deep.equal(expected);
    });
  }

  const absolutes: [text: string, target: Target | null][] = [
    ['*', target('', '*')],
    ['http://h', target('h', '/')],
    ['http://h/', target('h', '/')],
    ['http://h/p?q', target('h', '/p', 'q')],
    ['http://h?', target('h', '/', '')],
    ['http://h?a:b/c', target('h', '/', 'a:b/c')],
    ['h:/p', target('', '/p')],
    ['h:/p/q?r', target('', '/p/q', 'r')],
    ['h:p', null],
    ['h:', null],
    [':/p', null],
    ['h', null],
    ['', null],
    ['http://h/"', target('h', '/%22')],
    ['http://h/%zz', null],
    ['h:/%zz', null],
    ['a+b-c.1://h/', target('h', '/')],
    ['Zz9://h/', target('h', '/')],
    ['1a://h/', null],
    ['+a://h/', null],
    ['-a://h/', null],
    ['.a://h/', null],
    ['a,b://h/', null],
    ['a/b://h/', null],
    ['a@b://h/', null],
    ['a[b://h/', null],
    ['a`b://h/', null],
    ['a{b://h/', null],
    ['a:b://h/', null],
    ['http://h:80/', target('h:80', '/')],
    ['http://h:/', target('h:', '/')],
    ['http://:80/', target(':80', '/')],
    ['http://h:8a/', null],
    ['http://h:a8/', null],
    ['http://h:8:9/', null],
    ['http://h:/:/', target('h:', '/:/')],
    ['http://h:/8', target('h:', '/8')],
    ['http://h://', target('h:', '//')],
    ['http://[::1]/', target('[::1]', '/')],
    ['http://[::1]:80/', target('[::1]:80', '/')],
    ['http://[::]:80/', target('[::]:80', '/')],
    ['http://[::1]:/', target('[::1]:', '/')],
    ['http://[]/', target('[]', '/')],
    ['http://[::1]80/', null],
    ['http://[::1]a:80/', null],
    ['http://[::1]:8a/', null],
    ['http://[::1/', null],
    ['http://::1]/', null],
    ['http://a]/', null],
    ['http://a[/', null],
    ['http://a[]/', null],
    ['http://]/', null],
    ['http://a]:80/', null],
    ['http://h%41/', null],
    ['http://a"/', null],
    ['http://./', null],
    ['http://..:1/', null],
    ['http://.a/', target('.a', '/')],
    ['http:///p', target('', '/p')],
    ['http://@h/', target('h', '/')],
    ['http://@@h/', target('h', '/')],
    ['http://u@h/', target('h', '/')],
    ['http://u:p@h:1/', target('h:1', '/')],
    ['http://a@b@h/', target('h', '/')],
    ['http://"@h/', null],
    ['http://u"@h/', null],
    ['http://"u@h/', null],
    ['http://u[@h/', null],
    ['http://u]@h/', null],
    ['http://u%4@h/', null],
    ['http://u%40@h/', target('h', '/')],
    ['http://u@h"/', null],
    ['http://h/p@q', target('h', '/p@q')],
  ];
  for (const [text, expected] of absolutes) {
    it(`parseTarget ${expected === null ? 'rejects' : 'accepts'} ${JSON.stringify(text)} in absolute form`, () => {
      expect(parseTarget('GET', text)).to.deep.equal(expected);
    });
  }

  const authorities: [text: string, taken: boolean][] = [
    ['h:443', true],
    ['h', true],
    ['[::1]:443', true],
    ['h:4x', false],
    ['u@h:1', false],
    ['/h', false],
    ['..', false],
  ];
  for (const [text, taken] of authorities) {
    it(`parseTarget ${taken ? 'accepts' : 'rejects'} ${JSON.stringify(text)} for CONNECT`, () => {
      expect(parseTarget('CONNECT', text)).to.deep.equal(taken ? target(text, '/') : null);
    });
  }

  const escapes: [text: string, good: boolean][] = [
    ['', true],
    ['abc', true],
    ['%41', true],
    ['%aF%00', true],
    ['a%41b%42', true],
    ['%', false],
    ['%4', false],
    ['a%4', false],
    ['%4g', false],
    ['%g4', false],
    ['%41%', false],
    ['%41%4', false],
    ['%41%%41', false],
    ['%%4141', false],
  ];
  for (const [text, good] of escapes) {
    it(`hasGoodEscapes ${good ? 'accepts' : 'rejects'} ${JSON.stringify(text)}`, () => {
      expect(hasGoodEscapes(text)).to.equal(good);
      expect(normalPath(`/${text}`) !== null).to.equal(good);
    });
  }

  const hosts: [text: string, taken: boolean, dots: boolean][] = [
    ['', true, false],
    ['a', true, false],
    ['a.', true, false],
    ['.a', true, false],
    ['..a:1', true, false],
    ['.', false, true],
    ['..', false, true],
    ['.:1', false, true],
    ['..:', false, true],
    [':1', true, false],
    ['a b', false, false],
    ['a/', false, false],
    ['@', false, false],
    ['\u00e9', false, false],
    ['\u0161', false, false],
  ];
  for (const [text, taken, dots] of hosts) {
    it(`isHost ${taken ? 'accepts' : 'rejects'} ${JSON.stringify(text)}`, () => {
      expect(isHost(text)).to.equal(taken);
      expect(hasOnlyDots(text)).to.equal(dots);
    });
  }
});
