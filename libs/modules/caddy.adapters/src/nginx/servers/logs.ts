/** Translates `access_log` and `error_log` to logs. Log entries are always JSON, regardless of `log_format`. */
import type { Adaptation } from '../adaptation.ts';
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';

/** nginx log levels whose names differ from Sluice's. */
const levels: Readonly<Record<string, string>> = {
  debug: 'DEBUG',
  info: 'INFO',
  notice: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
  crit: 'ERROR',
  alert: 'ERROR',
  emerg: 'ERROR',
};

/** Returns the `logs` option of a server that contains these sites. Returns `undefined` if none of the sites has an access log. */
export function serverLogs(adaptation: Adaptation, sites: readonly Site[], chosen: Site): Node | undefined {
  const names: Record<string, string> = {};
  let some = false;
  for (const site of sites) {
    const log = accessLog(adaptation, site.scope);
    if (log !== null) some = true;
    for (const host of site.scope.own('server_name').flatMap(({ args }) => args))
      if (/^[\w-][\w.-]*$/.test(host)) names[host] = log ?? '';
  }
  if (!some) return undefined;
  const fallback = accessLog(adaptation, chosen.scope);
  const without = Object.keys(names).filter((host) => names[host] === '');
  const mapped = Object.fromEntries(
    Object.entries(names)
      .filter(([, log]) => log !== '')
      .map(([host, log]) => [host, [log]]),
  );
  return {
    ...(fallback === null ? { skip_unmapped_hosts: true } : { default_logger_name: fallback }),
    logger_names: mapped,
    ...(without.length === 0 ? {} : { skip_hosts: without }),
  };
}

/** Returns the log name for a server's access log. Configures the log on first use. */
function accessLog(adaptation: Adaptation, scope: Scope): string | null {
  const directive = scope.find('access_log');
  const [target = 'off', format] = directive?.args ?? [];
  if (directive === undefined || target === 'off') return null;
  if (format !== undefined && !format.includes('=') && format !== 'json')
    adaptation.warn(directive, `log format ${format} is not supported; entries are JSON objects`);
  const name = `nginx${target.replaceAll(/[^\w-]+/g, '_')}`;
  adaptation.logs.set(name, {
    writer: writerOf(adaptation, directive, target),
    encoder: { format: 'json' },
    include: [`http.log.access.${name}`],
  });
  return name;
}

/** Configures the error log, which excludes access log entries. */
export function errorLog(adaptation: Adaptation, scope: Scope): void {
  const directive = scope.find('error_log');
  const exclude = [...adaptation.logs.keys()].map((name) => `http.log.access.${name}`);
  if (directive === undefined) {
    if (exclude.length > 0) adaptation.logs.set('default', { exclude });
    return;
  }
  const [target = 'stderr', level = 'error'] = directive.args;
  const writer = writerOf(adaptation, directive, target);
  adaptation.logs.set('default', { writer, level: levels[level] ?? 'ERROR', exclude });
}

function writerOf(adaptation: Adaptation, directive: Directive, target: string): Node {
  if (target === 'stderr' || target === '/dev/stderr') return { output: 'stderr' };
  if (target === '/dev/stdout') return { output: 'stdout' };
  if (target === '/dev/null') return { output: 'discard' };
  if (target.startsWith('syslog:') || target.startsWith('memory:') || target.includes('$')) {
    adaptation.warn(directive, `${target} is not supported; entries go to standard error`);
    return { output: 'stderr' };
  }
  return { output: 'file', filename: adaptation.path(target), roll: false };
}
