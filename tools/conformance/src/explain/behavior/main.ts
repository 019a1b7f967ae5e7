/**
 * Compares predicted behavior changes with a replay, for random pairs of configurations:
 *
 *   node --conditions=@sluice/source tools/conformance/src/explain/behavior/main.ts
 *     [--pairs 200] [--requests 500] [--seed 1] [--from 0]
 */
import { parseArgs } from 'node:util';
import { comparePredictions } from './compare.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '200' },
    requests: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
});

const { contradictions, reasons, ...counts } = await comparePredictions({
  seed: Number(values.seed),
  from: Number(values.from),
  pairs: Number(values.pairs),
  requests: Number(values.requests),
});
console.log(`${JSON.stringify(counts)}, ${contradictions.length} contradictions`);
for (const [reason, count] of reasons) console.log(`${count} undecided: ${reason}`);
for (const contradiction of contradictions) console.log(JSON.stringify(contradiction, null, 1));
process.exitCode = contradictions.length > 0 ? 1 : 0;
