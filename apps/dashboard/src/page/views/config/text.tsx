/** The selected value as JSON text. The editor is loaded on demand. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { reasonOf } from '../../api/client.ts';
import type { Json, Path } from '../../base/json.ts';
import { pointerOf } from '../../base/paths.ts';
import { seal, UnknownSecret, unseal } from '../../base/secrets.ts';
import type { SchemaReader } from '../../base/schema.ts';
import { Problem } from '../../parts/basic.tsx';
import { SecretsButton } from '../../parts/secrets-button.tsx';
import { replace } from '../../state/configuration.ts';
import { say } from '../../state/notices.ts';
import type { Editor } from './editor/editor.ts';

/** Renders the editor for a value. The text is added to the draft on request. */
export function Text({
  path,
  document,
  value,
  reader,
}: {
  path: Path;
  document: Json | undefined;
  value: Json;
  reader: SchemaReader | null;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const problem = useSignal<string | null>(null);
  const touched = useSignal(false);
  const changed = useSignal(false);
  const open = useSignal(false);
  const sealed = open.value ? { value, secrets: [] } : seal(value, path);
  const text = JSON.stringify(sealed.value, null, 2);
  const at = pointerOf(path);
  const seen = useRef({ text, at });
  const show = (): void => {
    editor.current?.show(text, { document, path });
    seen.current = { text, at };
    touched.value = false;
    changed.value = false;
  };
  const take = (): void => {
    try {
      replace(path, unseal(JSON.parse(editor.current?.text() ?? '') as Json, sealed.secrets));
      problem.value = null;
      touched.value = false;
      changed.value = false;
      say('ok', 'Added to the draft. Nothing has been applied yet.');
    } catch (error) {
      problem.value = error instanceof UnknownSecret ? error.message : `Invalid JSON: ${reasonOf(error)}`;
    }
  };
  // The editor outlives the value that it was created with.
  const latest = useRef({ take, show });
  latest.current = { take, show };
  useEffect(() => {
    let gone = false;
    void import('./editor/editor.ts').then(({ makeEditor }) => {
      if (gone || frame.current === null) return;
      editor.current = makeEditor(frame.current, {
        text,
        reader,
        place: { document, path },
        onChange: () => void (touched.value = true),
        onTake: () => latest.current.take(),
      });
      latest.current.show();
    });
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [reader]);
  useEffect(() => {
    const isElsewhere = seen.current.at !== at;
    // Unsaved input is not overwritten by changes of other clients.
    if (touched.value && !isElsewhere) changed.value = text !== seen.current.text;
    else show();
  }, [text, at]);
  return (
    <div class="text-editor">
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {changed.value && (
        <Problem>
          The value changed while you were typing. Adding your text to the draft will replace the new value.{' '}
          <button type="button" onClick={show}>
            Show the new value
          </button>
        </Problem>
      )}
      <div ref={frame} class="editor" />
      <div class="row pad">
        <button type="button" class="main" disabled={!touched.value} onClick={take}>
          Add to draft
        </button>
        {(open.value || sealed.secrets.length > 0) && <SecretsButton open={open} disabled={touched.value} />}
        <span class="soft">Ctrl+Enter: add to draft. Ctrl+Space: autocomplete. Esc, then Tab: leave the editor.</span>
      </div>
    </div>
  );
}
