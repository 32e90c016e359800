import type { BooksState } from "../identifiers";

/** A page of a report in the bytes in which it went out. Nobody changes them. */
export type PageBytes = Uint8Array<ArrayBuffer>;

/** All that the text of a page depends on, but for the entries: of one name and one state there is one text. */
export type PageName = string;

/** Pages that went out lately. Any of them may be forgotten at any time. */
export type KeptPages = {
  /** The page as it was written from the books in this state, and not longer than `pageKeptSeconds` ago. */
  readonly find: (name: PageName, state: BooksState, now: Date) => PageBytes | undefined;
  readonly keep: (name: PageName, page: KeptPage) => void;
  /** To be called when the books may be others from now on: a state says nothing of those. */
  readonly forgetAll: () => void;
};

export type KeptPage = {
  /** Of the books that its entries were read from. */
  readonly state: BooksState;
  readonly bytes: PageBytes;
  readonly at: Date;
};
