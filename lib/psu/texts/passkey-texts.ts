import type { IsoDate } from "@/lib/domain/iso-date";
import type { Notice } from "./texts";

/** Using a passkey wherever a code would do. */
export type PasskeyTexts = {
  readonly heading: string;
  readonly hint: string;
  readonly submit: string;
  readonly sendCode: string;
  /** The browser's own prompt was closed, or nothing came of it. */
  readonly cancelled: string;
};

/** The page of one's own passkeys. */
export type PasskeysTexts = {
  readonly heading: string;
  readonly lead: string;
  readonly none: string;
  readonly added: (date: IsoDate) => string;
  readonly lastUsed: (date: IsoDate) => string;
  readonly neverUsed: string;
  readonly remove: string;
  readonly addHeading: string;
  readonly name: string;
  readonly nameHint: string;
  readonly add: string;
  readonly needsJavaScript: string;
  /** Before adding one. */
  readonly signInFirst: (minutes: number) => string;
  readonly noMore: (passkeysMax: number) => string;
  /** Nothing came of the browser's own prompt. */
  readonly cancelled: string;
  readonly removing: (name: string) => Notice;
  readonly removeSubmit: string;
  readonly keep: string;
  /** To the phone, whoever has added it. */
  readonly addedMessage: (bankName: string) => string;
  readonly removedMessage: (bankName: string) => string;
  readonly toPermissions: string;
};
