/**
 * JSON Patch (RFC 6902) on plain JSON values. Pure.
 *
 * A patch is atomic: the given document is never changed, and the result is returned only when every
 * operation succeeded. Pointers that name `__proto__`, `constructor` or `prototype` are refused.
 */

/** @typedef {{op: string, path: string, from?: string, value?: unknown}} Operation */

const REFUSED = new Set(["__proto__", "constructor", "prototype"]);
const INDEX = /^(0|[1-9][0-9]*)$/;

/** The patch does not fit the document; whoever holds the document needs a fresh one. */
export class PatchError extends Error {}

/**
 * Returns the patched document. Throws `PatchError` when any operation does not apply.
 * @param {any} document
 * @param {Operation[]} operations
 * @returns {any}
 */
export function applyPatch(document, operations) {
  return operations.reduce(applyOne, document);
}

/** @param {any} document @param {Operation} operation @returns {any} */
function applyOne(document, { op, path, from, value }) {
  const to = tokensOf(path);
  switch (op) {
    case "add":
      return add(document, to, value);
    case "remove":
      return remove(document, to);
    case "replace":
      read(document, to);
      return to.length === 0 ? value : write(document, to, (parent, key) => void (parent[key] = value));
    case "copy":
      return add(document, to, structuredClone(read(document, tokensOf(from))));
    case "move": {
      if (path.startsWith(`${from}/`)) throw new PatchError("a value cannot move into itself");
      const source = tokensOf(from);
      return add(remove(document, source), to, read(document, source));
    }
    case "test":
      if (!same(read(document, to), value)) throw new PatchError(`test failed at ${path}`);
      return document;
    default:
      throw new PatchError(`unknown operation ${op}`);
  }
}

/** @param {any} document @param {string[]} tokens @param {unknown} value */
function add(document, tokens, value) {
  if (tokens.length === 0) return value;
  return write(document, tokens, (parent, key) => {
    if (!Array.isArray(parent)) return void (parent[key] = value);
    const at = key === "-" ? parent.length : indexIn(key, parent.length);
    parent.splice(at, 0, value);
  });
}

/** @param {any} document @param {string[]} tokens */
function remove(document, tokens) {
  read(document, tokens);
  if (tokens.length === 0) return null;
  return write(document, tokens, (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  });
}

/**
 * Copies the objects on the way to the last token and lets `edit` change the copy of its parent.
 * @param {any} node @param {string[]} tokens @param {(parent: any, key: string) => void} edit
 * @returns {any}
 */
function write(node, [head, ...rest], edit) {
  if (node === null || typeof node !== "object") throw new PatchError("the parent is no object");
  const copy = Array.isArray(node) ? [...node] : { ...node };
  if (rest.length === 0) edit(copy, head);
  else copy[head] = write(read(node, [head]), rest, edit);
  return copy;
}

/** @param {any} document @param {string[]} tokens @returns {any} */
function read(document, tokens) {
  let node = document;
  for (const token of tokens) {
    if (Array.isArray(node)) node = node[indexIn(token, node.length - 1)];
    else if (node !== null && typeof node === "object" && Object.hasOwn(node, token)) node = node[token];
    else throw new PatchError(`nothing at ${token}`);
  }
  return node;
}

/** @param {string} token @param {number} last */
function indexIn(token, last) {
  if (!INDEX.test(token) || Number(token) > last) throw new PatchError(`no index ${token}`);
  return Number(token);
}

/** @param {string | undefined} pointer */
function tokensOf(pointer) {
  if (pointer === "") return [];
  if (typeof pointer !== "string" || !pointer.startsWith("/")) throw new PatchError("a pointer starts with /");
  const tokens = pointer.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (tokens.some((token) => REFUSED.has(token))) throw new PatchError("refused pointer");
  return tokens;
}

/** @param {any} one @param {any} other @returns {boolean} */
function same(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  );
}
