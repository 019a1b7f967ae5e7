import { useMemo } from 'preact/hooks';
import { withPrevious, type Edit, type Operation } from '../base/difference.ts';
import { setAt, type Json } from '../base/json.ts';
import { parsePointer } from '../base/paths.ts';
import { short } from '../base/format.ts';
import { withoutSecrets } from '../base/secrets.ts';
import { PlaceName } from './place-link.tsx';

const maxOperations = 200;
const maxLength = 2000;

const words = { add: 'added', remove: 'removed', replace: 'changed', test: 'tested', move: 'moved', copy: 'copied' };
const signs = { add: '+', remove: '−', replace: '~', test: '=', move: '→', copy: '⧉' };

interface DifferencesProps {
  readonly operations: readonly Operation[];
  /** The document that the patch applies to; `undefined` if it is unknown. */
  readonly base: Json | undefined;
}

export function Differences({ operations, base }: DifferencesProps) {
  const edits = useMemo(() => withPrevious(base, operations.slice(0, maxOperations)), [operations, base]);
  return (
    <ul class="differences" aria-label="Differences">
      {edits.map((edit, index) => (
        <Difference key={index} edit={edit} base={base} />
      ))}
      {operations.length > maxOperations && (
        <li class="soft">{short(operations.length - maxOperations)} more are not shown.</li>
      )}
    </ul>
  );
}

function Difference({ edit: { op, path, value, previous }, base }: { edit: Edit; base: Json | undefined }) {
  const at = parsePointer(path);
  // Name a new route by its future content.
  const named = op === 'add' && value !== undefined && at.length > 0 ? setAt({}, at, value) : base;
  return (
    <li>
      <strong class={op === 'remove' ? 'minus' : op === 'add' ? 'plus' : undefined}>
        <span aria-hidden="true">{signs[op]}</span> <PlaceName path={at} document={named} />{' '}
        <span class="soft">{words[op]}</span>
      </strong>
      {previous !== undefined && op !== 'test' && (
        <pre class="minus">
          <span class="unseen">Old value: </span>− {textOf(withoutSecrets(previous, at))}
        </pre>
      )}
      {op !== 'remove' && value !== undefined && (
        <pre class="plus">
          <span class="unseen">New value: </span>+ {textOf(withoutSecrets(value, at))}
        </pre>
      )}
    </li>
  );
}

function textOf(value: Json): string {
  const line = JSON.stringify(value);
  const text = line.length > 80 ? JSON.stringify(value, null, 2) : line;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
