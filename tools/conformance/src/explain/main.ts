/**
 * Compares `POST /explain` with actual responses, over generated configurations and requests:
 *   node --conditions=@sluice/source tools/conformance/src/explain/main.ts [--requests 100000] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { compareExplanations } from './compare.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});

const each = Math.ceil(Number(values.requests) / 4);
const plans = [
  { hosts: 1, configurations: Math.ceil(each / 100), requests: 100 },
  { hosts: 99, configurations: Math.ceil(each / 500), requests: 500 },
  { hosts: 101, configurations: Math.ceil(each / 500), requests: 500 },
  { hosts: 10_000, configurations: Math.ceil(each / 5000), requests: 5000 },
];
let failed = false;
for (const plan of plans) {
  const { requests, unknown, facts, proxied, traced, contradictions, handlers, kinds, times } =
    await compareExplanations({
      ...plan,
      seed: Number(values.seed),
    });
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2);
  console.log(
    `${plan.hosts} hosts: ${requests} requests to ${plan.configurations} configurations, ${contradictions.length} contradictions, ` +
      `${((100 * unknown) / requests).toFixed(2)} % unknown; ${proxied} proxied; ` +
      `${facts.known} facts compared, ${((100 * facts.unknown) / (facts.known + facts.unknown)).toFixed(2)} % unknown; ` +
      `${traced} traces compared; ms: median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}; ` +
      `by ${handlers.size} handlers; ` +
      [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', '),
  );
  for (const contradiction of contradictions) console.log(JSON.stringify(contradiction, null, 1));
  failed ||= contradictions.length > 0 || facts.unknown > (facts.known + facts.unknown) / 20;
}
process.exitCode = failed ? 1 : 0;
