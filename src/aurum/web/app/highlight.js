/** Which thing of a conversation somebody points at, by its message id: frames and cards light each other up. */
import { signal } from "./html.js";

export const highlighted = signal("");

/** @param {string} id empty for nothing */
export const highlight = (id) => void (highlighted.value = id);
