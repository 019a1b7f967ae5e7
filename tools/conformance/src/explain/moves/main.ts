/**
 * Compares the rerouted requests in dry-run reports with the actual effect of the change:
 *
 *   node --conditions=@sluice/source tools/conformance/src/explain/moves/main.ts [--changes 1000] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { compareMoves } from './compare.ts';

const { values } = parseArgs({
  options: { changes: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});

const { contradictions, ...counts } = await compareMoves(Number(values.seed), Number(values.changes));
console.log(`${JSON.stringify(counts)}, ${contradictions.length} contradictions`);
for (const contradiction of contradictions) console.log(JSON.stringify(contradiction, null, 1));
process.exitCode = contradictions.length > 0 ? 1 : 0;
