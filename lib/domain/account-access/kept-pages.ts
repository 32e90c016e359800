import type { BooksState, PageName } from "../identifiers";

/** A page of a report in the bytes in which it left. Nobody changes them. */
export type PageBytes = Uint8Array<ArrayBuffer>;

/** Pages that were written lately. Any of them may be forgotten at any time. */
export type KeptPages = {
  /** The page of books in this state; where there is none, a way to keep the one that is read now. */
  readonly find: (name: PageName, state: BooksState, now: Date) => PageSentBefore | PageToKeep;
  /** To be called when the books may be others from now on: a state says nothing of those. */
  readonly forgetAll: () => void;
};

/** A page as it was written, to leave again byte for byte. */
export type PageSentBefore = { readonly sentBefore: PageBytes };

export type PageToKeep = {
  /** For the page that is read from now on, with the state of the books that its entries were read from. */
  readonly keep: (state: BooksState, bytes: PageBytes) => void;
};
