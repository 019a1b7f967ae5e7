/** `weighted_round_robin WEIGHT…` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/registry';

/** Reads the weights. */
export function readWeightedRoundRobin(reader: Dispenser): Json {
  const weights = reader.arguments().map((text) => {
    if (!/^[+-]?\d+$/.test(text)) {
      throw reader.error(
        `invalid weight value '${text}': strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
      );
    }
    const weight = Number(text);
    if (weight < 0) throw reader.error(`invalid weight value '${text}': weight should be non-negative`);
    return weight;
  });
  return { weights };
}
