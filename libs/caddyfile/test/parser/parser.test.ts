import { expect } from 'chai';
import { CaddyfileError, parseCaddyfile } from '@sluice/caddyfile';

const shapeOf = (text: string, environment = {}): unknown =>
  parseCaddyfile(text, 'F', environment).blocks.map(({ keys, segments }) => [
    keys.map((key) => key.text).join(' '),
    ...segments.map((segment) => segment.map((token) => token.text).join(' ')),
  ]);

describe('Caddyfile parser', () => {
  it('the Caddyfile parser returns blocks with keys and segments', () => {
    expect(shapeOf('{\n\tdebug\n}\na, b {\n\tx y {\n\t\tz\n\t}\n\tw\n}\n')).to.deep.equal([
      ['', 'debug'],
      ['a b', 'x y { z }', 'w'],
    ]);
    expect(shapeOf('a\nx\ny z\n')).to.deep.equal([['a', 'x', 'y z']]);
  });

  it('the Caddyfile parser expands imports', () => {
    const text =
      '(s) {\n\tx {args[0]} {args[1:]}\n\t{blocks.b}\n\thandle {\n\t\t{block}\n\t}\n}\na {\n\timport s 1 2 3 {\n\t\tb {\n\t\t\ty\n\t\t}\n\t}\n}\n';
    expect(shapeOf(text)).to.deep.equal([['a', 'x 1 2 3', 'y', 'handle { b { y } }']]);
  });

  it('the Caddyfile parser expands environment variables, or uses their defaults', () => {
    expect(shapeOf('{$A}:{$B:80} {\n\tx {$C:a b}\n}\n', { A: 'host', C: '' })).to.deep.equal([['host:80', 'x']]);
  });

  it('the Caddyfile parser reports the position of errors, even in imported files', () => {
    try {
      parseCaddyfile('(s) {\n\tx {\n}\n}\na {\n\timport s\n\tb { c\n}\n', 'F');
      expect.fail('accepted it');
    } catch (error) {
      expect(error).to.be.instanceOf(CaddyfileError);
      expect((error as CaddyfileError).message).to.contain("Unexpected next token after '{' on same line, at F:7");
      expect((error as CaddyfileError).position).to.include({ file: 'F', line: 7, column: 4 });
    }
  });
});
