import { randomFrom, simulate, type Behavior, type Simulated } from './simulated-rollout.ts';
const base: Behavior = { failing: 0.002, rejected: 0.03, latency: 20, tail: 0.02 };
const runs = Number(process.argv[2] ?? 200);
const table = (title: string, s: Simulated, n = runs) => {
  const random = randomFrom(1);
  const ends = Array.from({ length: n }, () => simulate(s, random));
  const stopped = ends.filter((e) => e.why !== null);
  const at1 = stopped.filter((e) => e.share === 0.01);
  const med = (xs: number[]) => xs.sort((a, b) => a - b)[Math.floor(xs.length / 2)];
  console.log(title.padEnd(50), `stopped ${stopped.length}/${n}, at 1 %: ${at1.length}, median s ${med(at1.map((e) => e.seconds))}, exposed ${med(stopped.map((e) => e.exposed))}`, stopped[0]?.why?.slice(0, 60) ?? '');
};
const t0 = performance.now();
for (const rate of [20, 100, 500]) table(`A/A ${rate}/s`, { rate, old: base, new: base }, rate > 200 ? Math.ceil(runs / 4) : runs);
table(`A/A 100/s no errors`, { rate: 100, old: { ...base, failing: 0, rejected: 0 }, new: { ...base, failing: 0, rejected: 0 } });
table(`A/A 100/s 1 ms`, { rate: 100, old: { ...base, latency: 1 }, new: { ...base, latency: 1 } });
table(`A/A 100/s 30 % 4xx`, { rate: 100, old: { ...base, rejected: .3, failing: .05 }, new: { ...base, rejected: .3, failing: .05 } });
table(`A/A bad client 1/s`, { rate: 100, old: base, new: base, badClient: 1 });
table(`A/A bad client 20/s`, { rate: 100, old: base, new: base, badClient: 20 });
const few = Math.ceil(runs / 5);
for (const rate of [100, 500]) {
  for (const failing of [1, .5, .1, .05, .02, .01]) table(`${rate}/s 5xx ${failing}`, { rate, old: base, new: { ...base, failing } }, few);
  table(`${rate}/s 4xx 1`, { rate, old: base, new: { ...base, rejected: .99 } }, few);
  table(`${rate}/s 4xx .2`, { rate, old: base, new: { ...base, rejected: .2 } }, few);
  for (const f of [2, 3, 5, 10]) table(`${rate}/s slower x${f}`, { rate, old: base, new: { ...base, latency: 20 * f } }, few);
  table(`${rate}/s tail 20 %`, { rate, old: base, new: { ...base, tail: 0.2 } }, few);
}
console.log(performance.now() - t0);
