/** Another client was faster: what it was, what you made of it, what it is now. Where both changed the same, you choose. */
import { useSignal } from '@preact/signals';
import { setAt, removeAt, type Json } from '../../base/json.ts';
import { merge, type Conflict } from '../../base/merge.ts';
import { pointerOf, whereOf } from '../../base/paths.ts';
import { Problem } from '../../parts/basic.tsx';
import { draft, inForce, rebase } from '../../state/configuration.ts';

/** The choice. Without a contradiction there is only one button. */
export function ThreeWays({ onMerged }: { onMerged: () => void }) {
  const mine = useSignal<ReadonlySet<string>>(new Set());
  const { base, value } = draft.value ?? {};
  const merged = merge(base, value, inForce.value.value);
  const take = (): void => {
    rebase(
      merged.conflicts.reduce(
        (document, each) => (mine.value.has(pointerOf(each.path)) ? chosen(document, each) : document),
        merged.value,
      ),
    );
    onMerged();
  };
  const choose = (pointer: string, isMine: boolean): void => {
    const next = new Set(mine.value);
    if (isMine) next.add(pointer);
    else next.delete(pointer);
    mine.value = next;
  };
  return (
    <section class="pad" aria-label="Changed meanwhile">
      <Problem>
        The configuration has changed since you began. Nothing of your draft is applied, and nothing of it is lost.
      </Problem>
      {merged.conflicts.length === 0 ? (
        <p>Your changes and the others touch different places.</p>
      ) : (
        <p>{merged.conflicts.length} places were changed by both:</p>
      )}
      {merged.conflicts.map((conflict) => {
        const pointer = pointerOf(conflict.path);
        return (
          <fieldset key={pointer} class="three">
            <legend>{whereOf(conflict.path)}</legend>
            <div>
              <span class="soft">Before</span>
              <pre>{textOf(conflict.base)}</pre>
            </div>
            <label>
              <input
                type="radio"
                name={pointer}
                checked={mine.value.has(pointer)}
                onChange={() => choose(pointer, true)}
              />
              Yours
              <pre>{textOf(conflict.mine)}</pre>
            </label>
            <label>
              <input
                type="radio"
                name={pointer}
                checked={!mine.value.has(pointer)}
                onChange={() => choose(pointer, false)}
              />
              In force
              <pre>{textOf(conflict.theirs)}</pre>
            </label>
          </fieldset>
        );
      })}
      <button type="button" class="main" onClick={take}>
        Put the draft on top of what is in force
      </button>
    </section>
  );
}

function chosen(document: Json | undefined, { path, mine }: Conflict): Json | undefined {
  return mine === undefined ? removeAt(document, path) : setAt(document, path, mine);
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '(nothing)' : JSON.stringify(value, null, 2);
}
