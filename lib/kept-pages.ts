import type { KeptPage, KeptPages, PageName } from "./domain/account-access/kept-pages";
import { after } from "./domain/clock";

/** What a page takes besides its bytes and its name; without it many small ones would be no bound. */
const BYTES_BESIDES = 512;

type Limits = {
  /** Of all pages together; 0 keeps none. */
  readonly bytesMax: number;
  /** From when a page was written. A clock that was set back behind that ends it, too. */
  readonly secondsMax: number;
};

/** In the memory of this process. Of more than there is room for those go that were not asked for the longest. */
export function keptPages({ bytesMax, secondsMax }: Limits): KeptPages {
  /** A Map keeps the order of insertion: the one asked for last is its last. */
  const pages = new Map<PageName, KeptPage>();
  let bytesHeld = 0;

  const put = (name: PageName, page: KeptPage) => {
    pages.set(name, page);
    bytesHeld += bytesOf(name, page);
  };
  const drop = (name: PageName) => {
    const page = pages.get(name);
    if (page === undefined) return;
    pages.delete(name);
    bytesHeld -= bytesOf(name, page);
  };
  const dropOldest = () => {
    const [oldest] = pages.keys();
    if (oldest !== undefined) drop(oldest);
  };
  const isOver = ({ at }: KeptPage, now: Date) =>
    now < at || now >= after(at, secondsMax, "second");

  return {
    find: (name, state, now) => {
      const page = pages.get(name);
      if (page === undefined) return undefined;
      drop(name);
      // Of another state: that one will not come back.
      if (page.state !== state || isOver(page, now)) return undefined;
      put(name, page);
      return page.bytes;
    },
    keep: (name, page) => {
      drop(name);
      if (bytesOf(name, page) > bytesMax) return;
      // In memory of its own: a small buffer is a part of a larger one, which it would hold on to.
      put(name, { ...page, bytes: new Uint8Array(page.bytes) });
      while (bytesHeld > bytesMax) dropOldest();
    },
    forgetAll: () => {
      pages.clear();
      bytesHeld = 0;
    },
  };
}

function bytesOf(name: PageName, { bytes }: KeptPage): number {
  return BYTES_BESIDES + 2 * name.length + bytes.byteLength;
}
