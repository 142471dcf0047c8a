/** What went wrong, as the server says it (RFC 9457), or as the browser does when no server answered. */

/** @typedef {{field: string, code: string}} FieldProblem */

export class Problem extends Error {
  /** @param {number} status 0 when the server could not be reached @param {Record<string, any>} [document] */
  constructor(status, document = {}) {
    super(document.title ?? `HTTP ${status}`);
    this.status = status;
    /** @type {string} */
    this.detail = document.detail ?? "";
    /** @type {FieldProblem[]} */
    this.problems = Array.isArray(document.problems) ? document.problems : [];
    /** All members, for those that only some problems have (`assignee`, `decidedBy`). @type {Record<string, any>} */
    this.document = document;
  }
}

/** @param {Response} response @returns {Promise<Problem>} */
export async function problemOf(response) {
  const type = response.headers.get("Content-Type") ?? "";
  return new Problem(response.status, type.includes("json") ? await response.json() : {});
}
