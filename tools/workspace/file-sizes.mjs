/**
 * Keeps source files short. A file with more than 300 lines needs a reason in this file. Half of all files must have at most 60 lines, and
 * nine out of ten at most 160. To shorten a file, split it by responsibility instead of in the middle. For example, split a class that has
 * two responsibilities. `npm test` runs this check.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeFiles } from './imports.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

const limits = { lines: 300, long: 24, median: 60, p90: 160 };

/** Files that may exceed the limit, with the reason. @type {Readonly<Record<string, string>>} */
const reasons = {
  'libs/http-analysis/src/explain/admin-operations.ts': 'the schemas of one operation, which refer to each other',
  'libs/http-app/src/exchange/exchange.ts': 'the contract of one request, as handlers see it',
  'libs/http-app/src/server/provision.ts': 'the parts of a server, in the order in which they need each other',
  'libs/http-app/src/server/server.ts': 'one request from its first route to its log entry',
  'libs/native/src/openssl/quic-tls.ts': 'a session and the table of callbacks that OpenSSL calls it by',
  'libs/quic/src/connection/connection.ts':
    'one state machine: packets, handshake, paths and endings change the same state; sending, recovery, IDs and streams are separate classes',
  'libs/quic/src/connection/sender.ts': 'one packet, filled with all kinds of frames in a significant order',
  'libs/quic/src/connection/stream-set.ts': 'limits, flow control and scheduling of the same streams',
  'libs/quic/src/endpoint/endpoint.ts':
    'one datagram, from the socket to its connection or to a connectionless response',
  'libs/quic/src/streams/stream.ts': 'one stream: the states of both sides determine when it ends',
  'tools/testing/src/quic/simulation.ts': 'one simulated network, with its clock and its two ends',
  'apps/server/src/control.ts': 'the assembly of the control thread, in order',
  'libs/http-app/src/engine/http2/connection.ts':
    'one connection: its deadlines and its graceful end depend on each other',
  'libs/http2/src/server-connection.ts': 'one connection: each frame may end streams or the connection',
  'libs/modules/http.handlers/src/rate_limit/sliding-windows.ts': 'one data structure in shared memory',
  'libs/native/src/sockets/udp-socket.ts': 'one socket: its memory layout, reading and writing',
  'libs/modules/sluice.providers/src/kubernetes/ingress/annotations/table.ts': 'one table, with a row per annotation',
  'libs/reconciler/src/changes/reconciler.ts': 'one change from its edit to the swap, with the state that it replaces',
  'libs/http-app/src/engine/http1/response.ts':
    'one state machine: every way to write a body depends on how its head was framed',
  'libs/http-app/src/engine/http1/connection.ts':
    'one state machine: each phase hands over to others, and two objects instead of one would cost each request',
  'libs/modules/http.handlers/src/reverse_proxy/forward.ts':
    'one proxied exchange: every transport callback changes the same state; its request, tries and response are separate classes',
  'libs/threads/src/traffic-pool.ts':
    'one supervisor: participation in a change, replacement and termination of threads depend on each other',
  'libs/modules/http.reverse_proxy/src/transport/http/http1-connection.ts':
    "one state machine, like the server's; framing, deadlines, sending and buffers are separate classes",
};

/**
 * Returns a message for each file that is too long, and for each outdated reason.
 * @param {ReadonlyMap<string, number>} sizes lines by file @param {Readonly<Record<string, string>>} excuses
 * @returns {string[]}
 */
export function checkSizes(sizes, excuses = reasons) {
  const problems = [];
  for (const [file, lines] of sizes)
    if (lines > limits.lines && !Object.hasOwn(excuses, file))
      problems.push(`${file} has ${lines} lines: split it by responsibility, or add a reason to file-sizes.mjs`);
  for (const file of Object.keys(excuses))
    if ((sizes.get(file) ?? 0) <= limits.lines) problems.push(`${file} no longer needs a reason in file-sizes.mjs`);
  if (Object.keys(excuses).length > limits.long)
    problems.push(`more than ${limits.long} files have a reason for their length`);
  const sorted = [...sizes.values()].sort((a, b) => a - b);
  for (const [what, share, limit] of /** @type {const} */ ([
    ['half', 0.5, limits.median],
    ['nine of ten', 0.9, limits.p90],
  ])) {
    const lines = sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    if (lines > limit) problems.push(`${what} of the files should have at most ${limit} lines; it is ${lines}`);
  }
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { folder } of readPackages())
    for (const file of codeFiles(folder)) {
      const path = relative(workspaceRoot, file).replaceAll('\\', '/');
      if (/\/src\/.*\.tsx?$/.test(path)) sizes.set(path, readFileSync(file, 'utf8').split('\n').length - 1);
    }
  const problems = checkSizes(sizes);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
