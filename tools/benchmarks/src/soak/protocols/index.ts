/**
 * Soak test of the OpenSSL bindings: one server each for HTTP/1.1 over TLS, HTTP/2 over TLS and HTTP/3, under a steady mix of requests.
 * All responses are verified. Memory, file descriptors and native objects must not grow.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { secureHost } from '../../tls/config.ts';
import { replacedHost } from './config.ts';
import type { Protocol, ProtocolPlan } from './plan.ts';
import type { ClientCounts } from './protocol-client.ts';
import { requireBindings, Served, type LiveObjects, type Sample } from './served.ts';
import { findGrowth, growthOf, type Growth } from './verdict.ts';

export interface ProtocolResult {
  readonly protocol: Protocol;
  readonly counts: ClientCounts;
  readonly changes: number;
  readonly replacements: number;
  readonly warnings: readonly string[];
  readonly samples: readonly Sample[];
  readonly growth: Growth;
  /** Native objects at the end of the load, and after all connections have ended. */
  readonly used: LiveObjects | null;
  readonly left: LiveObjects | null;
  /** Reasons why the test failed. */
  readonly problems: readonly string[];
}

export async function soakProtocols(
  name: string,
  command: readonly string[],
  plan: ProtocolPlan,
): Promise<ProtocolResult[]> {
  await requireBindings(command);
  const served: Served[] = [];
  try {
    for (const protocol of plan.protocols) served.push(await Served.start(protocol, name, command, plan));
    await runPlan(served, plan);
    return await resultsOf(served, plan);
  } finally {
    await Promise.all(served.map((one) => one.kill()));
  }
}

/** Changes the servers and takes samples, at the intervals of the plan. */
async function runPlan(served: readonly Served[], plan: ProtocolPlan): Promise<void> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  let samples = 0;
  let changes = 0;
  let replacements = 0;
  for (; seconds() < plan.minutes * 60; await sleep(200)) {
    if (seconds() > (changes + 1) * plan.changeSeconds) {
      changes++;
      for (const one of served) await one.changeRoute();
    }
    if (seconds() > (replacements + 1) * plan.certificateSeconds) {
      replacements++;
      for (const one of served) await one.replaceCertificate();
    }
    if (seconds() > (samples + 1) * plan.sampleSeconds) {
      samples++;
      for (const one of served) await report(one, seconds() / 60);
    }
  }
  for (const one of served) await report(one, seconds() / 60);
}

async function report(served: Served, minute: number): Promise<void> {
  const sample = served.sample(minute);
  const { failures } = await served.counts();
  console.error(JSON.stringify({ protocol: served.protocol, ...sample, failures }));
}

/** Counts native objects at the end of the load, and again after all connections have ended. */
async function resultsOf(served: readonly Served[], plan: ProtocolPlan): Promise<ProtocolResult[]> {
  // One heap snapshot at a time: a worker that doesn't respond for five seconds is terminated.
  const count = (one: Served): Promise<LiveObjects | null> | null => (plan.countsObjects ? one.liveObjects() : null);
  const used: (LiveObjects | null)[] = [];
  for (const one of served) used.push(await count(one));
  const counts = await Promise.all(served.map((one) => one.stopLoad()));
  // Sending a packet restarts the idle timeout (RFC 9000 §10.1), and lost packets are sent again.
  if (plan.countsObjects) await sleep(3 * plan.idleSeconds * 1000);
  const results: ProtocolResult[] = [];
  for (const [index, one] of served.entries()) {
    const left = await count(one);
    results.push(resultOf(one, plan, counts[index] as ClientCounts, { used: used[index] ?? null, left }));
  }
  return results;
}

function resultOf(
  served: Served,
  plan: ProtocolPlan,
  counts: ClientCounts,
  { used, left }: Pick<ProtocolResult, 'used' | 'left'>,
): ProtocolResult {
  const { protocol, changes, replacements, samples } = served;
  const growth = growthOf(samples, plan.settleMinutes);
  const problems = [...findGrowth(growth), ...problemsOfLoad(counts, replacements, plan)];
  const session = protocol === 'h3' ? 'QuicTls' : 'StreamSession';
  // With node:tls, there would be no such objects.
  if (used !== null && used[session] < plan.kept)
    problems.push(`connections do not use the OpenSSL bindings: there are ${used[session]} ${session} objects`);
  if (left !== null && left[session] > 0)
    problems.push(`${left[session]} ${session} objects are left after all connections have ended`);
  const warnings = served.warnings();
  const errors = warnings.filter((line) => line.includes('"level":"error"'));
  if (errors.length > 0) problems.push(`the server logged ${errors.length} errors: ${errors[0]}`);
  return { protocol, counts, changes, replacements, warnings, samples, growth, used, left, problems };
}

function problemsOfLoad(counts: ClientCounts, replacements: number, plan: ProtocolPlan): string[] {
  const problems = Object.entries(counts.failures).map(([reason, count]) => `${count} failed requests: ${reason}`);
  for (const [kind, rate] of Object.entries(plan.rates))
    if ((counts.succeeded[kind as keyof typeof plan.rates] ?? 0) < 0.8 * rate * plan.minutes * 60)
      problems.push(`too few requests: ${kind}`);
  if (counts.keptDials !== plan.kept)
    problems.push(`${counts.keptDials - plan.kept} persistent connections were closed`);
  if (counts.resumed < counts.notResumed) problems.push(`${counts.notResumed} handshakes did not resume a session`);
  // Clients request each host several times per second, so they can miss only the last certificate.
  if ((counts.certificates[replacedHost] ?? 0) < replacements)
    problems.push(`clients saw ${counts.certificates[replacedHost]} of ${replacements} replaced certificates`);
  const renewals = Math.floor((plan.minutes * 60) / plan.lifetimeSeconds);
  if ((counts.certificates[secureHost] ?? 0) < renewals + 1)
    problems.push(`clients saw ${counts.certificates[secureHost]} renewed certificates`);
  return problems;
}
