import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { workspaceRoot } from '../packages.mjs';

const read = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8');

describe('guide docs/guide/modules.md', () => {
  it('the table in docs/guide/modules.md lists each member of Context', () => {
    const source = /export interface Context<[^]*?\n}\n/.exec(read('libs/registry/src/modules/context.ts'))?.[0] ?? '';
    const members = [...source.matchAll(/^ {2}(?:readonly )?(\w+)[(:<]/gm)].map(([, name = '']) => name);
    expect(members).to.include.members(['log', 'app', 'onDispose']);
    const table = /\| Context [^]*?\n\n/.exec(read('docs/guide/modules.md'))?.[0] ?? '';
    const listed = new Set([...table.matchAll(/`(?:context\.)?(\w+)/g)].map(([, name]) => name));
    expect(members.filter((name) => !listed.has(name))).to.deep.equal([]);
  });
});
