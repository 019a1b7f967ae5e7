/** `sluice token`: creates a token for the admin API. */
import { createToken } from '@sluice/admin-api';
import { parseDuration, messageOf } from '@sluice/base';
import { CommandError } from '../../failure.ts';

export interface TokenCommandOptions {
  readonly name?: string;
  readonly method?: readonly string[];
  readonly path?: readonly string[];
  readonly id?: readonly string[];
  readonly refusePlaceholders?: readonly string[];
  /** Validity period. */
  readonly expires?: string;
}

/** Prints a new token and the corresponding entry for `admin.tokens`, as one JSON object `{token, entry}`. The token is not stored. */
export function token({ name, method, path, id, refusePlaceholders, expires }: TokenCommandOptions): number {
  if (name === undefined || name === '') throw new CommandError('token requires a name: --name NAME');
  const made = createToken();
  const permission = {
    ...(method === undefined ? {} : { methods: method.map((text) => text.toUpperCase()) }),
    ...(path === undefined ? {} : { paths: path }),
    ...(id === undefined ? {} : { ids: id }),
    ...(refusePlaceholders === undefined ? {} : { refuse_placeholders: refusePlaceholders }),
  };
  const entry = {
    name,
    hash: made.hash,
    ...(expires === undefined ? {} : { expires: endOf(expires) }),
    ...(Object.keys(permission).length === 0 ? {} : { permissions: [permission] }),
  };
  process.stdout.write(`${JSON.stringify({ token: made.token, entry }, null, 2)}\n`);
  return 0;
}

function endOf(duration: string): string {
  let length;
  try {
    length = parseDuration(duration);
  } catch (error) {
    throw new CommandError(`--expires: ${messageOf(error)}`, error);
  }
  const end = new Date(Date.now() + length);
  if (length <= 0 || Number.isNaN(end.getTime()))
    throw new CommandError(`--expires requires a duration, such as 720h or 90d, not ${JSON.stringify(duration)}`);
  return end.toISOString();
}
