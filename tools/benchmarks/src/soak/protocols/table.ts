/** Prints the results of the soak test of all protocols. */
import type { ProtocolResult } from './index.ts';

/** Minutes whose samples are in the table. */
const minutes = [5, 20, 40, 60];

/** Returns a Markdown table of memory and descriptors over time, followed by the problems of each protocol. */
export function tableOf(results: readonly ProtocolResult[]): string {
  const rows = [
    `| protocol | minute | collected (MiB) | malloc (MiB) | resident (MiB) | descriptors |`,
    `| --- | --- | --- | --- | --- | --- |`,
  ];
  for (const { protocol, samples } of results)
    for (const wanted of minutes) {
      const sample = samples.toSorted((a, b) => Math.abs(a.minute - wanted) - Math.abs(b.minute - wanted))[0];
      if (sample === undefined || Math.abs(sample.minute - wanted) > 1) continue;
      rows.push(
        `| ${protocol} | ${wanted} | ${mib(sample.collected)} | ${mib(sample.allocated)} | ${mib(sample.resident)} | ${sample.descriptors} |`,
      );
    }
  for (const { protocol, growth, used, left, problems } of results) {
    rows.push(
      `${protocol}: ${problems.length === 0 ? 'passed' : problems.join('; ')}. Growth: ${JSON.stringify({ growth, used, left })}`,
    );
  }
  return rows.join('\n');
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
