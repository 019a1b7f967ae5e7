import { runInThisContext } from 'node:vm';
import { expect } from 'chai';
import { withoutFacades } from '../src/node-builtins.ts';

/** Evaluates a file as it is included in the bundle. Returns the value of its last line. */
function evaluate(source: string): unknown {
  const lines = withoutFacades(source).trimEnd().split('\n');
  const last = (lines.at(-1) ?? '').replace(/;$/, '');
  return runInThisContext(`(() => { ${lines.slice(0, -1).join('\n')}\nreturn (${last}); })()`);
}

describe('packaging of Node module imports in the bundle', () => {
  it('withoutFacades replaces imports of built-in modules with process.getBuiltinModule, without changing line numbers', () => {
    const source =
      "import { join, resolve as absolute } from 'node:path';\nimport os from 'node:os';\n\njoin('a', 'b');";
    expect(withoutFacades(source)).to.equal(
      "const { join, resolve: absolute } = process.getBuiltinModule('node:path');\nconst os = process.getBuiltinModule('node:os');\n\njoin('a', 'b');",
    );
    const long = "import {\n  a,\n  b,\n} from 'node:fs';\nthrow new Error('line 5');";
    expect(
      withoutFacades(long)
        .split('\n')
        .findIndex((line) => line.startsWith('throw')),
    ).to.equal(4);
  });

  it('withoutFacades loads slow modules on first use', () => {
    const source =
      "import { createHash as hash } from 'node:crypto';\nconst of = (text) => hash('md5').update(text).digest('hex');";
    const code = withoutFacades(source);
    expect(code).to.not.match(/createHash.*=.*getBuiltinModule/);
    expect(code).to.contain("$crypto().createHash('md5')");
    expect(evaluate(`${source}\nof('')`)).to.equal('d41d8cd98f00b204e9800998ecf8427e');
  });

  for (const [what, use, value] of [
    ['a constructor', 'new Agent() instanceof Agent', true],
    ['a property of an object', "'Agent' in { Agent } && typeof { Agent }.Agent", 'function'],
    ['a member of another object', '({ Agent: 3 }).Agent', 3],
    ['an extended class', 'new (class extends Agent {})() instanceof Agent', true],
    ['a template string that contains the name', '`Agent ${typeof Agent}`', 'Agent function'],
  ] as const) {
    it(`withoutFacades preserves the meaning of ${what}`, () => {
      expect(evaluate(`import { Agent } from 'node:http';\n${use}`)).to.equal(value);
    });
  }

  it('withoutFacades rejects a name that an inner scope redeclares', () => {
    const source = "import { hash } from 'node:crypto';\nconst f = (hash) => hash;";
    expect(() => withoutFacades(source)).to.throw('hash is imported and redeclared in an inner scope');
  });

  it('withoutFacades also replaces dynamic imports of built-in modules', () => {
    expect(withoutFacades("const later = import('node:inspector/promises');")).to.equal(
      "const later = Promise.resolve(process.getBuiltinModule('node:inspector/promises'));",
    );
  });
});
