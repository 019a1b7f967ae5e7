declare module 'highlight.js/lib/common' {
  export { default } from 'highlight.js';
}
