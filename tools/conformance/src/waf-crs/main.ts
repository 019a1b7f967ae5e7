/**
 * Runs the regression tests of the OWASP Core Rule Set through `http.handlers.waf`. Go builds the WAF engine and downloads the tests.
 *   npm run waf-crs [-- --only RULE] [--write]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ours } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { startBackend } from './backend.ts';
import { pageOf, type Failure } from './page.ts';
import { bytesOf, idField, send } from './request.ts';
import { readSuite, type Output, type Test } from './suite.ts';

/** Minimum number of tests that must pass for exit code 0. */
const demanded = 4600;
const concurrency = 8;

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const module = 'github.com/corazawaf/coraza-coreruleset/v4';

/** Rule set settings for the regression tests; see `tests/regression` of coreruleset/coreruleset. */
const directives = `
Include @coraza.conf-recommended
Include @crs-setup.conf.example
SecResponseBodyMimeType text/plain text/html text/xml application/json
SecAuditEngine Off
SecDefaultAction "phase:3,log,auditlog,pass"
SecDefaultAction "phase:4,log,auditlog,pass"
SecDefaultAction "phase:5,log,auditlog,pass"
SecAction "id:900005,phase:1,nolog,pass,ctl:ruleEngine=DetectionOnly,ctl:ruleRemoveById=910000,setvar:tx.blocking_paranoia_level=4,setvar:tx.crs_validate_utf8_encoding=1,setvar:tx.arg_name_length=100,setvar:tx.arg_length=400,setvar:tx.total_arg_length=64000,setvar:tx.max_num_args=255,setvar:tx.max_file_size=64100,setvar:tx.combined_file_sizes=65535"
Include @owasp_crs/*.conf
`;

const { values } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean' } } });

/** Returns a server configuration with the web application firewall. */
function configOf(port: number, backend: number, engine: string, log: string): object {
  const handle = [
    { handler: 'waf', engine, directives, load_owasp_crs: true, tx_id_req_header: idField },
    { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${backend}` }] },
  ];
  const server = { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes: [{ handle }] };
  const logs = {
    default: { level: 'DEBUG', writer: { output: 'file', filename: log, roll: false }, include: ['http.handlers.waf'] },
  };
  return { logging: { logs }, apps: { http: { servers: { s: server } } } };
}

/** Returns the rule messages by transaction ID. */
function readMessages(log: string): Map<string, string> {
  const messages = new Map<string, string>();
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    if (line === '') continue;
    const { msg = '' } = JSON.parse(line) as { msg?: string };
    const [, id = ''] = /\[unique_id "([^"]*)"\]/.exec(msg) ?? [];
    messages.set(id, `${messages.get(id) ?? ''}${msg}\n`);
  }
  return messages;
}

/** Returns the reason why a test failed, or `null` if it passed. */
function problemOf(
  { status, log = {}, expect_error: expectsError }: Output,
  got: number,
  messages: string,
): string | null {
  if (expectsError === true) return got === 0 || got === 400 ? null : `status ${got} instead of an error`;
  const has = (rule: number): boolean => messages.includes(`[id "${rule}"]`);
  const missing = (log.expect_ids ?? []).filter((rule) => !has(rule));
  if (missing.length > 0) return `rule ${missing.join(', ')} does not match (status ${got})`;
  const unexpected = (log.no_expect_ids ?? []).filter(has);
  if (unexpected.length > 0) return `rule ${unexpected.join(', ')} matches`;
  if (log.match_regex !== undefined && !new RegExp(log.match_regex).test(messages))
    return 'the log lacks an expected message';
  if (log.no_match_regex !== undefined && new RegExp(log.no_match_regex).test(messages)) return 'the log has a text';
  return status === undefined || status === got ? null : `status ${got} instead of ${status}`;
}

async function play(tests: readonly Test[], engine: string): Promise<Failure[]> {
  const backend = await startBackend();
  const server = await ServerProcess.start(ours);
  const log = join(server.folder, 'waf.log');
  const statuses = new Map<string, number>();
  try {
    await server.load(configOf(server.port, (backend.address() as AddressInfo).port, engine, log));
    const queue = tests.flatMap(({ id, stages }) => stages.map(({ input }, i) => ({ id: `${id}.${i}`, input })));
    const work = async (): Promise<void> => {
      for (let each; (each = queue.shift()) !== undefined;)
        statuses.set(each.id, await send(server.port, bytesOf(each.input, each.id)));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    await sleep(1000);
    const messages = readMessages(log);
    return tests.flatMap(({ id, stages }) => {
      const problems = stages.map(({ output }, i) =>
        problemOf(output, statuses.get(`${id}.${i}`) ?? 0, messages.get(`${id}.${i}`) ?? ''),
      );
      const problem = problems.find((found) => found !== null);
      return problem === undefined || problem === null ? [] : [{ id, problem }];
    });
  } finally {
    backend.closeAllConnections();
    backend.close();
    await server.stop();
  }
}

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: workspace, encoding: 'utf8' }).trim();

const engine = run(process.execPath, 'tools/workspace/waf-engine.mjs', '--target', process.platform, process.arch);
const folder = run('go', 'list', '-C', 'tools/waf-engine', '-m', '-f', '{{.Dir}}', module);
const tests = readSuite(join(folder, 'tests')).filter(({ id }) => id.startsWith(values.only ?? ''));
const failures = await play(tests, engine);
for (const { id, problem } of failures) console.log(`${id}: ${problem}`);
const passed = tests.length - failures.length;
console.log(`${passed} of ${tests.length} passed`);
if (values.write === true) writeFileSync(join(workspace, 'docs/waf-crs.md'), pageOf(passed, tests.length, failures));
if (values.only === undefined && passed < demanded) process.exitCode = 1;
