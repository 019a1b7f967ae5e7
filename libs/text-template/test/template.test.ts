import { expect } from 'chai';
import { Budget, declare, isTemplateError, parameters, TextTemplate, type TemplateError } from '../src/index.ts';

function failure(act: () => unknown): TemplateError {
  try {
    act();
  } catch (error) {
    if (isTemplateError(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('TextTemplate', () => {
  it('TextTemplate is parsed once and executed with any data', () => {
    const template = TextTemplate.parse('greeting', 'Hello {{.name}}!');
    expect(template.name).to.equal('greeting');
    expect(template.execute({ name: 'Ada' })).to.equal('Hello Ada!');
    expect(template.execute(new Map([['name', 'Bob']]))).to.equal('Hello Bob!');
    expect(template.execute(null)).to.equal('Hello <no value>!');
  });

  it('TextTemplate.parse accepts other delimiters, and treats an empty delimiter as the default', () => {
    const delimiters = { left: '<%', right: '%>' };
    expect(TextTemplate.parse('t', '<% 1 -%>  {{2}} <%/* c */%><%- 3%>', { delimiters }).execute(null)).to.equal(
      '1{{2}} 3',
    );
    expect(TextTemplate.parse('t', '{{1}>', { delimiters: { left: '', right: '}>' } }).execute(null)).to.equal('1');
    expect(TextTemplate.parse('t', '[[ "]]" ]]', { delimiters: { left: '[[', right: ']]' } }).execute(null)).to.equal(
      ']]',
    );
  });

  it('TextTemplate.lookup finds templates that the text defines', () => {
    const template = TextTemplate.parse('main', '{{define "a"}}<{{.}}{{template "b"}}>{{end}}{{define "b"}}b{{end}}');
    expect(template.defined).to.have.members(['main', 'a', 'b']);
    expect(template.lookup('a')?.execute(1)).to.equal('<1b>');
    expect(template.lookup('c')).to.equal(undefined);
  });

  it('TextTemplate.executeInto writes its output in chunks', () => {
    const pieces: string[] = [];
    const text = 'x'.repeat(1000);
    TextTemplate.parse('t', '{{range 100}}{{$.text}}{{end}}').executeInto(
      { write: (piece) => pieces.push(piece) },
      { text },
    );
    expect(pieces.join('')).to.equal('x'.repeat(100_000));
    expect(pieces.length).to.be.within(2, 10);
  });

  it('TextTemplate.executeInto writes the output that precedes an error', () => {
    const pieces: string[] = [];
    const writer = { write: (piece: string) => pieces.push(piece) };
    const template = TextTemplate.parse('t', 'before {{index .list 1}} after');
    expect(() => template.executeInto(writer, { list: [] })).to.throw('index out of range: 1');
    expect(pieces).to.deep.equal(['before ']);
  });

  it('TextTemplate.execute finds templates that are added during execution', () => {
    const added = new Map<string, TextTemplate>();
    const load = (): string => {
      const loaded = TextTemplate.parse('file', '{{define "greet"}}hey {{.}}{{template "local"}}{{end}}');
      for (const name of loaded.defined) added.set(name, loaded.lookup(name) ?? loaded);
      return '';
    };
    const template = TextTemplate.parse('t', '{{load}}{{template "greet" "Bo"}}{{define "local"}}.{{end}}', {
      functions: { load },
    });
    expect(template.execute(null, { templates: added })).to.equal('hey Bo.');
  });

  describe('template functions', () => {
    it('plain template functions receive plain values', () => {
      const seen: unknown[] = [];
      const note = (...values: unknown[]): string => {
        seen.push(...values);
        return '';
      };
      TextTemplate.parse('t', '{{note 1 1.0 "s" nil true (index "a" 0)}}', { functions: { note } }).execute(null);
      expect(seen).to.deep.equal([1, 1, 's', null, true, 97]);
    });

    it('declared template functions validate arguments as in Go', () => {
      const functions = { twice: declare([parameters.text, parameters.integer], (text, count) => text.repeat(count)) };
      const run = (text: string): string => TextTemplate.parse('t', text, { functions }).execute({});
      expect(run('{{twice "ab" 2}} {{2 | twice "x"}} {{twice "a" 3.0}}')).to.equal('abab xx aaa');
      expect(() => run('{{twice "a"}}')).to.throw('at <twice>: wrong number of args for twice: want 2 got 1');
      expect(() => run('{{twice "a" 1.5}}')).to.throw('at <1.5>: expected integer; found 1.5');
      expect(() => run('{{twice "a" (print 1)}}')).to.throw('wrong type for value; expected int; got string');
      expect(() => run('{{twice .x 1}}')).to.throw('invalid value; expected string');
    });

    it('TextTemplate.execute accepts function implementations for a single execution', () => {
      const template = TextTemplate.parse('t', '{{who}} {{ask "q"}}', {
        functions: { who: () => 'no one', ask: () => '' },
      });
      const functions = { who: () => 'me', ask: (question: string) => `${question}!` };
      expect(template.execute(null, { functions })).to.equal('me q!');
      expect(template.execute(null)).to.equal('no one ');
    });

    it('a template function can override a built-in function', () => {
      expect(TextTemplate.parse('t', '{{len "abc"}}', { functions: { len: () => 7 } }).execute(null)).to.equal('7');
    });

    it('a template function that returns a promise is rejected', () => {
      const template = TextTemplate.parse('t', '{{wait}}', { functions: { wait: async () => 1 } });
      expect(() => template.execute(null)).to.throw('error calling wait: the function returned a promise');
    });
  });

  describe('missing keys in templates', () => {
    const run = (text: string, missingKey: 'invalid' | 'zero' | 'error', data: unknown): string =>
      TextTemplate.parse('t', text, { missingKey }).execute(data);

    it('a missing key in a template yields no value, the zero value, or an error', () => {
      expect(run('{{.a}} {{.a.b}}', 'invalid', {})).to.equal('<no value> <no value>');
      expect(run('{{.a}}', 'zero', {})).to.equal('<no value>');
      expect(() => run('{{.a.b}}', 'zero', {})).to.throw('nil pointer evaluating interface {}.b');
      expect(() => run('{{.a}}', 'error', {})).to.throw('map has no entry for key "a"');
      expect(() => run('{{.a}}', 'error', null)).to.throw('nil data; no entry for key "a"');
    });
  });

  describe('template errors', () => {
    it('a template syntax error contains the template name and line', () => {
      const error = failure(() => TextTemplate.parse('page.html', 'one\ntwo {{if}}'));
      expect(error.message).to.equal('template: page.html:2: missing value for if');
      expect(error.code).to.equal('ERR_TEMPLATE_PARSE');
      expect(error.location).to.deep.equal({ template: 'page.html', line: 2, column: null });
    });

    it('a template execution error contains the line, and the column in bytes', () => {
      const template = TextTemplate.parse('page.html', 'é\né{{define "x"}}\n  {{len 3}}{{end}}{{template "x"}}');
      const error = failure(() => template.execute(null));
      expect(error.message).to.equal(
        'template: page.html:3:4: executing "x" at <len 3>: error calling len: len of type int',
      );
      expect(error.code).to.equal('ERR_TEMPLATE_EXECUTION');
      expect(error.location).to.deep.equal({ template: 'page.html', line: 3, column: 4 });
    });

    it('the cause of a template execution error is the error of the function', () => {
      class Refusal extends Error {
        readonly status = 418;
      }
      const refuse = (): never => {
        throw new Refusal('no');
      };
      const error = failure(() => TextTemplate.parse('t', '{{refuse}}', { functions: { refuse } }).execute(null));
      expect(error.message).to.equal('template: t:1:2: executing "t" at <refuse>: error calling refuse: no');
      expect(error.cause).to.be.instanceOf(Refusal);
    });

    it('an error in nested templates contains the whole chain of templates', () => {
      const inner = TextTemplate.parse('inner', '{{.x.y}}');
      const include = (): string => inner.execute({ x: null });
      const error = failure(() => TextTemplate.parse('outer', '{{include}}', { functions: { include } }).execute(null));
      expect(error.message).to.equal(
        'template: outer:1:2: executing "outer" at <include>: error calling include: ' +
          'template: inner:1:4: executing "inner" at <.x.y>: nil pointer evaluating interface {}.y',
      );
    });

    it('a template can run again after an error', () => {
      const template = TextTemplate.parse('t', '{{define "t2"}}{{index . 0}}{{end}}{{template "t2" .}}');
      const limits = new Budget({ depth: 2 });
      for (let i = 0; i < 5; i++) expect(() => template.execute([], { limits })).to.throw('index out of range');
      expect(template.execute([1], { limits })).to.equal('1');
    });
  });
});
