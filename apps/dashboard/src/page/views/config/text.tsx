/** The value that is selected, as text. The editor is loaded when it is first shown. */
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

/** The editor of a value; what is typed is put into the draft when its author says so. */
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
      say('ok', 'Put into the draft; nothing is applied yet');
    } catch (error) {
      problem.value = error instanceof UnknownSecret ? error.message : `This is not JSON: ${reasonOf(error)}`;
    }
  };
  // The editor outlives the value that it was made with.
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
    // What is typed is not overwritten by what another client made of the value meanwhile.
    if (touched.value && !isElsewhere) changed.value = text !== seen.current.text;
    else show();
  }, [text, at]);
  return (
    <div class="text-editor">
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {changed.value && (
        <Problem>
          The value has changed while you typed. What you put into the draft replaces that.{' '}
          <button type="button" onClick={show}>
            Show what it is now
          </button>
        </Problem>
      )}
      <div ref={frame} class="editor" />
      <div class="row pad">
        <button type="button" class="main" disabled={!touched.value} onClick={take}>
          Put into the draft
        </button>
        {(open.value || sealed.secrets.length > 0) && <SecretsButton open={open} disabled={touched.value} />}
        <span class="soft">Ctrl+Enter does it, too; Ctrl+Space completes; Esc and then Tab leaves the editor.</span>
      </div>
    </div>
  );
}
