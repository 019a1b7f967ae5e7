/**
 * Resolves conflicts with changes of other clients. For each conflict, the user selects the original value, the draft's
 * value, or the current value.
 */
import { useSignal } from '@preact/signals';
import { count } from '../../base/format.ts';
import { setAt, removeAt, type Json } from '../../base/json.ts';
import { merge, type Conflict } from '../../base/merge.ts';
import { pointerOf } from '../../base/paths.ts';
import { withoutSecrets } from '../../base/secrets.ts';
import { Problem } from '../../parts/basic.tsx';
import { PlaceName } from '../../parts/place-link.tsx';
import { draft, inForce, rebase } from '../../state/configuration.ts';

type Side = 'mine' | 'theirs';

/** Renders the choices. None is preselected. If there are no conflicts, renders only the button. */
export function ThreeWays({ onMerged }: { onMerged: () => void }) {
  const sides = useSignal<ReadonlyMap<string, Side>>(new Map());
  const { base, value } = draft.value ?? {};
  const { value: merged, conflicts } = merge(base, value, inForce.value.value);
  const pointers = conflicts.map(({ path }) => pointerOf(path));
  const open = pointers.filter((pointer) => !sides.value.has(pointer)).length;
  const take = (): void => {
    const isMine = ({ path }: Conflict): boolean => sides.value.get(pointerOf(path)) === 'mine';
    rebase(conflicts.filter(isMine).reduce(withMine, merged));
    onMerged();
  };
  const choose = (wanted: readonly string[], side: Side): void =>
    void (sides.value = new Map([...sides.value, ...wanted.map((pointer) => [pointer, side] as const)]));
  return (
    <section class="pad conflicts" aria-label="Conflicts">
      <Problem>
        The configuration has changed since you started the draft. Nothing was applied, and your draft is unchanged.
      </Problem>
      {conflicts.length === 0 ? (
        <p>There are no conflicts: your changes and the other changes affect different values.</p>
      ) : (
        <div class="row">
          <p>{count(conflicts.length, 'value')} changed on both sides. For each value, choose the side to keep.</p>
          {conflicts.length > 1 && (
            <>
              <button type="button" onClick={() => choose(pointers, 'mine')}>
                Keep all my changes
              </button>
              <button type="button" onClick={() => choose(pointers, 'theirs')}>
                Keep all current values
              </button>
            </>
          )}
        </div>
      )}
      {conflicts.map((conflict) => {
        const pointer = pointerOf(conflict.path);
        const side = (key: Side, title: string, text: string) => (
          <label>
            <input
              type="radio"
              name={pointer}
              checked={sides.value.get(pointer) === key}
              onChange={() => choose([pointer], key)}
            />
            {title}
            <pre>{text}</pre>
          </label>
        );
        return (
          <fieldset key={pointer} class="three">
            <legend>
              <PlaceName path={conflict.path} document={inForce.value.value} />
            </legend>
            <div>
              <span class="soft">Original</span>
              <pre>{textOf(conflict.base, conflict)}</pre>
            </div>
            {side('mine', 'Yours', textOf(conflict.mine, conflict))}
            {side('theirs', 'Current', textOf(conflict.theirs, conflict))}
          </fieldset>
        );
      })}
      <div class="row">
        <button type="button" class="main" disabled={open > 0} onClick={take}>
          Rebase draft
        </button>
        {open > 0 && <span class="soft">{count(open, 'choice')} left</span>}
      </div>
    </section>
  );
}

function withMine(document: Json | undefined, { path, mine }: Conflict): Json | undefined {
  return mine === undefined ? removeAt(document, path) : setAt(document, path, mine);
}

function textOf(value: Json | undefined, { path }: Conflict): string {
  return value === undefined ? '(not set)' : JSON.stringify(withoutSecrets(value, path), null, 2);
}
