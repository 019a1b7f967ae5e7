/** The selected value as a form: fields that are set, and fields that can be added, by the schema. */
import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { short } from '../../base/format.ts';
import { isList, isObject, type Json, type Path } from '../../base/json.ts';
import { beginning, type SchemaReader, type Shape } from '../../base/schema.ts';
import { pointerOf } from '../../base/paths.ts';
import { summaryOf } from '../../base/tree.ts';
import { Empty } from '../../parts/basic.tsx';
import { insert, move, remove, replace } from '../../state/configuration.ts';
import { ValueInput } from './value-input.tsx';
import { formOf } from './fields.ts';

interface FormProps {
  readonly reader: SchemaReader;
  readonly document: Json | undefined;
  readonly path: Path;
  readonly value: Json;
  readonly shape: Shape;
  readonly onOpen: (path: Path) => void;
}

export function Form(props: FormProps): JSX.Element {
  const { value, shape, path } = props;
  if (isObject(value)) return <ObjectForm {...props} />;
  if (isList(value) && !value.every((item) => typeof item === 'string')) return <ListForm {...props} />;
  return (
    <div class="form">
      <ValueInput
        key={pointerOf(path)}
        label={String(path.at(-1) ?? 'Configuration')}
        value={value}
        shape={shape}
        onChange={(next) => replace(path, next)}
      />
    </div>
  );
}

function ObjectForm({ reader, path, value, shape, onOpen }: FormProps) {
  const { fields, free, others } = formOf(reader, shape, value);
  return (
    <div class="form">
      {shape.description !== '' && <p class="soft">{shape.description}</p>}
      {fields.length === 0 && <p class="soft">No options are set.</p>}
      {fields.map(({ key, value: item, shape: known }) => {
        const at = [...path, key];
        const inner =
          (isObject(item) && Object.keys(item).length >= 0) ||
          (isList(item) && !item.every((each) => typeof each === 'string'));
        return (
          <div class="setting" key={pointerOf(at)}>
            {inner ? (
              <div class="field">
                <span class="label">{key}</span>
                <button type="button" class="inside" onClick={() => onOpen(at)}>
                  {summaryOf(item, at)} <span aria-hidden="true">›</span>
                </button>
                {known?.description && <span class="hint">{known.description}</span>}
              </div>
            ) : (
              <ValueInput label={key} value={item} shape={known} onChange={(next) => replace(at, next)} />
            )}
            <button
              type="button"
              class="icon"
              aria-label={`Remove ${key}`}
              title={`Remove ${key}`}
              onClick={() => remove(at)}
            >
              ✕
            </button>
          </div>
        );
      })}
      <AddKey free={free} others={others} onAdd={(key, start) => replace([...path, key], start)} />
    </div>
  );
}

function AddKey({
  free,
  others,
  onAdd,
}: {
  readonly free: readonly { readonly key: string; readonly shape: Shape }[];
  readonly others: Shape | null;
  readonly onAdd: (key: string, value: Json) => void;
}) {
  const name = useSignal('');
  if (free.length === 0 && others === null) return null;
  const chosen = free.find(({ key }) => key === name.value)?.shape ?? others;
  const add = (event: Event): void => {
    event.preventDefault();
    if (name.value === '' || chosen === null) return;
    onAdd(name.value, beginning(chosen));
    name.value = '';
  };
  return (
    <form class="row" onSubmit={add}>
      {others === null ? (
        <select
          aria-label="Option to add"
          value={name.value}
          onChange={(event) => void (name.value = event.currentTarget.value)}
        >
          <option value="">Add an option…</option>
          {free.map(({ key }) => (
            <option key={key} value={key}>
              {key}
            </option>
          ))}
        </select>
      ) : (
        <input
          aria-label="Key to add"
          placeholder="Key to add"
          value={name.value}
          onInput={(event) => void (name.value = event.currentTarget.value)}
        />
      )}
      <button type="submit" disabled={name.value === '' || chosen === null}>
        Add
      </button>
      {name.value !== '' && chosen !== null && <span class="soft">{chosen.description}</span>}
    </form>
  );
}

const maxElements = 200;

function ListForm({ reader, path, value, shape, onOpen }: FormProps) {
  const items = isList(value) ? value : [];
  const add = (): void =>
    insert([...path, items.length], shape.items === null ? {} : beginning(reader.shape(shape.items, undefined)));
  return (
    <div class="form">
      {shape.description !== '' && <p class="soft">{shape.description}</p>}
      {items.length === 0 && <Empty>This list is empty.</Empty>}
      <ol class="elements">
        {items.slice(0, maxElements).map((item, index) => (
          <li key={index} class="row">
            <span class="soft">{index}</span>
            <button type="button" class="inside" onClick={() => onOpen([...path, index])}>
              {summaryOf(item)} <span aria-hidden="true">›</span>
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Move ${index} up`}
              disabled={index === 0}
              onClick={() => move([...path, index], index - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Move ${index} down`}
              disabled={index === items.length - 1}
              onClick={() => move([...path, index], index + 1)}
            >
              ↓
            </button>
            <button type="button" class="icon" aria-label={`Remove ${index}`} onClick={() => remove([...path, index])}>
              ✕
            </button>
          </li>
        ))}
      </ol>
      {items.length > maxElements && (
        <p class="soft">{short(items.length - maxElements)} more are not shown. Use the tree to reach them.</p>
      )}
      <div>
        <button type="button" onClick={add}>
          Add element
        </button>
      </div>
    </div>
  );
}
