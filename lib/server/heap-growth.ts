import { setFlagsFromString } from "node:v8";

/** By how much more than is in use the heap may grow before all of it is looked through again. */
export const HEAP_GROWTH = "--heap-growing-percent=40";

/**
 * Left to itself V8 lets a heap grow to a multiple of what is in use, which a busy server's is full of what
 * outlived its request by a moment: 400 MB where 250 do, at no saving of processor time that could be
 * measured (docs/performance.md). It is no bound: what is in use may be as much as it has to be.
 */
export function sparingHeap(): void {
  setFlagsFromString(HEAP_GROWTH);
}
