/** Formats that a client asks for (RFC 9110 §12.5.1). */
import { essenceOf } from './media-type.ts';

/** The names of formats other than JSON that an `Accept` names: `text/caddyfile` is `caddyfile`. Wildcards name none. */
export function formatsIn(accept: string | undefined): readonly string[] {
  if (accept === undefined || accept === '*/*') return [];
  return accept
    .split(',')
    .map(essenceOf)
    .flatMap((essence) => /^(?:text|application)\/([\w.+-]+)$/.exec(essence)?.[1] ?? [])
    .filter((format) => format !== 'json');
}
