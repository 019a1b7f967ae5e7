/** `exec COMMAND ARGUMENT…` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the command line. */
export function readExec(reader: Dispenser): Json {
  const [command = '', ...args] = reader.arguments();
  return compact({ command, args });
}
