/**
 * Preact, htm and signals in one place, typed, so that the rest of the code imports from here.
 * The vendored modules carry no types of their own.
 */
import * as hooks from "../vendor/hooks.js";
import htm from "../vendor/htm.js";
import { h, render as renderInto } from "../vendor/preact.js";
import * as signals from "../vendor/signals.js";

/** @template T @typedef {{value: T, peek: () => T, subscribe: (listener: (value: T) => void) => () => void}} Signal */
/** @template T @typedef {{current: T}} Ref */
/** @template T @typedef {(next: T | ((old: T) => T)) => void} Setter */
/** @typedef {void | (() => void)} Cleanup */

const any = /** @type {any} */ ({ ...hooks, ...signals });

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = /** @type {any} */ (htm).bind(h);
/** @type {(tree: any, into: Element) => void} */
export const render = /** @type {any} */ (renderInto);

/** @type {<T>(initial: T | (() => T)) => [T, Setter<T>]} */
export const useState = any.useState;
/** @type {(effect: () => Cleanup, inputs?: unknown[]) => void} */
export const useEffect = any.useEffect;
/** @type {<T>(make: () => T, inputs: unknown[]) => T} */
export const useMemo = any.useMemo;
/** @type {<T>(initial: T) => Ref<T>} */
export const useRef = any.useRef;
/** @type {() => string} */
export const useId = any.useId;
/** @type {(caught?: (error: unknown) => void) => [unknown, () => void]} */
export const useErrorBoundary = any.useErrorBoundary;

/** @type {<T>(initial: T) => Signal<T>} */
export const signal = any.signal;
/** @type {<T>(compute: () => T) => Signal<T>} */
export const computed = any.computed;
