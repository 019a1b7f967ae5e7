/** Derives names from a module ID. */

/**
 * Names of a module.
 * @typedef {object} ModuleNames
 * @property {string} id `http.handlers.log_append`
 * @property {string} namespace `http.handlers`
 * @property {string} name `log_append`
 * @property {string} symbol `logAppend`
 * @property {string} type `LogAppend`
 */

/**
 * Derives the names of a module from its ID. The ID of an app is its name, without a namespace. @param {string} id @returns {ModuleNames}
 * Throws if `id` is not a valid module ID.
 */
export function namesOf(id) {
  if (!/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/.test(id))
    throw new Error(
      `${JSON.stringify(id)} is not a module id: lower-case labels joined by dots, such as http.handlers.teapot`,
    );
  const labels = id.split('.');
  const name = /** @type {string} */ (labels.pop());
  const symbol = camelCase(name);
  return { id, namespace: labels.join('.'), name, symbol, type: symbol.charAt(0).toUpperCase() + symbol.slice(1) };
}

/** Converts a name to camel case: `log_append` -> `logAppend`. @param {string} text */
export function camelCase(text) {
  return text.replace(/[._-]+([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** Formats a text as a single-quoted string literal. @param {string} text */
export function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ')}'`;
}
