// Files of an explorer's data: each is asked for when it is wanted, and read once.

/** @import { Ask } from "./mount.js" */

/**
 * @template Made
 * @param {Ask} file
 * @param {(bytes: DataView) => Made} read
 * @param {() => void} again  called when one has come, or cannot be had
 */
export function files(file, read, again) {
  /** @type {Map<string, Made | "asked" | "not there">} */ const found = new Map();
  return {
    /** What is made of a file, or why it is not there. @param {string} name */
    get(name) {
      const one = found.get(name);
      if (one !== undefined) return one;
      found.set(name, "asked");
      file(name)
        .then((bytes) => found.set(name, read(bytes)))
        .catch(() => found.set(name, "not there"))
        .then(again);
      return "asked";
    },
    /** It was not wanted for a while: if it did not come, it is asked for again. @param {string} name */
    retry(name) {
      if (found.get(name) === "not there") found.delete(name);
    },
  };
}
