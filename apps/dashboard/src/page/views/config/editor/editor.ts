/** JSON editor (CodeMirror) in a shadow root. The content security policy permits its adopted style sheets. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { SchemaReader } from '../../../base/schema.ts';
import { changeOf } from './change.ts';
import { completions, explanation } from './completion.ts';
import type { EditorPlace } from './place.ts';

export interface EditorOptions {
  readonly text: string;
  readonly place: EditorPlace;
  /** Schema for completion and tooltips, or `null` if there is none. */
  readonly reader: SchemaReader | null;
  readonly onChange: () => void;
  readonly onTake: () => void;
}

export interface Editor {
  readonly text: () => string;
  /** Replaces the text. */
  readonly show: (text: string, place: EditorPlace) => void;
  readonly destroy: () => void;
}

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--value)' },
]);

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', fontSize: '13px', height: '100%' },
  '.cm-content, .cm-gutters': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-gutters': { backgroundColor: 'var(--card)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'var(--tint)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--flash) !important' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--outline)',
  },
  '.cm-tooltip-hover': { padding: '4px 8px', maxWidth: '60ch' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--water)', color: 'var(--on-water)' },
});

export function makeEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const shadow = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  let { place } = options;
  let quiet = false;
  const hints = hoverTooltip((view, at) => {
    const text = options.reader === null ? null : explanation(view.state, at, { reader: options.reader, place });
    return text === null
      ? null
      : { pos: at, create: () => ({ dom: Object.assign(document.createElement('div'), { textContent: text }) }) };
  });
  const view = new EditorView({
    root: shadow,
    parent: shadow,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        json(),
        linter(jsonParseLinter()),
        lintGutter(),
        autocompletion({
          override: [
            (context) => (options.reader === null ? null : completions(context, { reader: options.reader, place })),
          ],
        }),
        hints,
        syntaxHighlighting(colors),
        look,
        EditorView.contentAttributes.of({ 'aria-label': 'Configuration as JSON', tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !quiet) options.onChange();
        }),
        keymap.of([
          { key: 'Mod-Enter', run: () => (options.onTake(), true) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...lintKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    show: (text, next) => {
      place = next;
      const change = changeOf(view.state.doc.toString(), text);
      if (change === null) return;
      quiet = true;
      view.dispatch({ changes: change });
      quiet = false;
    },
    destroy: () => view.destroy(),
  };
}
