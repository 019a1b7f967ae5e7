import { expect } from 'chai';
import { sourceFrame } from '../src/source-frame.ts';
import { Sandbox } from './support/sandbox.ts';

describe('sourceFrame', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  const errorAt = (position: object): Error => Object.assign(new Error('wrong'), { position });

  it('sourceFrame marks the error with a caret, and shows the imports', async () => {
    const file = await sandbox.write('Caddyfile', ':80 {\n\trespodn hi\n}\n');
    const imports = [{ file: 'Caddyfile', line: 9, snippet: 'greet' }];
    expect(sourceFrame(errorAt({ file, line: 2, column: 2, text: 'respodn', imports }))).to.equal(
      '  2 | \trespodn hi\n    | \t^^^^^^^\n  imported as greet in Caddyfile:9\n',
    );
  });

  it('sourceFrame returns an empty string if there is no location', () => {
    expect(sourceFrame(errorAt({ file: sandbox.path('none'), line: 1, column: 1 }))).to.equal('');
    expect(sourceFrame(new Error('wrong'))).to.equal('');
  });
});
