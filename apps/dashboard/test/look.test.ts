import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const workspace = new URL('../../../', import.meta.url);

/** Returns the CSS custom properties of the first block (light scheme) and of the last block (dark scheme). */
function valuesIn(file: string): ReadonlyMap<string, string>[] {
  const text = readFileSync(fileURLToPath(new URL(file, workspace)), 'utf8');
  const blocks = [...text.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) => block);
  return blocks
    .slice(0, 2)
    .map(
      (block) =>
        new Map(
          [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
        ),
    );
}

describe('dashboard colors', () => {
  it('the dashboard uses the colors of the welcome page', () => {
    const own = valuesIn('apps/dashboard/src/page/styles/tokens.css');
    const welcome = valuesIn('apps/server/config/welcome/index.html');
    expect(welcome.length).to.equal(2);
    for (const [index, colors] of welcome.entries())
      for (const [name, value] of colors) expect([name, own[index]?.get(name)]).to.deep.equal([name, value]);
  });

  it('the colors of the dashboard have a contrast ratio of at least 4.5:1 for text and 3:1 for controls', () => {
    for (const colors of valuesIn('apps/dashboard/src/page/styles/tokens.css')) {
      const contrast = (a: string, b: string): number => ratio(colors.get(a) ?? '', colors.get(b) ?? '');
      for (const ground of ['paper', 'card'])
        for (const text of ['ink', 'soft', 'water', 'ok', 'warn', 'bad', 'key', 'text', 'value'])
          expect([text, ground, contrast(text, ground) >= 4.5]).to.deep.equal([text, ground, true]);
      expect(contrast('on-water', 'water')).to.be.at.least(4.5);
      expect(contrast('outline', 'card')).to.be.at.least(3);
    }
  });
});

/** Returns the contrast ratio of two colors (WCAG 2.2 §1.4.3). */
function ratio(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
