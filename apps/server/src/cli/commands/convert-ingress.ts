/** `sluice convert ingress`: converts Kubernetes Ingresses to a configuration or to HTTPRoutes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isObject, messageOf, type JsonObject } from '@sluice/base';
import { adaptConfig } from '@sluice/reconciler';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError, failure } from '../../failure.ts';

export interface ConvertIngressOptions {
  /** Manifest files. `-` means standard input. */
  readonly arguments: readonly string[];
  readonly to?: string;
  readonly allowSnippets?: boolean;
  readonly gatewayClass?: string;
  /** Output file. Defaults to standard output. */
  readonly output?: string;
}

/** Prints the result, and reports whether the conversion is lossless. A lossy result is also written, but the command fails. */
export async function convertIngress(options: ConvertIngressOptions): Promise<number> {
  const { to = 'json', output = '-' } = options;
  if (to !== 'json' && to !== 'httproute') throw new CommandError(`--to must be json or httproute, not ${to}`);
  const files = options.arguments.length === 0 && !process.stdin.isTTY ? ['-'] : options.arguments;
  if (files.length === 0)
    throw new CommandError('convert ingress requires files with manifests, or - for standard input');
  const { convertIngresses } = await import('@sluice/sluice.providers/convert-ingress');
  const { text, warnings, count } = await convertIngresses(
    files.map((name) => ({ name, text: read(name) })),
    { to, allowSnippets: options.allowSnippets ?? false, gatewayClass: options.gatewayClass ?? 'sluice', adaptNginx },
  );
  if (count === 0) throw new CommandError('nothing to convert: the manifests contain no Ingress');
  if (output === '-') process.stdout.write(text);
  else write(output, text);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  if (warnings.length > 0) process.stderr.write('lossy: some settings were not converted; see the warnings\n');
  return warnings.length > 0 ? failure : 0;
}

async function adaptNginx(text: string): Promise<JsonObject> {
  const { config } = await adaptConfig(await standardRegistry(undefined), 'nginx', text, { options: {} });
  return isObject(config) ? config : {};
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`reading manifests: ${messageOf(error)}`, error);
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`writing ${file}: ${messageOf(error)}`, error);
  }
}
