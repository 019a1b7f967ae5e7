/** The configuration: a tree, and the selected value as a form or as text. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { reasonOf } from '../../api/client.ts';
import { configCall } from '../../api/calls.ts';
import { valueAt, type Json, type Path } from '../../base/json.ts';
import { parsePointer, pointerOf } from '../../base/paths.ts';
import { SchemaReader } from '../../base/schema.ts';
import { CopyAsCurl } from '../../parts/action.tsx';
import { Heading, Problem } from '../../parts/basic.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { inForce, remove, shown } from '../../state/configuration.ts';
import { adjust, place } from '../../state/location.ts';
import { prepareToPlan } from '../../state/plan.ts';
import { lackToEdit } from '../../state/proposals.ts';
import { readSchema } from '../../state/server.ts';
import { Caddyfile } from './caddyfile.tsx';
import { Crumbs } from './crumbs.tsx';
import { Form } from './form.tsx';
import { Starters } from './starters.tsx';
import { Text } from './text.tsx';
import { Tree } from './tree.tsx';

export function Config() {
  const { path: pointer = '', find = '', as = 'form' } = place.value.values;
  const reader = useSignal<SchemaReader | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    prepareToPlan();
    readSchema()
      .then((schema) => void (reader.value = new SchemaReader(schema)))
      .catch((error: unknown) => void (problem.value = reasonOf(error)));
  }, []);
  const path = parsePointer(pointer);
  const document = shown.value;
  const value = valueAt(document, path);
  const select = (next: Path): void => adjust({ path: pointerOf(next) });
  const lack = lackToEdit();
  const isEmpty = document === null || (document !== undefined && Object.keys(document).length === 0);
  return (
    <>
      <Heading title="Configuration">
        <CopyAsCurl call={configCall('read', path)} />
        <button
          type="button"
          class="danger"
          disabled={path.length === 0 || value === undefined || lack !== null}
          onClick={() => removeAndLeave(path, select)}
        >
          Remove value
        </button>
      </Heading>
      {inForce.value.problem !== null && <Problem>{inForce.value.problem}</Problem>}
      {lack !== null && <p class="lack">Read-only: {lack}</p>}
      {problem.value !== null && (
        <Problem>Forms are not available, because the schema cannot be loaded: {problem.value}</Problem>
      )}
      {isEmpty && <Starters />}
      <div class="config">
        <Tree selected={path} find={find} onSelect={select} onFind={(text) => adjust({ find: text })} />
        <section class="card value" aria-label="Selected value">
          <Crumbs path={path} onSelect={select} />
          <Tabs
            label="Format"
            tabs={{ form: 'Form', text: 'Text', caddyfile: 'Caddyfile' }}
            selected={as}
            onSelect={(next) => adjust({ as: next })}
          />
          <fieldset disabled={lack !== null} class="plain">
            <legend class="unseen">Value</legend>
            <Value
              isPlain={problem.value !== null}
              as={as}
              path={path}
              document={document}
              value={value}
              reader={reader.value}
              onOpen={select}
            />
          </fieldset>
        </section>
      </div>
    </>
  );
}

function Value({
  as,
  isPlain,
  path,
  document,
  value,
  reader,
  onOpen,
}: {
  readonly as: string;
  /** True if the schema failed to load. */
  readonly isPlain: boolean;
  readonly path: Path;
  readonly document: Json | undefined;
  readonly value: Json | undefined;
  readonly reader: SchemaReader | null;
  readonly onOpen: (path: Path) => void;
}) {
  if (as === 'caddyfile') return <Caddyfile />;
  if (value === undefined) return <p class="pad soft">There is no value at this path.</p>;
  // Wait for the schema. Input would be lost when the schema arrives.
  if (reader === null && !isPlain) return <p class="pad soft">Loading…</p>;
  if (as === 'text' || reader === null) return <Text path={path} document={document} value={value} reader={reader} />;
  const shape = reader.shape(reader.at(document, [...path]) ?? {}, value);
  return (
    <Form
      key={pointerOf(path)}
      reader={reader}
      document={document}
      path={path}
      value={value}
      shape={shape}
      onOpen={onOpen}
    />
  );
}

function removeAndLeave(path: Path, select: (path: Path) => void): void {
  remove(path);
  select(path.slice(0, -1));
}
