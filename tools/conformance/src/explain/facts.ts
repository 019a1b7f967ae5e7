/** Compares facts of an explained request: status, header fields, body, upstream, and the request sent to the upstream. */
import type { Explanation } from '@sluice/http-analysis';
import type { WireResponse } from './client.ts';
import type { Received } from './world.ts';

type Outcome = Explanation['outcome'];

/** Observed outcome of a request. */
export interface Happened {
  readonly response: WireResponse;
  /** Requests that the upstreams received, in order. */
  readonly received: readonly Received[];
  /** Address of an upstream where nothing listens. */
  readonly dead: string;
}

/** Number of compared facts, and number of facts that the explanation reports as unknown. */
export interface Tally {
  known: number;
  unknown: number;
}

/** Counts compared facts and collects contradictions. */
export interface Comparing {
  readonly tally: Tally;
  tell(what: string, explained: unknown, happened: unknown): void;
}

/** Header fields that depend on the time or the connection. */
const ofMoment: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Replacement of secrets. */
const redacted = 'REDACTED';

/** Compares all facts. An unknown fact never counts as a contradiction. */
export function compareFacts(explanation: Explanation, happened: Happened, comparing: Comparing): void {
  const { outcome, paths, more_paths: more } = explanation;
  const { response } = happened;
  // If no upstream response is declared, the explanation ends at the first upstream.
  const received = happened.received.at(outcome.kind === 'outward' ? 0 : -1) ?? null;
  const { tally, tell: report } = comparing;
  if (outcome.kind === 'unknown') {
    tally.unknown += 3 + Object.keys(response.headers).length;
    if (!more && paths.length > 1 && !paths.some((path) => fits(path.outcome, happened)))
      report(
        'paths',
        paths.map((path) => [path.assumed, path.outcome]),
        happened,
      );
    return;
  }
  const check: Check = (what, explained, there) => {
    tally.known++;
    if (JSON.stringify(explained) !== JSON.stringify(there))
      report(what, { explained, outcome }, { there, response: shown(response), received });
  };
  // If an upstream is unreachable, the proxy tries another upstream or runs the error routes.
  const isDead = (received === null || outcome.kind === 'outward') && mayTake(outcome, happened.dead);
  if (!isDead) compareUpstream(outcome, received, { check, tally });
  if (outcome.kind === 'outward' || outcome.kind === 'opaque') return;
  check('cut', outcome.kind === 'abort', response.cut);
  if (outcome.kind !== 'abort' && !response.cut) compareResponse(outcome, response, { check, tally });
}

/** Reports whether the load balancing policy may select the given upstream. */
function mayTake({ upstream }: Outcome, address: string): boolean {
  return upstream?.candidates.some((each) => each.possible && each.address === address) === true;
}

type Check = (what: string, explained: unknown, happened: unknown) => void;

interface Checking {
  readonly check: Check;
  readonly tally: Tally;
}

function compareResponse(outcome: Outcome, response: WireResponse, { check, tally }: Checking): void {
  const { status, size, body } = outcome;
  if (status === 0) tally.unknown++;
  else check('status', status, response.status);
  compareFields('field', outcome.headers, response.headers, { check, tally });
  if (size === null) tally.unknown++;
  else {
    check('body', size > 0, response.body.length > 0);
    // Explanations do not include the size of larger bodies.
    if (size < 64 * 1024) check('size', size, response.body.length);
  }
  if (body === null || outcome.body !== body || response.body.length > 4096) return;
  const [reported, there] = [withoutErrorId(body), withoutErrorId(response.body.toString())];
  check('content', reported, there);
  // The response body contains the configuration path of the handler that wrote it.
  if (there.startsWith('apps.')) check('handler', outcome.handler, there);
}

function compareUpstream(outcome: Outcome, received: Received | null, { check, tally }: Checking): void {
  const { upstream, sends } = outcome;
  // The response of an earlier upstream may have been replaced by routes that do not use an upstream.
  if (upstream !== null && upstream.known === 'evaluated' && upstream.address === null) return;
  if (upstream === null || sends === null || received === null) {
    check('proxied', sends !== null, received !== null);
    return;
  }
  if (upstream.known === 'evaluated') check('upstream', upstream.address, received.upstream);
  else {
    tally.unknown++;
    const possible = upstream.candidates.filter((each) => each.possible).map(({ address }) => address);
    check('possible upstreams', true, possible.includes(received.upstream));
  }
  for (const key of ['method', 'uri', 'host'] as const) {
    const reported = sends[key] ?? null;
    if (reported === null) tally.unknown++;
    else if (!String(reported).includes(redacted)) check(`sent ${key}`, reported, received[key]);
  }
  compareFields('sent field', sends['headers'] as Outcome['headers'], received.headers, { check, tally });
}

function compareFields(
  what: string,
  reported: Outcome['headers'],
  there: Readonly<Record<string, readonly string[]>>,
  { check, tally }: Checking,
): void {
  for (const name of new Set([...Object.keys(reported), ...Object.keys(there)])) {
    if (ofMoment.has(name)) continue;
    const value = reported[name];
    if (value === null) tally.unknown++;
    else if (Array.isArray(value) && value.includes(redacted))
      check(`${what} ${name}`, value.length, there[name]?.length);
    else check(`${what} ${name}`, joined(value), joined(there[name]));
  }
}

/** Joins several field lines into one list (RFC 9110 §5.2), as HTTP/2 clients do. */
function joined(lines: unknown): unknown {
  return Array.isArray(lines) ? lines.join(', ') : (lines ?? null);
}

/** Reports whether the predicted outcome has the same kind and upstream as the observed outcome. */
function fits(outcome: Outcome, { response, received, dead }: Happened): boolean {
  const { kind, status, upstream } = outcome;
  const isSent = upstream !== null && upstream.address !== null && upstream.address !== dead;
  if (isSent && !received.some((each) => each.upstream === upstream.address)) return false;
  if (kind === 'abort') return response.cut;
  return kind === 'outward' || kind === 'unknown' || status === 0 || status === response.status;
}

/** Removes the random error ID from an error page. */
function withoutErrorId(body: string): string {
  return body.replace(/Error [a-z0-9]{9}</, 'Error <');
}

function shown({ status, headers, body, cut }: WireResponse): object {
  return { status, headers, cut, size: body.length, body: body.toString().slice(0, 300) };
}
