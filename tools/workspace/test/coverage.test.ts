import { expect } from 'chai';
import { coverageOf } from '../coverage.mjs';

const text = `/** What it is for. */
interface Shape { readonly x: number }

export function f(x: number): string {
  // Why.
  if (x > 0) {
    return 'more';
  }
  return 'less';
}
`;

/** A run that reached all of the text but these parts, innermost last. */
function run(...missed: string[]) {
  const range = (part: string, count: number) => {
    const startOffset = text.indexOf(part);
    return { startOffset, endOffset: startOffset + part.length, count };
  };
  return { url: '', functions: [{ ranges: [range(text, 1)] }, { ranges: missed.map((part) => range(part, 0)) }] };
}

describe('workspace: coverage', () => {
  it('counts lines with code: no types, comments and brackets', () => {
    expect(coverageOf('a.ts', text, [run()])).to.deep.equal({ lines: 4, covered: 4 });
  });

  it('leaves out what no run has reached', () => {
    expect(coverageOf('a.ts', text, [run("{\n    return 'more';\n  }")])).to.deep.equal({ lines: 4, covered: 3 });
  });

  it('puts runs together', () => {
    const less = run("{\n    return 'more';\n  }");
    expect(coverageOf('a.ts', text, [less, run("return 'less';")])).to.deep.equal({ lines: 4, covered: 4 });
  });

  it('is nothing of a file that was not loaded', () => {
    expect(coverageOf('a.ts', text, [])).to.deep.equal({ lines: 4, covered: 0 });
  });
});
