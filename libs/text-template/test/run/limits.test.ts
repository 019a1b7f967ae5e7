import { expect } from 'chai';
import { Budget, isTemplateError, sprig, TextTemplate, type Limits } from '../../src/index.ts';

function failure(text: string, limits?: Limits | Budget): { code: string; message: string } {
  try {
    TextTemplate.parse('t', text, { functions: sprig }).execute(null, limits === undefined ? {} : { limits });
  } catch (error) {
    if (isTemplateError(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('execution limits of templates', () => {
  const cases: [string, string, Limits, string][] = [
    ['an empty loop', '{{range 100000000000}}{{end}}', { steps: 1000 }, 'exceeded the limit of 1000 steps'],
    [
      'too many function calls',
      '{{range 10}}{{print (print (print 1))}}{{end}}',
      { steps: 30 },
      'exceeded the limit of 30 steps',
    ],
    [
      'too much output',
      '{{range 1000000}}abcdefghij{{end}}',
      { output: 5000 },
      'exceeded the limit of 5000 characters of output',
    ],
    [
      'infinite recursion',
      '{{define "r"}}{{template "r"}}{{end}}{{template "r"}}',
      { depth: 20 },
      'exceeded maximum template depth (20)',
    ],
    [
      'a slow loop',
      '{{range 100000000000}}{{$x := sha256sum (repeat 1000 "a")}}{{end}}',
      { time: 20 },
      'exceeded the limit of 20 ms',
    ],
  ];
  for (const [name, text, limits, message] of cases) {
    it(`the execution limits of templates stop ${name}`, () => {
      const error = failure(text, limits);
      expect(error.code).to.equal('ERR_TEMPLATE_LIMIT');
      expect(error.message).to.include(message);
    });
  }

  // Attack in docs/security.md: Templates that recurse, loop, or produce large output.
  it('the execution limits of templates stop recursion before a stack overflow, at any block depth', () => {
    const blocks = '{{if 1}}{{with 1}}{{range 1}}';
    const text = `{{define "r"}}${blocks.repeat(5)}{{template "r"}}${'{{end}}'.repeat(15)}{{end}}{{template "r"}}`;
    const error = failure(text, { depth: 1_000_000 });
    expect(error.code).to.equal('ERR_TEMPLATE_LIMIT');
    expect(error.message).to.include('templates are nested too deep');
  });

  it('a shared budget applies to all template executions together', () => {
    const budget = new Budget({ steps: 100 });
    const template = TextTemplate.parse('t', '{{range 30}}{{end}}');
    for (let i = 0; i < 3; i++) template.execute(null, { limits: budget });
    expect(() => template.execute(null, { limits: budget })).to.throw('exceeded the limit of 100 steps');
  });

  it('templates can be nested a thousand levels deep by default', () => {
    const text = '{{define "r"}}{{if gt . 0}}{{template "r" (int (sub . 1))}}{{end}}{{end}}{{template "r" 990}}done';
    expect(TextTemplate.parse('t', text, { functions: sprig }).execute(null)).to.equal('done');
  });

  const large: [string, string][] = [
    ['until', '{{until 1000000000}}'],
    ['untilStep', '{{untilStep 0 1000000000 1}}'],
    ['seq', '{{seq 1 1 100000000}}'],
    ['repeat', '{{repeat 1000000000 "a"}}'],
    ['indent', '{{indent 1000000000 "a"}}'],
    ['replace', '{{replace "" (repeat 10000 "b") (repeat 100000 "a")}}'],
    ['regexReplaceAll', '{{regexReplaceAll "" (repeat 10000 "a") (repeat 10000 "b")}}'],
    ['randAlpha', '{{randAlpha 1000000000}}'],
    ['repeated doubling with print', '{{$x := "a"}}{{range 40}}{{$x = print $x $x}}{{end}}'],
    ['repeated doubling with concat', '{{$l := list 1}}{{range 40}}{{$l = concat $l $l}}{{end}}'],
    ['deepCopy of shared lists', '{{$l := list 1}}{{range 40}}{{$l = list $l $l}}{{end}}{{$x := deepCopy $l}}'],
  ];
  for (const [name, text] of large) {
    it(`the execution limits of templates reject oversized results: ${name}`, () => {
      expect(failure(text).code).to.equal('ERR_TEMPLATE_LIMIT');
    }).timeout(20_000);
  }

  it('template functions support structures that contain themselves', () => {
    const loop = '{{$d := dict}}{{$_ := set $d "d" $d}}';
    expect(failure(`${loop}{{deepCopy $d}}`).message).to.include('nested too deep');
    expect(failure(`${loop}{{mustToJson $d}}`).message).to.include('cycle');
    expect(TextTemplate.parse('t', `${loop}{{len (print $d)}}`, { functions: sprig }).execute(null)).to.match(/^\d+$/);
  });

  it('regular expressions in templates run in limited time on adversarial text', () => {
    const text =
      '{{regexMatch "(a+)+$" (print (repeat 20000 "a") "b")}} {{trim (print "a" (repeat 100000 " ") "b") | len}}';
    expect(TextTemplate.parse('t', text, { functions: sprig }).execute(null)).to.equal('false 100002');
  });
});
