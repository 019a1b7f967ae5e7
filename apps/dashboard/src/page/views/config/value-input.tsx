/** Input for a value: string, number, boolean, choice, list of strings, or JSON if the schema does not describe the value. */
import { useSignal } from '@preact/signals';
import { reasonOf } from '../../api/client.ts';
import { isList, type Json } from '../../base/json.ts';
import { isSecret, seal, unseal } from '../../base/secrets.ts';
import type { Shape } from '../../base/schema.ts';
import { Field } from '../../parts/basic.tsx';
import { useTyped } from '../../parts/typed.ts';

/** Props of {@link ValueInput}. `shape`: `null` for unknown keys. */
interface ValueInputProps {
  readonly label: string;
  readonly value: Json;
  readonly shape: Shape | null;
  readonly onChange: (value: Json) => void;
}

/** Selects the input by the value, then by the schema. */
export function ValueInput({ label, value, shape, onChange }: ValueInputProps) {
  const hint =
    shape === null
      ? 'This option is unknown to the server. Its value is kept unchanged.'
      : shape.description || undefined;
  if (typeof value === 'boolean')
    return (
      <Field label={label} hint={hint}>
        <select value={String(value)} onChange={(event) => onChange(event.currentTarget.value === 'true')}>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      </Field>
    );
  if (shape?.kind === 'choice' && shape.choices.length > 1)
    return (
      <Field label={label} hint={hint}>
        <select
          value={JSON.stringify(value)}
          onChange={(event) => onChange(JSON.parse(event.currentTarget.value) as Json)}
        >
          {[...new Set([JSON.stringify(value), ...shape.choices.map((each) => JSON.stringify(each))])].map((text) => (
            <option key={text} value={text}>
              {String(JSON.parse(text))}
            </option>
          ))}
        </select>
      </Field>
    );
  if (isList(value) && !isSecret([label]) && value.every((item) => typeof item === 'string'))
    return <Lines label={label} hint={hint} value={value} onChange={onChange} />;
  if (typeof value === 'string') return <Text label={label} hint={hint} value={value} onChange={onChange} />;
  return <JsonInput label={label} hint={hint} value={value} onChange={onChange} />;
}

interface InputProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
}

/** Renders a string input. Secrets are masked. */
function Text({ label, hint, value, onChange }: InputProps) {
  const typed = useTyped(String(value), onChange);
  return (
    <Field label={label} hint={hint}>
      {isSecret([label]) ? <input type="password" autocomplete="off" {...typed} /> : <input {...typed} />}
    </Field>
  );
}

/** Renders a list of strings, one per line. */
function Lines({ label, hint, value, onChange }: InputProps) {
  const lines = isList(value) ? value.map(String) : [];
  const typed = useTyped(lines.join('\n'), (text) =>
    onChange(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
  );
  const note = hint === undefined ? 'One per line.' : `${hint} One per line.`;
  return (
    <Field label={label} hint={note}>
      <textarea rows={Math.min(Math.max(lines.length + 1, 2), 12)} spellcheck={false} {...typed} />
    </Field>
  );
}

/** Renders other values, including numbers, as JSON. */
function JsonInput({ label, hint, value, onChange }: InputProps) {
  const problem = useSignal<string | null>(null);
  const sealed = seal(value, [label]);
  const take = (text: string): boolean => {
    const next = parsed(text);
    if (next === undefined) problem.value = `${text} is not valid JSON. Strings need quotes.`;
    else
      try {
        onChange(unseal(next, sealed.secrets));
        problem.value = null;
        return true;
      } catch (error) {
        problem.value = reasonOf(error);
      }
    return false;
  };
  const typed = useTyped(JSON.stringify(sealed.value), take);
  return (
    <Field label={label} hint={hint}>
      <input class="mono" aria-invalid={problem.value !== null} {...typed} />
      {problem.value !== null && <span class="state bad">■ {problem.value}</span>}
    </Field>
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
