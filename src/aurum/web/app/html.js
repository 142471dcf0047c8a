/** Preact, htm and signals in one place, so that the rest of the code imports from here. */
import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";
import "../vendor/signals.js";

export { render, h } from "../vendor/preact.js";
export {
  useCallback,
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../vendor/hooks.js";
export { signal, computed, effect, batch } from "../vendor/signals.js";

export const html = htm.bind(h);
