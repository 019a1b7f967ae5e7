/** Process metrics with Prometheus's conventional names. On systems without `/proc`, only the metrics that Node provides are available. */
import { readdirSync, readFileSync } from 'node:fs';
import { declareCounter, declareGauge, type FamilyDescription } from './declare.ts';
import type { Metrics } from './families.ts';

export const processMetrics = {
  version: declareGauge('nodejs_version_info', 'Node.js version.', ['version']),
  started: declareGauge('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.'),
  processor: declareCounter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.'),
  resident: declareGauge('process_resident_memory_bytes', 'Resident memory size in bytes.'),
  virtual: declareGauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.'),
  maxVirtual: declareGauge('process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.'),
  files: declareGauge('process_open_fds', 'Number of open file descriptors.'),
  maxFiles: declareGauge('process_max_fds', 'Maximum number of open file descriptors.'),
  received: declareCounter(
    'process_network_receive_bytes_total',
    'Number of bytes received by the process over the network.',
  ),
  sent: declareCounter('process_network_transmit_bytes_total', 'Number of bytes sent by the process over the network.'),
};

/** Registers a collector for process metrics. Called only in the control thread. */
export function collectProcess(metrics: Metrics): void {
  const set = (family: FamilyDescription, value: number | null): void => {
    if (value !== null) metrics.family(family).with().set(value);
  };
  const of = processMetrics;
  metrics.family(of.version).with(process.version).set(1);
  set(of.started, Date.now() / 1000 - process.uptime());
  metrics.onCollect(() => {
    const { user, system } = process.cpuUsage();
    set(of.processor, (user + system) / 1e6);
    set(of.resident, process.memoryUsage.rss());
    set(of.virtual, virtualMemory());
    const limits = read('limits');
    set(of.maxVirtual, limitOf(limits, 'Max address space'));
    set(of.files, openFiles());
    set(of.maxFiles, limitOf(limits, 'Max open files'));
    const traffic = networkBytes(read('net/dev'));
    set(of.received, traffic?.received ?? null);
    set(of.sent, traffic?.sent ?? null);
  });
}

function read(name: string): string | null {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1');
  } catch {
    return null;
  }
}

/** Returns the virtual memory size from field 23 of `/proc/self/stat`. Field 2 is a name in parentheses that can contain any character. */
function virtualMemory(): number | null {
  const stat = read('stat');
  return stat === null ? null : numberOf(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[20]);
}

function openFiles(): number | null {
  try {
    // Exclude one entry: the descriptor of the directory that is being read.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}

/** Parses a soft limit from `/proc/self/limits`. If the resource is unlimited, returns the kernel's maximum. */
function limitOf(limits: string | null, name: string): number | null {
  const line = limits?.split('\n').find((each) => each.startsWith(name));
  const soft = line?.slice(name.length).trim().split(/\s+/)[0];
  return soft === 'unlimited' ? 2 ** 64 : numberOf(soft);
}

/**
 * Returns the totals over all interfaces in `/proc/self/net/dev`. In each line, the first number is the received bytes, and the ninth
 * number is the sent bytes.
 */
function networkBytes(table: string | null): { received: number; sent: number } | null {
  if (table === null) return null;
  let received = 0;
  let sent = 0;
  for (const line of table.split('\n').slice(2)) {
    const numbers = line
      .slice(line.indexOf(':') + 1)
      .trim()
      .split(/\s+/);
    received += numberOf(numbers[0]) ?? 0;
    sent += numberOf(numbers[8]) ?? 0;
  }
  return { received, sent };
}

function numberOf(text: string | undefined): number | null {
  const value = Number(text === undefined || text === '' ? Number.NaN : text);
  return Number.isNaN(value) ? null : value;
}
