import { expect } from 'chai';
import { int64, TextTemplate } from '../../src/index.ts';

describe('template range action', () => {
  const cases: [string, unknown, string, string][] = [
    ['a list', ['a', 'b'], '{{range .}}{{.}}{{end}}', 'ab'],
    ['a list with its indexes', ['a', 'b'], '{{range $i, $e := .}}{{$i}}{{$e}}{{end}}', '0a1b'],
    ['bytes', Uint8Array.of(1, 255), '{{range .}}{{.}},{{end}}', '1,255,'],
    ['a map in key order', { b: 1, a: 2, é: 3, B: 4 }, '{{range $k, $v := .}}{{$k}}{{$v}}{{end}}', 'B4a2b1é3'],
    [
      'integer keys in numeric order',
      new Map([
        [10, 'x'],
        [9, 'y'],
        [-1, 'z'],
      ]),
      '{{range $k, $v := .}}{{$k}}{{$v}} {{end}}',
      '-1z 9y 10x ',
    ],
    ['keys beyond the Basic Multilingual Plane', { '😀': 1, '\uffee': 2 }, '{{range $k, $v := .}}{{$v}}{{end}}', '21'],
    ['an int', 3, '{{range .}}{{.}}{{end}}', '012'],
    ['an int64', int64(2), '{{range .}}{{printf "%T" .}}{{end}}', 'int64int64'],
    ['nil', null, '{{range .}}x{{else}}none{{end}}', 'none'],
    ['an empty list', [], '{{range .}}x{{else}}none{{end}}', 'none'],
  ];
  for (const [name, data, text, expected] of cases) {
    it(`the range action iterates over ${name}`, () =>
      expect(TextTemplate.parse('t', text).execute(data)).to.equal(expected));
  }

  it('the range action uses the initial length of a list', () => {
    const list = [1, 2];
    const grow = (): string => {
      list.push(0);
      return '';
    };
    expect(TextTemplate.parse('t', '{{range .}}{{.}}{{grow}}{{end}}', { functions: { grow } }).execute(list)).to.equal(
      '12',
    );
  });

  it('the range action rejects values that cannot be iterated', () => {
    for (const data of ['text', 1.5, true, new Date()]) {
      expect(() => TextTemplate.parse('t', '{{range .}}{{end}}').execute(data)).to.throw("range can't iterate over");
    }
  });
});
