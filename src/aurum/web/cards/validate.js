/**
 * Judges a value by a JSON Schema. Pure; knows the words that the models of the cards' props use and no
 * other: a schema with an unknown word refuses everything, so a card is never shown half checked.
 */

/** @typedef {Record<string, any>} Schema */

const ANNOTATIONS = new Set(["title", "description", "default", "$defs"]);

/** @type {Record<string, (value: any) => boolean>} */
const TYPES = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  array: Array.isArray,
  object: isObject,
};

/**
 * Each word returns what is wrong, or nothing. Words about a type other than the value's say nothing.
 * @type {Record<string, (value: any, rule: any, schema: Schema, root: Schema, path: string) => string[]>}
 */
const WORDS = {
  type: (value, rule, _schema, _root, path) => {
    const names = Array.isArray(rule) ? rule : [rule];
    return names.some((name) => Object.hasOwn(TYPES, name) && TYPES[name](value)) ? [] : [`${path} is no ${names.join(" or ")}`];
  },
  const: (value, rule, _schema, _root, path) => (value === rule ? [] : [`${path} is not ${JSON.stringify(rule)}`]),
  enum: (value, rule, _schema, _root, path) => (rule.includes(value) ? [] : [`${path} is none of ${JSON.stringify(rule)}`]),
  minimum: (value, rule, _schema, _root, path) => (typeof value === "number" && value < rule ? [`${path} is below ${rule}`] : []),
  maximum: (value, rule, _schema, _root, path) => (typeof value === "number" && value > rule ? [`${path} is above ${rule}`] : []),
  exclusiveMinimum: (value, rule, _schema, _root, path) =>
    typeof value === "number" && value <= rule ? [`${path} is not above ${rule}`] : [],
  exclusiveMaximum: (value, rule, _schema, _root, path) =>
    typeof value === "number" && value >= rule ? [`${path} is not below ${rule}`] : [],
  minLength: (value, rule, _schema, _root, path) => (typeof value === "string" && value.length < rule ? [`${path} is too short`] : []),
  maxLength: (value, rule, _schema, _root, path) => (typeof value === "string" && value.length > rule ? [`${path} is too long`] : []),
  pattern: (value, rule, _schema, _root, path) =>
    typeof value === "string" && !new RegExp(rule, "u").test(value) ? [`${path} does not match ${rule}`] : [],
  minItems: (value, rule, _schema, _root, path) => (Array.isArray(value) && value.length < rule ? [`${path} has too few items`] : []),
  maxItems: (value, rule, _schema, _root, path) => (Array.isArray(value) && value.length > rule ? [`${path} has too many items`] : []),
  items: (value, rule, _schema, root, path) =>
    Array.isArray(value) ? value.flatMap((item, index) => problemsOf(item, rule, root, `${path}/${index}`)) : [],
  required: (value, rule, _schema, _root, path) =>
    isObject(value) ? rule.filter((/** @type {string} */ name) => !Object.hasOwn(value, name)).map((/** @type {string} */ name) => `${path}/${name} is missing`) : [],
  properties: (value, rule, _schema, root, path) =>
    isObject(value)
      ? Object.keys(rule).flatMap((name) =>
          Object.hasOwn(value, name) ? problemsOf(value[name], rule[name], root, `${path}/${name}`) : [],
        )
      : [],
  additionalProperties: (value, rule, schema, root, path) => {
    if (!isObject(value) || rule === true) return [];
    const others = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
    if (rule === false) return others.map((name) => `${path}/${name} is unknown`);
    return others.flatMap((name) => problemsOf(value[name], rule, root, `${path}/${name}`));
  },
  anyOf: (value, rule, _schema, root, path) =>
    rule.some((/** @type {Schema} */ one) => problemsOf(value, one, root, path).length === 0) ? [] : [`${path} fits none of its shapes`],
  $ref: (value, rule, _schema, root, path) => {
    const name = /^#\/\$defs\/([^/]+)$/.exec(rule)?.[1];
    const target = name !== undefined && Object.hasOwn(root.$defs ?? {}, name) ? root.$defs[name] : undefined;
    return target ? problemsOf(value, target, root, path) : [`${path}: nothing is known about ${rule}`];
  },
};

/**
 * Returns what is wrong with `value`, as paths with words; empty when it fits. Never throws.
 * @param {unknown} value @param {Schema} schema @param {Schema} [root] where `$defs` are @param {string} [path]
 * @returns {string[]}
 */
export function problemsOf(value, schema, root = schema, path = "") {
  return Object.entries(schema).flatMap(([word, rule]) => {
    if (ANNOTATIONS.has(word)) return [];
    if (!Object.hasOwn(WORDS, word)) return [`${path}: the word ${word} is unknown`];
    return WORDS[word](value, rule, schema, root, path);
  });
}

/** @param {any} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
