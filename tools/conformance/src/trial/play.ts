/** Runs generated cases of three kinds on two servers and reports differences. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { adapt, agree } from '../caddyfile/adapting.ts';
import { changedLines } from '../caddyfile/changed-lines.ts';
import { makeCaddyfile } from '../caddyfile/generator.ts';
import { Random } from '../differential/random.ts';
import { ask } from '../requests/response-lines.ts';
import { callAdmin, callPersistently, type AdminCall } from '../servers/call-admin.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { makeSequence } from './admin-sequences.ts';
import { makeConfiguration } from './configuration.ts';
import { isKnown } from './known-differences.ts';
import { makeRequest } from './requests.ts';

/** The two compared servers: Caddy and Sluice. */
export type Servers = readonly [theirs: ServerProcess, mine: ServerProcess];

/** Outcome of a case: `null` if both servers behaved identically, and otherwise a report of the difference. */
export type Outcome = string | null;

export type Kind = (seed: number, servers: Servers, other: number) => Promise<Outcome[]>;

const requestsPerConfiguration = 20;

/** A generated configuration with 20 requests, each counted as a case. A configuration that both servers reject counts as one case. */
export const requests: Kind = async (seed, servers) => {
  const [a, b] = await Promise.all(
    servers.map((server) => server.offer(makeConfiguration(new Random(seed), server.port))),
  );
  const configuration = JSON.stringify(makeConfiguration(new Random(seed), 0));
  if (a !== null || b !== null) {
    const same = a !== null && b !== null;
    return [
      same || isKnown({ kind: 'refusal', configuration, said: [a ?? null, b ?? null] })
        ? null
        : `refusal\n${configuration}\n  - ${a}\n  + ${b}`,
    ];
  }
  const outcomes: Outcome[] = [];
  for (let number = 0; number < requestsPerConfiguration; number++) {
    const request = makeRequest(new Random(seed * 1_000_003 + number));
    const [theirs = [], mine = []] = await Promise.all(servers.map((server) => ask(server.port, request)));
    const ported = [theirs, mine].map((lines, at) =>
      lines.map((line) => line.replaceAll(String(servers[at as 0 | 1].port), 'PORT')),
    );
    const same = isDeepStrictEqual(ported[0], ported[1]);
    const known = !same && isKnown({ kind: 'response', configuration, request, theirs, mine });
    outcomes.push(
      same || known
        ? null
        : `request ${number}: ${JSON.stringify(request)}\n${configuration}\n${theirs.map((line) => `  - ${line}`).join('\n')}\n${mine.map((line) => `  + ${line}`).join('\n')}`,
    );
  }
  return outcomes;
};

/** A generated sequence of admin API requests, counted as one case. The statuses, the values and the final document must be equal. */
export const adminSequence: Kind = async (seed, servers, other) => {
  const reported: string[] = [];
  // Both servers use the same ports, because the sequence runs on one server after the other.
  const results: (readonly string[])[] = [];
  let calls: AdminCall[] = [];
  for (const server of servers) {
    const ports = [server.port, other] as const;
    calls = makeSequence(new Random(seed), ports);
    const lines: string[] = [];
    for (const each of calls) {
      // If the configured server is `null`, Caddy aborts the response but keeps the configuration. Therefore, such a request is sent only
      // once, when the admin endpoint is open.
      const send = each.body === 'null' ? callAdmin : callPersistently;
      if (each.body === 'null') await sleep(100);
      const response = await send(server.admin, withAdmin(each, server.admin)).catch(() => null);
      if (response === null) {
        lines.push('no response');
        break;
      }
      const { status, body } = response;
      const value = status === 200 ? body.toString().replaceAll(String(server.port), 'PORT').trim() : '';
      lines.push(`${status} ${value}`);
    }
    await server.offer({});
    results.push(lines);
  }
  const [theirs = [], mine = []] = results;
  for (const [at, each] of calls.entries()) {
    if (theirs[at] === mine[at] || sameJson(theirs[at], mine[at])) continue;
    if (isKnown({ kind: 'admin', call: each, theirs: theirs[at] ?? '', mine: mine[at] ?? '' })) {
      // Stop, because the remaining requests depend on the failed request.
      break;
    }
    reported.push(`  ${at} - ${theirs[at]}\n  ${at} + ${mine[at]}`);
  }
  if (reported.length === 0) return [null];
  const list = calls.map(
    ({ method, path, body }, at) => `  ${at} ${method} ${path} ${String(body)} -> ${mine[at]?.slice(0, 3)}`,
  );
  return [`admin calls\n${list.join('\n')}\n${reported.join('\n')}`];
};

/** Runs a generated Caddyfile and versions of it with one changed line. Each version is a case. */
export const caddyfile: Kind = async (seed, [theirs, mine]) => {
  const random = new Random(seed);
  const whole = makeCaddyfile(random);
  const changed = [...changedLines(whole)];
  const files = [
    { change: 'as made', text: whole },
    ...Array.from({ length: changed.length === 0 ? 0 : 9 }, () => random.pick(changed)),
  ];
  const outcomes: Outcome[] = [];
  for (const { change, text } of files) {
    const [a, b] = await Promise.all([adapt(theirs.admin, text), adapt(mine.admin, text)]);
    const known = !agree(a, b) && isKnown({ kind: 'caddyfile', text, a, b });
    const report = `Caddyfile, ${change}: ${lineChanged(whole, text)}\n${text}\n  - ${JSON.stringify(a)}\n  + ${JSON.stringify(b)}`;
    outcomes.push(agree(a, b) || known ? null : report);
  }
  return outcomes;
};

/** Returns the first line of a file that differs from another file. */
function lineChanged(whole: string, text: string): string {
  const before = whole.split('\n');
  return text.split('\n').find((line, at) => line !== before[at]) ?? '';
}

/** Sets the server's admin address in the loaded document. */
function withAdmin(each: AdminCall, port: number): AdminCall {
  if (each.path !== '/load') return each;
  const document = { admin: { listen: `127.0.0.1:${port}` }, ...(JSON.parse(String(each.body)) as object) };
  return { ...each, body: JSON.stringify(document) };
}

function sameJson(a = '', b = ''): boolean {
  try {
    return a.slice(0, 3) === b.slice(0, 3) && isDeepStrictEqual(JSON.parse(a.slice(4)), JSON.parse(b.slice(4)));
  } catch {
    return false;
  }
}
