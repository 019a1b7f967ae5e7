import { expect } from 'chai';
import { parseExpression } from '../../src/expression/compile.ts';
import { verdictOf } from '../../src/lint/truth.ts';

const always: Readonly<Record<string, readonly string[]>> = {
  false: [
    'false',
    '1 == 2',
    `"a" != "a"`,
    `{method} == "GET" && {method} == "POST"`,
    `{method} in ["GET", "HEAD"] && {method} in ["POST"]`,
    `{method} in ["GET", "HEAD"] && !({method} in ["HEAD", "GET"])`,
    `{method} == "post"`,
    `path('/a/*') && path('/b/*')`,
    `path('/a/b') && !path('/a/*')`,
    `host('a.example.com') && host('b.example.com')`,
    `!({host} == "a" || {host} != "a")`,
    `{err.status_code} == 404 && {err.status_code} == 500`,
    `file() && !file()`,
  ],
  true: [
    'true',
    `true || path('/a')`,
    `{method} != "GET" || {method} != "HEAD"`,
    `{method} != "get"`,
    `path('/a*') || !path('/ab')`,
    `!({host} == "a" && {host} == "b")`,
  ],
  null: [
    `{method} == "GET" || {method} == "POST"`,
    `{method} != "GET" && {method} != "HEAD"`,
    `{header.X-A} == "a" || {header.X-B} != "a"`,
    `{header.X-A} == "1" && {header.X-A} != "2"`,
    `{method} in ["GET", "post"]`,
    `{query.a} == "get"`,
    `path('/a/*') && path('/a/b/*')`,
    `path('/a/*') && !path('/a/b')`,
    `{time.now.unix} == {time.now.unix}`,
    `{http.request.uuid} == "a" || {host} == "x"`,
    `{host} == "a" ? true : {host} == "b"`,
    `this is ( no expression`,
  ],
};

describe('SL050, constant-expression', () => {
  for (const [value, expressions] of Object.entries(always))
    for (const text of expressions)
      it(`SL050 ${value === 'null' ? 'does not report' : `reports as always ${value}:`} ${text}`, () => {
        const expanded = text
          .replaceAll(/\{(method|host|query|header)\b/g, '{http.request.$1')
          .replaceAll('{err.', '{http.error.');
        expect(String(verdictOf(expanded, parseExpression).value)).to.equal(value);
      });
});
