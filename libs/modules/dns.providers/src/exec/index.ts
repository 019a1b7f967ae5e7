/** The module `dns.providers.exec`, which runs a program to change DNS records. */
import { execFile } from 'node:child_process';
import { isArray, isObject, parseDuration, SluiceError, type Json, type JsonObject } from '@sluice/base';
import { dnsProviders, type DnsProvider, type DnsRecord } from '@sluice/contracts';
import { defineModule, duration, options, string, strings } from '@sluice/registry';
import { optionalOption, requiredOption } from '../common/options.ts';

const defaultTimeout = 60_000;
/** Maximum size of the program's output, in bytes. */
const maxOutput = 8 * 1024 * 1024;

export const execModule = defineModule(dnsProviders, {
  name: 'exec',
  help: 'Runs a program, without a shell, to change DNS records. After the configured arguments, the program receives the action (`append`, `remove`, `set` or `get`) and the zone as arguments. The program reads records from standard input as a JSON array of objects with `name`, `type`, `value` and `ttl` (in seconds). For `get`, the program writes such an array to standard output.',
  config: options({
    command: string('Program to run: the path of an executable, or a name to look up in `PATH`.'),
    args: strings('Arguments to pass before the action. May contain global placeholders.'),
    timeout: duration('Maximum run time of the program. Default: 1 minute.'),
  }),
  provision(config, context) {
    const command = requiredOption(config.command, context, 'command');
    const args = (config.args ?? []).map((each, index) => optionalOption(each, context, 'args', String(index)));
    const timeout = parseDuration(config.timeout ?? 0);
    if (timeout < 0) throw context.error('must not be negative', 'timeout');
    return new Program(command, args, timeout || defaultTimeout);
  },
});

type Action = 'append' | 'remove' | 'set' | 'get';

class Program implements DnsProvider {
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #timeout: number;

  constructor(command: string, args: readonly string[], timeout: number) {
    this.#command = command;
    this.#args = args;
    this.#timeout = timeout;
  }

  async append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    await this.#run('append', zone, records, signal);
  }

  async remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    await this.#run('remove', zone, records, signal);
  }

  async set(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    await this.#run('set', zone, records, signal);
  }

  async get(zone: string, signal: AbortSignal): Promise<readonly DnsRecord[]> {
    const output = await this.#run('get', zone, [], signal);
    let value: Json;
    try {
      value = JSON.parse(output) as Json;
    } catch {
      value = null;
    }
    if (!isArray(value)) throw failure(this.#command, 'get', 'the output is not a JSON array of records');
    return value.filter(isObject).map(recordOf);
  }

  #run(action: Action, zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const settings = { timeout: this.#timeout, maxBuffer: maxOutput, signal, killSignal: 'SIGKILL' as const };
    const child = execFile(this.#command, [...this.#args, action, zone], settings, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const isTimeout = error.killed === true && !signal.aborted;
      const reason = isTimeout ? `timed out after ${this.#timeout} ms` : lastLine(stderr) || reasonOf(error);
      reject(failure(this.#command, action, reason));
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(records.map(({ ttl, ...record }) => ({ ...record, ttl: Math.round(ttl / 1000) }))));
    return promise;
  }
}

function reasonOf(error: { readonly code?: string | number | null | undefined; readonly message: string }): string {
  return typeof error.code === 'number' ? `exit code ${error.code}` : (error.code ?? error.message);
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}

function failure(command: string, action: Action, reason: string): SluiceError {
  return new SluiceError('ERR_DNS_PROVIDER', `exec: ${command} ${action}: ${reason}`);
}

function recordOf({ name, type, value, ttl }: JsonObject): DnsRecord {
  return { name: String(name), type: String(type), value: String(value), ttl: Number(ttl ?? 0) * 1000 };
}
