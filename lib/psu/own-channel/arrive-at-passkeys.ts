import { redirect } from "next/navigation";
import { arriveInside, type Fault } from "./arrival";
import {
  type PasskeysView,
  passkeysView,
  type RemovePasskeyView,
  removePasskeyView,
} from "./passkeys-view";
import { ownPath, PASSKEYS } from "./paths";

export function arriveAtPasskeys(): Promise<PasskeysView | Fault> {
  return arriveInside(PASSKEYS, passkeysView);
}

/** What is there no more leads to the list. */
export async function arriveAtRemovePasskey(id: string): Promise<RemovePasskeyView | Fault> {
  const path = ownPath(`${PASSKEYS}/${id}/remove`);
  const view = await arriveInside(path, (visit) => removePasskeyView(visit, id));
  return view ?? redirect(PASSKEYS);
}
