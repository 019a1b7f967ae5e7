/** Language server for Caddyfiles and JSON configurations. */
export { serveEditor } from './server.ts';
export type { LanguageServices } from './services.ts';
