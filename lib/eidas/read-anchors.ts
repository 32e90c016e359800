import { parseTrustAnchors, type TrustAnchors } from "./trust";
import { ListFault } from "./trusted-list/list-fault";
import { readTrustedList } from "./trusted-list/trusted-list";

type Given = {
  /** PEM certificates of issuers, or a trusted list (ETSI TS 119 612) in XML. */
  readonly text: string;
  /** PEM certificates of those who may have signed the list. */
  readonly listSignersPem: string | undefined;
  readonly now: Date;
};

/** The issuers that are believed. Throws an Error whose message says why a file is unfit. */
export function readAnchors({ text, listSignersPem, now }: Given): TrustAnchors {
  if (!text.trimStart().startsWith("<")) return parseTrustAnchors(text);
  if (listSignersPem === undefined) {
    throw new Error("a trusted list is believed only with TRUSTED_LIST_SIGNERS, who signs it");
  }
  try {
    // A byte order mark is no part of the document.
    return readTrustedList({ xml: text.replace(/^\uFEFF/, ""), signersPem: listSignersPem, now });
  } catch (error) {
    if (error instanceof ListFault) throw new Error(`the trusted list ${error.message}`);
    throw error;
  }
}
