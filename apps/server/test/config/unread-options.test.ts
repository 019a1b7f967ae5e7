/** Checks that the help mentions options that no code reads. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Registry, type ModuleDescriptor } from '@sluice/registry';
import { registerStandard } from '../../src/register-standard.ts';

/** Start of the help of an option without effect. */
const confession = 'Accepted, no effect';

const libs = fileURLToPath(new URL('../../../../libs/', import.meta.url));

/** A part of a schema. */
interface Part {
  readonly description?: string;
  readonly anyOf?: readonly Part[];
  readonly properties?: Readonly<Record<string, Part>>;
}

/** Yields the names and schemas of all options below a schema. */
function* optionsOf(part: unknown): Generator<readonly [name: string, option: Part]> {
  if (typeof part !== 'object' || part === null) return;
  const { properties } = part as Part;
  if (properties !== undefined) yield* Object.entries(properties);
  for (const inner of Object.values(part)) yield* optionsOf(inner);
}

/** Returns the help of an option that may be nullable. */
function helpOf({ description, anyOf = [] }: Part): string {
  return description ?? anyOf.map(helpOf).find((help) => help !== '') ?? '';
}

/** Returns the code below a directory without comments and strings of several words. */
function codeIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
    .replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*'/g, "''");
}

/** Returns the source directory of a module's package, which is named after a prefix of the id. */
function packageOf({ id }: ModuleDescriptor): string {
  for (let name = id; name.includes('.');) {
    name = name.slice(0, name.lastIndexOf('.'));
    const folder = join(libs, 'modules', name, 'src');
    if (existsSync(folder)) return folder;
  }
  return join(libs, `${id}-app`, 'src');
}

/** Reports whether a name occurs outside of its declaration `name: string('Help.')`. */
function isRead(name: string, code: string): boolean {
  return new RegExp(String.raw`(?<![\w$-])${name}(?![\w$-])(?!:\s*\w+\()`).test(code);
}

describe('options that no code reads', () => {
  it('help texts mention that an option is ignored @long', async () => {
    const registry = new Registry();
    registerStandard(registry);
    await registry.loadAll();
    const hosts = readdirSync(libs)
      .filter((name) => name !== 'modules')
      .map((name) => codeIn(join(libs, name, 'src')))
      .join('\n');
    const packages = new Map<string, string>();
    const silent: string[] = [];
    let seen = 0;
    for (const module of [...registry.list().map(({ descriptor }) => descriptor), ...registry.sections().values()]) {
      const folder = packageOf(module);
      const own = packages.get(folder) ?? codeIn(folder);
      packages.set(folder, own);
      const code = `${own}\n${hosts}`;
      for (const [name, option] of optionsOf(module.config)) {
        seen++;
        if (!isRead(name, code) && !helpOf(option).startsWith(confession)) silent.push(`${module.id}: ${name}`);
      }
    }
    expect(seen).to.be.above(300);
    expect(silent).to.deep.equal([]);
  });

  it('the check detects unread options', () => {
    const code =
      "options({ kept: string('Kept: see unread.'), unread: boolean('Read by nothing.') }); use(config.kept);";
    expect(isRead('kept', code)).to.equal(true);
    expect(isRead('unread', code.replace(/'[^']* [^']*'/g, "''"))).to.equal(false);
  });
});
