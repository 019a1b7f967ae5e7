/** Writes `docs/guide/grafana/sluice.json`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '../workspace.ts';
import { dashboard } from './dashboard.ts';

const file = join(workspaceRoot, 'docs/guide/grafana/sluice.json');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(dashboard, null, 2)}\n`);
console.log(`written: ${file}`);
