/** `{ fallback POLICY … }` of selection policies. */
import { moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the block; `others` reads the options that a policy has besides. */
export function readFallback(
  reader: Dispenser,
  others: (option: string) => boolean = () => false,
): Record<string, Json> {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (option === 'fallback') {
      const name = reader.argument();
      if (fields['fallback'] !== undefined) throw reader.error('fallback selection policy already specified');
      const options = reader.module(`http.reverse_proxy.selection_policies.${name}`);
      fields['fallback'] = moduleObject('policy', name, options);
    } else if (!others(option)) {
      throw reader.error(`unrecognized option '${option}'`);
    }
  }
  return fields;
}
