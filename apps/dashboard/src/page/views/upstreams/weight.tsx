/** Weight of an upstream in a weighted load balancer. Changes edit the draft. */
import { valueAt } from '../../base/json.ts';
import { parseWhere } from '../../base/paths.ts';
import { weightOf, weightsPath, withWeight } from '../../base/weights.ts';
import { replace, shown } from '../../state/configuration.ts';
import { lackToEdit } from '../../state/proposals.ts';
import { useTyped } from '../../parts/typed.ts';

export function Weight({ address, where }: { address: string; where: string }) {
  const path = parseWhere(where);
  const proxy = valueAt(shown.value, path);
  const weight = weightOf(proxy, address);
  const lack = lackToEdit();
  const typed = useTyped(String(weight ?? ''), (text) => {
    const next = Number(text);
    if (text.trim() === '' || !Number.isInteger(next) || next < 0) return false;
    replace(weightsPath(path), withWeight(proxy, address, next));
    return true;
  });
  if (weight === null) return null;
  return (
    <label class="weight" title={lack ?? 'Edits the draft. Review and apply it below.'}>
      weight
      <input
        type="number"
        min={0}
        step={1}
        aria-label={`Weight of ${address} in ${where}`}
        disabled={lack !== null}
        {...typed}
      />
    </label>
  );
}
