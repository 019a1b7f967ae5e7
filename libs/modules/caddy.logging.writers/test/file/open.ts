/** Opens a file writer as a server does. Records its log entries and the entries on standard error. */
import { createLogger, type LogEntry, type LogSink } from '@sluice/base';
import { logRouterToken, LogRouter } from '@sluice/telemetry';
import { logWriters, type LogOutput, type LogWriter } from '@sluice/contracts';
import { Registry, type Token } from '@sluice/registry';
import { register } from '@sluice/caddy.logging.writers';

const registry = new Registry().use(register);
// Loads all modules first, because tests mock the clock.
await registry.loadAll();

/** An open file writer with the entries that it has logged. */
export interface Opened {
  readonly output: LogOutput;
  readonly logged: readonly LogEntry[];
  /** Log entries written to the original standard error. */
  readonly aside: readonly LogEntry[];
}

/** If `own` is true, log entries are also written to this file, as with the `default` log. */
export async function openFile(options: Readonly<Record<string, unknown>>, own = false): Promise<Opened> {
  const logged: LogEntry[] = [];
  const aside: LogEntry[] = [];
  let output: LogOutput | null = null;
  const router = new LogRouter(sink((entry) => aside.push(entry)));
  const log = createLogger(
    sink((entry) => {
      logged.push(entry);
      if (own) output?.write(`${entry.message}\n`, 1);
    }),
    'caddy.logging.writers.file',
  );
  const context = {
    log,
    error: (message: string) => new Error(message),
    find: (token: Token<unknown>) => (token === logRouterToken ? router : undefined),
  };
  const module = registry.find(logWriters, 'file');
  if (module === undefined) throw new Error('there is no such writer');
  const writer = (await module.descriptor.provision(options as never, context as never)) as LogWriter;
  output = await writer.open();
  return { output, logged, aside };
}

function sink(write: (entry: LogEntry) => void): LogSink {
  return { enabled: () => true, write };
}

/** Returns the error message with which a promise rejects. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
