/** The version of what this package exports. */

/**
 * Follows the rules of semantic versioning. The server compares it with the range in the `peerDependencies` of a package
 * before it loads the package. It is the version in this package's package.json.
 */
export const apiVersion = '0.1.0';
