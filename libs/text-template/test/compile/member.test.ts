import { expect } from 'chai';
import { goType, TextTemplate } from '../../src/index.ts';

class Url {
  readonly [goType] = '*url.URL';
  readonly Path = '/a';
  readonly secret = 's3cret';

  get RawQuery(): string {
    return 'q=1';
  }

  Query(): Map<string, unknown> {
    return new Map([['q', '1']]);
  }

  Join(...parts: unknown[]): string {
    return [this.Path, ...parts].join('/');
  }

  hidden(): string {
    return this.secret;
  }
}

class Header extends Map<string, readonly string[]> {
  Get(name: string): string {
    return this.get(name)?.[0] ?? '';
  }
}

class Request {
  readonly Url = new Url();
  readonly Header = new Header([['Host', ['h']]]);
  readonly Missing = null;
  readonly Call = (value: unknown): string => `called ${String(value)}`;
}

const data = { Req: new Request(), map: { a: { b: 1 }, list: [{ n: 'x' }] }, fn: (a: number) => a + 1 };

function run(text: string): string {
  return TextTemplate.parse('t', text).execute(data);
}

describe('template members', () => {
  const cases: [string, string, string][] = [
    ['fields of objects', '{{.Req.Url.Path}}', '/a'],
    ['getters', '{{.Req.Url.RawQuery}}', 'q=1'],
    ['the results of methods', '{{.Req.Url.Query.q}}', '1'],
    ['the results of methods with arguments', '{{.Req.Url.Join "b" 1 2.0}}', '/a/b/1/2'],
    ['the results of methods with a piped argument', '{{"z" | .Req.Url.Join "y"}}', '/a/y/z'],
    ['the results of methods in parentheses', '{{(.Req.Url.Join "b") | len}}', '4'],
    ['map methods in preference to map keys', '{{.Req.Header.Get "Host"}} {{.Req.Header.Host}}', 'h [h]'],
    ['keys of plain objects', '{{.map.a.b}} {{(index .map.list 0).n}}', '1 x'],
    ['variables', '{{$r := .Req}}{{$r.Url.Path}}{{with .map.a}}{{.b}}{{end}}', '/a1'],
    ['the results of functions in fields with call', '{{call .Req.Call 1}} {{call .fn 41}}', 'called 1 42'],
    ['missing map keys', '{{.map.nothing}}', '<no value>'],
    ['nil', '{{.Req.Missing}}', '<no value>'],
  ];
  for (const [name, text, expected] of cases)
    it(`a template reads ${name}`, () => expect(run(text)).to.equal(expected));

  const failures: [string, string, string][] = [
    ['lowercase fields of objects', '{{.Req.Url.secret}}', "can't evaluate field secret in type *url.URL"],
    ['lowercase methods', '{{.Req.Url.hidden}}', "can't evaluate field hidden in type *url.URL"],
    ['the constructor', '{{.Req.constructor}}', "can't evaluate field constructor in type"],
    ['the prototype', '{{.Req.__proto__}}', "can't evaluate field __proto__ in type"],
    ['members of strings', '{{.Req.Url.Path.length}}', "can't evaluate field length in type string"],
    ['fields of nil', '{{.Req.Missing.x}}', 'nil pointer evaluating interface {}.x'],
    ['a field as a method', '{{.Req.Url.Path 1}}', 'Path has arguments but cannot be invoked as function'],
    ['a key as a method', '{{.map.a 1}}', 'a is not a method but has arguments'],
    ['a constant as a function', '{{1 2}}', "can't give argument to non-function 1"],
  ];
  for (const [name, text, message] of failures)
    it(`a template rejects ${name}`, () => expect(() => run(text)).to.throw(message));

  it('a template never reads prototypes of plain objects', () => {
    for (const key of ['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf']) {
      expect(TextTemplate.parse('t', `{{.${key}}}|{{index . "${key}"}}`).execute({})).to.equal('<no value>|<no value>');
    }
    const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"a":2}');
    expect(TextTemplate.parse('t', '{{.__proto__.x}}{{.x}}{{len .}}').execute(hostile)).to.equal('1<no value>2');
  });

  it('a template error contains the message of the method that failed', () => {
    class Broken {
      Fail(): never {
        throw new Error('broken');
      }
    }
    const text = '{{.Fail}}';
    expect(() => TextTemplate.parse('t', text).execute(new Broken())).to.throw(
      'at <.Fail>: error calling Fail: broken',
    );
  });
});
