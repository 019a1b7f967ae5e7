/** Creates a server's request logs from its `logs` option. */
import type { Context, Options } from '@sluice/registry';
import type { Logger } from '@sluice/base';
import { AccessLog } from './access-log.ts';
import { ErrorLog } from './error-log.ts';
import { HostLoggers } from './host-loggers.ts';
import type { logOptions } from '../options.ts';

export interface RequestLogs {
  /** Access log; `null` if requests are not logged. */
  readonly access: AccessLog | null;
  readonly errors: RequestErrors;
}

export type RequestErrors = Pick<ErrorLog, 'write' | 'writeSecond' | 'writeCut'>;

export const noLogs: RequestLogs = {
  access: null,
  errors: { write: () => {}, writeSecond: () => {}, writeCut: () => {} },
};

/** Creates a server's logs. Errors are logged even if the `logs` option is absent. */
export function requestLogs(config: Options<typeof logOptions> | null | undefined, context: Context): RequestLogs {
  const root: Logger = context.log;
  const options = {
    defaultName: config?.default_logger_name ?? '',
    names: loggerNames(config?.logger_names ?? {}, context),
    skipHosts: config?.skip_hosts ?? [],
    skipUnmapped: config?.skip_unmapped_hosts ?? false,
  };
  const showCredentials = config?.should_log_credentials ?? false;
  const errors = new ErrorLog(new HostLoggers(options, root.named('http.log.error')), showCredentials);
  if (config === null || config === undefined) return { access: null, errors };
  return { access: new AccessLog(new HostLoggers(options, root.named('http.log.access')), showCredentials), errors };
}

function loggerNames(
  config: Readonly<Record<string, string | readonly string[]>>,
  context: Context,
): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const [host, value] of Object.entries(config)) {
    if (/^[^:]*:\d+$|\]:\d+$/.test(host))
      throw context.error(`${JSON.stringify(host)} has a port; specify only the host`, 'logs', 'logger_names', host);
    names.set(host, typeof value === 'string' ? [value] : value);
  }
  return names;
}
