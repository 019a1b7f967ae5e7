/**
 * Compares request handling before and after a change. Runs for dry runs that request a comparison, and for changes that are declared as
 * refactorings.
 */
import { SluiceError, type Json } from '@sluice/base';
import { httpApp } from '@sluice/http-app';
import type { AppLookup, ExpectedBehavior, RehearsedChange, RunningServer } from '@sluice/registry';
import { loadExplain } from '../explain/load.ts';
import { loadBehavior } from './load.ts';
import type { BehaviorReport } from './types.ts';

/** Maximum duration of a comparison, in milliseconds. Other changes wait until the comparison ends. */
const maxDuration = 15_000;

/** Checks a dry run, and adds the comparison if the client requests it. */
export async function reportBehavior(
  server: RunningServer,
  { effective, apps, comparesBehavior, expected, report }: RehearsedChange,
): Promise<void> {
  if (expected !== null) await checkExpected(server, apps, effective, expected);
  if (!comparesBehavior) return;
  const behavior = await compareWith(server, apps, effective);
  report('behavior', behavior as unknown as Json, { method: 'POST', path: '/explain/plan' });
}

/** Throws `ERR_BEHAVIOR` with status 409 if a change affects request handling in a way that the client did not permit. */
export async function checkExpected(
  server: RunningServer,
  apps: AppLookup,
  after: Json,
  { exceptHosts }: ExpectedBehavior,
): Promise<void> {
  if (exceptHosts === null) return;
  const problem = problemOf(await compareWith(server, apps, after, exceptHosts));
  if (problem !== null) throw new SluiceError('ERR_BEHAVIOR', problem, { status: 409 });
}

async function compareWith(
  server: RunningServer,
  apps: AppLookup,
  after: Json,
  exceptHosts: readonly (readonly string[])[] = [],
): Promise<BehaviorReport> {
  const [now, then] = [server.app(httpApp), apps.app(httpApp)];
  const { affectedBy, compareBehavior, comparedRequests, emptyReport } = await loadBehavior();
  if (now === null || then === null) return emptyReport(now === then ? 'neither' : now === null ? 'added' : 'removed');
  const { Explainer } = await loadExplain();
  // Do not verify the routes that an index skips. Explanations of single requests verify them, but verification would be too slow for many
  // requests.
  const explainer = new Explainer(0, true);
  const { registry, effective: before } = server;
  const compared = {
    before: { app: now, document: before, registry, sources: null },
    after: { app: then, document: after, registry, sources: null, isProposed: true },
  };
  const requests = comparedRequests(
    server,
    now,
    { before, after },
    { isAffected: affectedBy(compared.before, compared.after), isExcepted: (host) => isExcepted(host, exceptHosts) },
  );
  try {
    return await compareBehavior(explainer, requests, compared, maxDuration);
  } finally {
    explainer.close();
  }
}

/** Reports whether each list contains a pattern that matches the host. */
function isExcepted(host: string, lists: readonly (readonly string[])[]): boolean {
  return lists.length > 0 && lists.every((patterns) => isOneOf(host, patterns));
}

function isOneOf(host: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const name = pattern.toLowerCase();
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
  });
}

/** Returns the reason why a change is not a refactoring. Returns `null` if all requests are handled in the same way. */
function problemOf({
  different,
  undecided,
  not_compared: left,
  groups,
  undecided_because,
}: BehaviorReport): string | null {
  const dryRun = 'see ?dry_run=behavior for details';
  const [group] = groups;
  if (group !== undefined)
    return `${different} requests would be handled differently, for example: ${group.summary}; ${dryRun}`;
  const [reason] = undecided_because;
  if (reason !== undefined)
    return `${undecided} requests could not be compared, for example ${reason.example.url}: ${reason.reason}; ${dryRun}`;
  return left > 0 ? `${left} requests were not compared because of the time limit` : null;
}
