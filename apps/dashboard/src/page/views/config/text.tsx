/** The value that is selected, as text. The editor is loaded when it is first shown. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { reasonOf } from '../../api/client.ts';
import type { Json, Path } from '../../base/json.ts';
import type { SchemaReader } from '../../base/schema.ts';
import { Problem } from '../../parts/basic.tsx';
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
  const text = JSON.stringify(value, null, 2);
  const take = (): void => {
    try {
      replace(path, JSON.parse(editor.current?.text() ?? '') as Json);
      problem.value = null;
      touched.value = false;
      say('ok', 'Put into the draft; nothing is applied yet');
    } catch (error) {
      problem.value = `This is not JSON: ${reasonOf(error)}`;
    }
  };
  useEffect(() => {
    let gone = false;
    void import('./editor/editor.ts').then(({ makeEditor }) => {
      if (gone || frame.current === null) return;
      editor.current = makeEditor(frame.current, {
        text,
        reader,
        place: { document, path },
        onChange: () => void (touched.value = true),
        onTake: take,
      });
    });
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [reader]);
  useEffect(() => {
    editor.current?.show(text, { document, path });
    touched.value = false;
  }, [text]);
  return (
    <div class="text-editor">
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      <div ref={frame} class="editor" />
      <div class="row pad">
        <button type="button" class="main" disabled={!touched.value} onClick={take}>
          Put into the draft
        </button>
        <span class="soft">Ctrl+Enter does it, too; Ctrl+Space completes; Esc and then Tab leaves the editor.</span>
      </div>
    </div>
  );
}
