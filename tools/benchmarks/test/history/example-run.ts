/** A small benchmark run for tests. */
import type { Run } from '../../src/history/run.ts';

const latency = { p50: 0.1, p99: 0.5, p999: 1, failed: 0, lateness: 0.01 };

/** Returns a benchmark run for a commit, with one workload. */
export function exampleRun(commit: string, date: string): Run {
  return {
    format: 1,
    date,
    commit,
    modified: false,
    machine: { processor: 'A processor', processors: 2, memoryGiB: 8, system: 'Linux 6.1', loadBefore: 0.1 },
    versions: { node: '26.10.0', caddy: '2.11.9' },
    rounds: 3,
    seconds: 1,
    scenarios: [
      {
        name: 'plain response',
        servers: {
          sluice: { rates: [300, 310, 290], costs: [2, 2.1, 1.9], instructions: [], latencies: [latency] },
          caddy: { rates: [100, 100, 100], costs: [6, 6, 6], instructions: [], latencies: [{ ...latency, p99: 1 }] },
        },
      },
    ],
    changes: [],
    underChanges: { rate: 50, servers: { sluice: { quiet: [0.5], changed: [0.8], failed: 0 } } },
  };
}
