import type { AuditEvent } from "../audit/audit-log";
import { after } from "../clock";
import type { Passkey, PasskeyStore } from "../passkeys/passkey";

export type KnownPasskey = Passkey & { readonly removed?: boolean };

/** Says in plain words what the database does in one statement each. */
export function passkeysOf(known: Map<string, KnownPasskey>, audited: AuditEvent[]): PasskeyStore {
  const inUse = (id: string) => {
    const found = known.get(id);
    return found?.removed === true ? undefined : found;
  };
  return {
    ofPsu: async (psuId) =>
      [...known.values()].filter((one) => one.psuId === psuId && one.removed !== true),
    ownerOf: async (credentialId) =>
      [...known.values()].find((one) => one.credentialId === credentialId && one.removed !== true)
        ?.psuId,
    add: async (passkey, passkeysMax) => {
      const { id: passkeyId, credentialId, psuId, createdAt: at } = passkey;
      const all = [...known.values()];
      const counts = (one: KnownPasskey) =>
        one.removed !== true || one.createdAt > after(at, -1, "day");
      const own = all.filter((one) => one.psuId === psuId && counts(one));
      if (own.length >= passkeysMax) return "too-many-passkeys";
      if (all.some((one) => one.credentialId === credentialId)) return "known-already";
      known.set(passkeyId, passkey);
      audited.push({ kind: "passkey-added", psuId, passkeyId, at });
      return "passkey-added";
    },
    use: async (id, counter, now) => {
      const found = inUse(id);
      if (found === undefined) return false;
      if (counter <= found.counter && !(counter === 0 && found.counter === 0)) return false;
      known.set(id, { ...found, counter, lastUsedAt: now });
      return true;
    },
    remove: async (id, psuId, now) => {
      const found = inUse(id);
      if (found?.psuId !== psuId) return false;
      known.set(id, { ...found, removed: true });
      audited.push({ kind: "passkey-removed", psuId, passkeyId: id, at: now });
      return true;
    },
  };
}
