/** Measurements that the threads of a server write to files. See `probe.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Environment variable with the {@link ProbeSettings}, as JSON. */
export const probeVariable = 'SLUICE_SOAK_PROBE';

export interface ProbeSettings {
  readonly folder: string;
  readonly intervalSeconds: number;
}

/** Measurements of one thread. Sizes are in bytes. */
export interface ThreadReport {
  readonly time: number;
  /** Memory in use after garbage collection, on and off the heap. */
  readonly memory: number;
  /** Bytes that `malloc` has allocated for the whole process, including OpenSSL. 0 in all threads but the main thread. */
  readonly allocated: number;
}

/** Returns the environment variables that load the probe into a server. */
export function probeEnvironment(settings: ProbeSettings): string[] {
  const probe = fileURLToPath(new URL('probe.ts', import.meta.url));
  return [`NODE_OPTIONS=--expose-gc --import=${probe}`, `${probeVariable}=${JSON.stringify(settings)}`];
}

/** Returns the sums over all threads, or `null` before the first measurement. */
export function readReports(folder: string): Omit<ThreadReport, 'time'> | null {
  const files = readdirSync(folder).filter((name) => /^thread\.\d+$/.test(name));
  if (files.length === 0) return null;
  let memory = 0;
  let allocated = 0;
  for (const file of files) {
    const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as ThreadReport;
    memory += report.memory;
    allocated += report.allocated;
  }
  return { memory, allocated };
}
