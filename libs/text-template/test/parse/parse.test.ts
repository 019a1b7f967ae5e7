import { expect } from 'chai';
import fc from 'fast-check';
import { isTemplateError, sprig, TextTemplate } from '../../src/index.ts';

function errorOf(text: string): string {
  try {
    TextTemplate.parse('p', text, { functions: sprig });
  } catch (error) {
    if (isTemplateError(error)) return error.message;
    throw error;
  }
  return 'none';
}

describe('template parser', () => {
  const cases: [string, string][] = [
    ['a\n\n{{if 1}}\n{{ \n\n', 'template: p:6: unclosed action started at p:4'],
    ['a\n\n{{if 1}}\n{{ \n"a\n', 'template: p:5: unterminated quoted string in action started at p:4'],
    ['\n{{(1 \n }}', 'template: p:3: unclosed left paren in action started at p:2'],
    ['a\né{{/* \n  ', 'template: p:2: unclosed comment'],
    ['{{print\n\n\n | 1 }}', 'template: p:4: non executable command in pipeline stage 2'],
    ['é\n{{1}}\n{{nope\n}}', 'template: p:3: function "nope" not defined'],
    ['{{1 \n # }}', 'template: p:2: unexpected "#" in operand'],
    ['{{range $x, := 1}}{{end}}', 'template: p:1: range can only initialize variables'],
    ['\n\n{{end}}', 'template: p:3: unexpected {{end}}'],
  ];
  for (const [text, message] of cases) {
    it(`a syntax error in the template ${JSON.stringify(text)} contains the line`, () =>
      expect(errorOf(text)).to.equal(message));
  }

  it('the template parser limits the nesting of blocks and parentheses', () => {
    expect(errorOf('{{if 1}}'.repeat(200) + '{{end}}'.repeat(200))).to.equal('none');
    expect(errorOf('{{if 1}}'.repeat(10_000))).to.include('blocks are nested deeper than 250');
    expect(errorOf(`{{if 0}}${'{{else if 0}}'.repeat(10_000)}{{end}}`)).to.include('blocks are nested deeper than 250');
    expect(errorOf(`{{${'('.repeat(10_000)}`)).to.include('parentheses are nested deeper than 250');
  });

  it('trim markers in templates remove whitespace across lines', () => {
    const text = 'a \n\t {{- 1 -}} \r\n b {{- /* c */ -}}\n c\n{{2 -}}\n';
    expect(TextTemplate.parse('p', text).execute(null)).to.equal('a1bc\n2');
  });

  it('the template parser throws only TemplateError for any text @long', () => {
    const fragments = fc.constantFrom(
      ...['{{', '}}', '{{-', '-}}', ' ', '\n', '/*', '*/', '(', ')', '|', ':=', '=', ',', '.', '$', '$x', '.a', 'nil'],
      ...[
        '"',
        "'",
        '`',
        '\\',
        '1',
        '0x',
        '1e',
        '-',
        '+',
        'true',
        'if',
        'else',
        'end',
        'range',
        'with',
        'define',
        'block',
      ],
      ...['template', 'break', 'continue', 'print', 'upper', '"a"', 'é', '😀', '\ud800', '\udc80', '\0', '#'],
    );
    const text = fc.array(fc.oneof(fragments, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 30 });
    fc.assert(
      fc.property(text, (parts) => {
        try {
          TextTemplate.parse('p', parts.join(''), { functions: sprig }).execute({ a: 1 }, { limits: { steps: 1000 } });
        } catch (error) {
          if (!isTemplateError(error)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('the template parser returns text without actions unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(TextTemplate.parse('p', text).execute(null)).to.equal(text);
      }),
    );
  });
});
