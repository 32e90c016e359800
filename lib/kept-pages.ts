import type { KeptPages, PageBytes } from "./domain/account-access/kept-pages";
import { after } from "./domain/clock";
import type { BooksState, PageName } from "./domain/identifiers";

/** What a page takes besides its bytes and its name; without it many small ones would be no bound. */
const BYTES_BESIDES = 512;

type Limits = {
  /** Of all pages together; 0 keeps none. */
  readonly bytesMax: number;
  /** From the request that the page was read for. */
  readonly secondsMax: number;
};

type Kept = { readonly state: BooksState; readonly bytes: PageBytes; readonly at: Date };

/**
 * In the memory of this process. When one comes, those go that are over, and of more than there is room for those that
 * were not asked for the longest.
 */
export function keptPages({ bytesMax, secondsMax }: Limits): KeptPages {
  /** A Map keeps the order of insertion: the one asked for last is its last. */
  const pages = new Map<PageName, Kept>();
  let bytesHeld = 0;
  let timesForgotten = 0;

  const put = (name: PageName, page: Kept) => {
    pages.set(name, page);
    bytesHeld += bytesOf(name, page);
  };
  const drop = (name: PageName) => {
    const page = pages.get(name);
    if (page === undefined) return;
    pages.delete(name);
    bytesHeld -= bytesOf(name, page);
  };
  const isOver = ({ at }: Kept, now: Date) => now >= after(at, secondsMax, "second");
  const keep = (name: PageName, page: Kept) => {
    drop(name);
    if (bytesOf(name, page) > bytesMax) return;
    put(name, page);
    for (const [oldest, kept] of pages) {
      if (bytesHeld <= bytesMax && !isOver(kept, page.at)) break;
      drop(oldest);
    }
  };

  return {
    find: (name, state, now) => {
      const page = pages.get(name);
      // One that is of later than now was written under a clock that has been set back since.
      if (page?.state === state && now >= page.at && !isOver(page, now)) {
        pages.delete(name);
        pages.set(name, page);
        return { sentBefore: page.bytes };
      }
      const asked = timesForgotten;
      return {
        keep: (read, bytes) => {
          // In memory of its own: a small buffer is a part of a larger one, which it would hold on to.
          const own = new Uint8Array(bytes);
          if (asked === timesForgotten) keep(name, { state: read, bytes: own, at: now });
        },
      };
    },
    forgetAll: () => {
      pages.clear();
      bytesHeld = 0;
      timesForgotten += 1;
    },
  };
}

function bytesOf(name: PageName, { bytes }: Kept): number {
  return BYTES_BESIDES + 2 * name.length + bytes.byteLength;
}
