import {
  type FollowedLists,
  ListFault,
  type ListPointer,
  readListOfLists,
  readMemberList,
} from "./trusted-list";

/** Of the list of lists itself, beside the territories. */
export const LIST_OF_LISTS = "EU";
export const EU_LIST_OF_LISTS = "https://ec.europa.eu/tools/lotl/eu-lotl.xml";

/** Why a list was not renewed, or an issuer on it is not believed. */
type ListNote = { readonly territory: string; readonly reason: string };

type Following = {
  readonly fetchText: (url: string) => Promise<string>;
  readonly url: string;
  /** PEM: who may sign the list of lists, as the Official Journal has them. */
  readonly signersPem: string;
  /** What is known so far. */
  readonly known: FollowedLists | undefined;
  readonly now: Date;
};

export type Followed = {
  /** Undefined when nothing is known yet and the list of lists cannot be had. */
  readonly lists: FollowedLists | undefined;
  /** Territories whose lists were had and are good. */
  readonly checked: readonly string[];
  readonly faults: readonly ListNote[];
  readonly unfit: readonly ListNote[];
};

/**
 * The Union's list of lists, and the list of each territory that it points to. What cannot be had, is not signed by those
 * whom the list of lists pins, or is an older edition stays as it was known; what has ended, or is pointed to no
 * more, is left out. A list of lists that has ended pins nobody: no list of a territory is renewed by it.
 */
export async function followLists(following: Following): Promise<Followed> {
  const { known, now } = following;
  const faults: ListNote[] = [];
  const unfit: ListNote[] = [];
  const noteFault = (territory: string) => (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    faults.push({ territory, reason: error instanceof ListFault ? `the list ${text}` : text });
    return undefined;
  };
  const newest = await listOfLists(following).catch(noteFault(LIST_OF_LISTS));
  const top = newest ?? known;
  if (top === undefined) return { lists: undefined, checked: [], faults, unfit };
  const checked = newest === undefined ? [] : [LIST_OF_LISTS];
  const isOver = new Date(top.nextUpdate) <= now;
  if (isOver) {
    const reason = `the list that is known ended at ${top.nextUpdate}, so no territory's list is renewed`;
    faults.push({ territory: LIST_OF_LISTS, reason });
  }
  const lists: FollowedLists["lists"] = [];
  // One after the other: the longest has megabytes.
  for (const pointer of top.pointers) {
    const { territory } = pointer;
    const former = known?.lists.find((list) => list.territory === territory);
    const read = isOver
      ? undefined
      : await memberList(following, pointer, former).catch(noteFault(territory));
    if (read !== undefined) checked.push(territory);
    unfit.push(...(read?.unfit.map((reason) => ({ territory, reason })) ?? []));
    const { unfit: _, ...list } = read ?? { ...former, unfit: [] };
    if (isKnown(list) && new Date(list.nextUpdate) > now) lists.push(list);
  }
  const { sequence, nextUpdate, pointers } = top;
  return { lists: { sequence, nextUpdate, pointers, lists }, checked, faults, unfit };
}

type KnownList = FollowedLists["lists"][number];

const isKnown = (list: Partial<KnownList>): list is KnownList => list.issuers !== undefined;

async function listOfLists({ fetchText, url, signersPem, known, now }: Following) {
  const read = readListOfLists({ xml: await fetchText(url), signersPem, now });
  checkEdition(read, known);
  const pointers = read.pointers.map(({ signers, ...pointer }) => {
    return { ...pointer, signers: [...signers] };
  });
  return { sequence: read.sequence, nextUpdate: read.nextUpdate.toISOString(), pointers };
}

async function memberList(
  { fetchText, now }: Following,
  pointer: ListPointer,
  former: KnownList | undefined,
) {
  const { territory, url } = pointer;
  const read = readMemberList(await fetchText(url), pointer, now);
  checkEdition(read, former);
  const issuers = read.issuers.map(({ certificate, issues }) => {
    return { certificate, issues: [...issues] };
  });
  const { sequence, unfit } = read;
  return { territory, sequence, nextUpdate: read.nextUpdate.toISOString(), issuers, unfit };
}

/** Who can answer in the place of a list's operator has its former editions, with their signatures. */
function checkEdition(
  { sequence }: { readonly sequence: number },
  known: { readonly sequence: number } | undefined,
): void {
  if (known !== undefined && sequence < known.sequence) {
    throw new ListFault(`is edition ${sequence}, older than ${known.sequence}, which is known`);
  }
}
