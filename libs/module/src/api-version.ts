/** Version of the module API. */

/**
 * Version of the module API. It follows semantic versioning and is equal to the version in this package's `package.json`. Before loading a
 * package, the server compares this version with the range in the package's `peerDependencies`.
 */
export const apiVersion = '0.1.0';
