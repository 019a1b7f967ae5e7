/** Opens a file writer as the logs of a server do, and says what it logged, and what came to standard error beside. */
import { createLogger, type LogEntry, type LogSink } from '@sluice/base';
import { logRouterToken, LogRouter } from '@sluice/telemetry';
import { logWriters, type LogOutput, type LogWriter } from '@sluice/contracts';
import { Registry, type Token } from '@sluice/registry';
import { register } from '@sluice/caddy.logging.writers';

const registry = new Registry().use(register);
// Tests have a clock of their own, which loading would wait for.
await registry.loadAll();

/** A file writer with what was said of it. */
export interface Opened {
  readonly output: LogOutput;
  /** Messages in the logs. */
  readonly logged: readonly LogEntry[];
  /** Messages that went to the standard error of the process. */
  readonly aside: readonly LogEntry[];
}

/** `own`: entries are written to this very file, too, as where it is that of the log `default`. */
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

/** The message of the error that a promise is rejected with. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
