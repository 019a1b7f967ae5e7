/** The language server of Caddyfiles and JSON configurations. */
export { serveEditor, type EditorStreams } from './server.ts';
export type { LanguageServices } from './services.ts';
