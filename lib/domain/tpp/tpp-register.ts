import type { TppId } from "../identifiers";
import type { Tpp } from "./tpp";

/** The TPPs this bank has met. */
export type TppRegister = {
  /** Keeps the TPP as its certificate names it now; a later certificate overwrites name and roles. */
  readonly remember: (tpp: Tpp, now: Date) => Promise<void>;
  readonly find: (id: TppId) => Promise<Tpp | undefined>;
};
