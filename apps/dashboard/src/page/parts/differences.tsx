/** A patch as people read it: where, what was there, what will be. */
import type { Operation } from '../base/difference.ts';
import { valueAt, type Json } from '../base/json.ts';
import { parsePointer, whereOf } from '../base/paths.ts';
import { withoutSecrets } from '../base/secrets.ts';

const most = 200;
const longest = 2000;

/** The operations of a patch. `base`: what they change. */
export function Differences({ operations, base }: { operations: readonly Operation[]; base: Json | undefined }) {
  return (
    <ul class="differences" aria-label="Differences">
      {operations.slice(0, most).map(({ op, path, value }, index) => {
        const before = op === 'add' ? undefined : valueAt(base, parsePointer(path));
        return (
          <li key={index}>
            <strong class={op === 'remove' ? 'minus' : op === 'add' ? 'plus' : undefined}>
              {op === 'remove' ? '−' : op === 'add' ? '+' : '~'}{' '}
              {whereOf(parsePointer(path)) || 'the whole configuration'}
            </strong>
            {before !== undefined && <pre class="minus">− {textOf(withoutSecrets(before, parsePointer(path)))}</pre>}
            {op !== 'remove' && value !== undefined && (
              <pre class="plus">+ {textOf(withoutSecrets(value, parsePointer(path)))}</pre>
            )}
          </li>
        );
      })}
      {operations.length > most && <li class="soft">And {operations.length - most} more.</li>}
    </ul>
  );
}

function textOf(value: Json): string {
  const line = JSON.stringify(value);
  const text = line.length > 80 ? JSON.stringify(value, null, 2) : line;
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}
