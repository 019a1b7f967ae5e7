/** `sluice validate`: checks a configuration and makes everything that it needs, without serving it. */
import { allocateSharedCells, ControlBus, SharedCells } from '@sluice/threads';
import { createLogger, duplicateKeys, formatWhere } from '@sluice/base';
import { identityProvision } from '@sluice/contracts';
import { IdIndex, rehearse, Runtime } from '@sluice/engine';
import { LogRouter } from '@sluice/telemetry';
import type { Token } from '@sluice/registry';
import { provisionIdentity } from '@sluice/tls-app';
import { standardError, TerminalSink } from '../../logging/terminal-sink.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { threadServices } from '../../thread-services.ts';
import { requireConfigFile } from '../default-config.ts';
import { readConfig, type ReadConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';

/** Options of `validate`. */
export interface ValidateOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
}

/** Prints `Valid configuration` if it is, and before it, on standard error, what loads but cannot work. */
export async function validate({ config, adapter, envfile, module }: ValidateOptions): Promise<number> {
  const file = requireConfigFile('validate', config, adapter);
  loadEnvFiles(envfile ?? []);
  const { document, sources, json } = await readConfig({ file, adapter }, () => standardRegistry(module));
  for (const { path, line } of json === null ? [] : duplicateKeys(json))
    warn(
      `${formatWhere(path)}: this key stands twice in its object, again in line ${line}: the last one counts; remove one`,
    );
  await check({ document, sources }, module);
  process.stdout.write('Valid configuration\n');
  return 0;
}

/** Provisions a configuration as a control thread without traffic does, releases it, and tells what checks found. */
export async function check(
  { document, sources }: Pick<ReadConfig, 'document' | 'sources'>,
  modules?: readonly string[],
): Promise<void> {
  const router = new LogRouter(new TerminalSink(standardError('warn')));
  const log = createLogger(router);
  const cells = new SharedCells(allocateSharedCells({ threads: 1 }), 0);
  const services = new Map<Token<unknown>, unknown>([
    ...threadServices({ bus: new ControlBus(log), cells, router, log, reusePort: false }),
    [identityProvision, provisionIdentity],
  ]);
  const runtime = new Runtime({
    registry: await standardRegistry(modules),
    roles: { control: true, traffic: false },
    log,
    services,
  });
  new IdIndex().plan(null, document);
  const { warnings } = await rehearse(runtime, document, sources);
  for (const { path, source, message, check: name } of warnings)
    warn(`${path}${source === undefined ? '' : ` (${source})`}: ${message} (${name})`);
}

function warn(message: string): void {
  process.stderr.write(`warning: ${message}\n`);
}
