import { expect } from 'chai';
import { Registry } from '@sluice/registry';
import { registers } from './support/registers.ts';
import { editorOf, type TestEditor } from './support/test-editor.ts';

describe('serveEditor', () => {
  let editor: TestEditor;
  let loaded = 0;
  let goOn = (): void => undefined;
  let loads = Promise.resolve();

  beforeEach(async () => {
    loaded = 0;
    const mayLoad = new Promise<void>((resolve) => (goOn = resolve));
    let begun = (): void => undefined;
    loads = new Promise<void>((resolve) => (begun = resolve));
    editor = await editorOf(async () => {
      loaded++;
      begun();
      await mayLoad;
      const registry = new Registry();
      for (const register of registers) registry.use(register);
      return { registry, environment: {}, rehearse: () => Promise.resolve([]) };
    });
  });
  afterEach(() => editor.close());

  it('serveEditor reports its capabilities before it loads anything', () => {
    expect(editor.capabilities).to.have.property('hoverProvider', true);
    expect(loaded).to.equal(0);
  });

  it('serveEditor loads modules once, with the first document, and preserves message order', async () => {
    const uri = 'file:///tmp/Caddyfile';
    await editor.open(uri, ':80 {\n\trespnd hello\n}\n');
    const range = { start: { line: 1, character: 1 }, end: { line: 1, character: 7 } };
    await editor.change(uri, { range, text: 'respond' });
    const hover = editor.ask<{ readonly contents: unknown }>('hover', uri, { position: range.start });
    goOn();
    expect(JSON.stringify(await hover)).to.contain('respond');
    expect(await editor.problems(uri, ({ length }) => length === 0)).to.deep.equal([]);
    expect(loaded).to.equal(1);
  });

  it('serveEditor exits if the editor exits during loading', async () => {
    await editor.open('file:///tmp/Caddyfile', ':80\n');
    await loads;
    await editor.close();
    goOn();
  });
});
